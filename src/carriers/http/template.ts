/**
 * Texts with placeholders such as `{{phone}}`, read once and filled for every message. Values are escaped for the place
 * where they are inserted. A text with a missing value is left out as a whole, and so is one whose condition, such as
 * `{{if unicode}}` at its start, does not hold.
 */

import type { Registration } from '../../domain/accounts/sender.ts'

/** Values that are ASCII without spaces whatever a client sends. */
export const PLAIN_NAMES = [
  'phone',
  '+phone',
  'ref',
  'uuid',
  'code',
  'lifetime',
  'lifetimeMs',
  'lifetimeMinutes',
  'expiresAt',
  'now',
  'nowRfc1123',
  'textHex',
  'part',
  'parts',
  'udh',
  'callback',
  'inboundCallback',
] as const

const NAMES = [...PLAIN_NAMES, 'sender', 'text', 'image', 'link', 'button', 'template'] as const

/**
 * Besides names: a value of the template that the text fits, or one of its variables, by name or by its place; or a
 * value that the sender is registered with in the country of the phone.
 */
const NAMED_PART = /^(template|variable|registration)\.(\w{1,60})$/
const NAMES_OF_PARTS = ['template.NAME', 'variable.1', 'variable.NAME', 'registration.NAME']
/** In JSON, all variables: as members, and as a list. */
const ALL_VARIABLES = '{{variables}}'
const LISTED_VARIABLES = '{{variables[]}}'

/** Facts that are no values: only conditions may name them. */
const FACT_NAMES = ['unicode', 'long', 'senderName', 'senderNumber', 'senderShortCode', 'otp', 'bulk'] as const

type ValueName = (typeof NAMES)[number]
type FixedName = ValueName | (typeof FACT_NAMES)[number]
type ConditionName = FixedName | `registration.${string}`

/** What the registered template of a text has. */
export interface PartsOfTemplate {
  readonly values: ReadonlyMap<string, string>
  /** In the order of the text. */
  readonly variables: ReadonlyMap<string, string>
}

type NamedValues = Readonly<Record<FixedName, string>>

/** What a message says of each name. An empty value counts as missing, an empty fact as untrue. */
export type TemplateValues = NamedValues & {
  readonly partsOfTemplate: PartsOfTemplate
  readonly registration: Registration
}

export const NO_PARTS: PartsOfTemplate = { values: new Map(), variables: new Map() }
const NO_NAMED = Object.fromEntries([...NAMES, ...FACT_NAMES].map((name) => [name, ''])) as NamedValues

/** For a request about no message. */
export const NO_VALUES: TemplateValues = { ...NO_NAMED, partsOfTemplate: NO_PARTS, registration: {} }

const NUMBER_NAMES: ReadonlySet<string> = new Set([
  'phone',
  'lifetime',
  'lifetimeMs',
  'lifetimeMinutes',
  'part',
  'parts',
] satisfies ValueName[])

interface Condition {
  readonly name: ConditionName
  /** Whether the value has to be there, or to be missing. */
  readonly present: boolean
}

export interface Template {
  /** All of them must hold. */
  readonly conditions: readonly Condition[]
  /** Text and names of values in turn: text, name, text, name, text. */
  readonly pieces: readonly string[]
}

const CONDITION = /^\{\{if (not )?([^{}]*)\}\}/

/** Splits the conditions off the start of a text, at most a few. Throws an Error if one has an unknown name. */
function takeConditions(text: string): readonly [conditions: readonly Condition[], rest: string] {
  const conditions: Condition[] = []
  let rest = text
  for (let found = CONDITION.exec(rest); found !== null; found = CONDITION.exec(rest)) {
    const [whole, not, given = ''] = found
    const name = isRegistered(given) ? given : Object.keys(NO_NAMED).find((each) => each === given)
    if (name === undefined) {
      const known = [...FACT_NAMES, ...NAMES, 'registration.NAME'].join(', ')
      throw new Error(`{{if ${given.slice(0, 40)}}} has no such condition; there are ${known}`)
    }
    conditions.push({ name: name as ConditionName, present: not === undefined })
    rest = rest.slice(whole.length)
  }
  return [conditions, rest]
}

/** @throws Error if a placeholder is not allowed here. */
export function readTemplate(text: string, allowed: readonly ValueName[] = NAMES): Template {
  const [conditions, rest] = takeConditions(text)
  const pieces = rest.split(/\{\{([^{}]*)\}\}/)
  const isKnown = (name: string) =>
    allowed.some((each) => each === name) || (allowed === NAMES && NAMED_PART.test(name))
  const unknown = pieces.find((name, index) => index % 2 === 1 && !isKnown(name))
  if (unknown !== undefined) {
    const names = [...allowed, ...(allowed === NAMES ? NAMES_OF_PARTS : [])]
    const known = names.map((name) => `{{${name}}}`).join(', ')
    throw new Error(`{{${unknown.slice(0, 40)}}} is not allowed here; allowed are ${known}`)
  }
  return { conditions, pieces }
}

export type TemplateField = readonly [name: string, value: Template]

/** Moves the conditions at the start of the name of a field to its value. */
export function withConditionsOfName(name: string, value: Template): TemplateField {
  const [conditions, rest] = takeConditions(name)
  return [rest, { ...value, conditions: [...conditions, ...value.conditions] }]
}

/** Returns null if a value is missing or a condition does not hold. `write` escapes a value for its place. */
export function fillTemplate(
  { conditions, pieces }: Template,
  values: TemplateValues,
  write: (value: string) => string = (value) => value,
): string | null {
  if (!holdAll(conditions, values)) return null
  let filled = ''
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      filled += piece
      continue
    }
    const value = readValue(piece, values)
    if (value === '') return null
    filled += write(value)
  }
  return filled
}

function isRegistered(name: string): boolean {
  return NAMED_PART.exec(name)?.[1] === 'registration'
}

function readValue(name: string, values: TemplateValues): string {
  const [, of, part = ''] = NAMED_PART.exec(name) ?? []
  if (of === undefined) return values[name as ValueName]
  if (of === 'registration') return values.registration[part] ?? ''
  const { values: ofTemplate, variables } = values.partsOfTemplate
  if (of === 'template') return ofTemplate.get(part) ?? ''
  return variables.get(part) ?? [...variables.values()][Number(part) - 1] ?? ''
}

function holdAll(conditions: readonly Condition[], values: TemplateValues): boolean {
  return conditions.every(({ name, present }) => (readValue(name, values) !== '') === present)
}

/** Fills a JSON value. Returns undefined if nothing is left of it. */
export type JsonTemplate = (values: TemplateValues) => unknown

const MAX_DEPTH = 20
const NUMBER = /^\{\{#([^{}]*)\}\}$/

/**
 * Reads JSON whose strings are templates; `"{{#lifetime}}"` alone becomes a number. A property whose value is missing
 * or whose condition does not hold is left out, and so is an object or list that becomes empty. A property named
 * `{{variables}}` stands for all variables of the template, whatever its value.
 * @throws Error as `readTemplate`.
 */
export function readJsonTemplate(json: unknown, depth = 0): JsonTemplate {
  if (depth > MAX_DEPTH) throw new Error(`is nested deeper than ${MAX_DEPTH} levels`)
  if (typeof json === 'string') return readJsonText(json)
  if (Array.isArray(json)) {
    const items = json.map((item) => readJsonTemplate(item, depth + 1))
    return (values) => {
      const filled = items.map((item) => item(values)).filter((item) => item !== undefined)
      return filled.length === 0 && items.length > 0 ? undefined : filled
    }
  }
  if (typeof json !== 'object' || json === null) return () => json
  const takesVariables = Object.hasOwn(json, ALL_VARIABLES)
  const fields = Object.entries(json).flatMap(([text, value]) => {
    if (text === ALL_VARIABLES) return []
    const [conditions, name] = takeConditions(text)
    return [[name, onlyIf(conditions, readJsonTemplate(value, depth + 1))] as const]
  })
  return (values) => {
    const filled = fields
      .map(([name, value]) => [name, value(values)] as const)
      .filter(([, value]) => value !== undefined)
    // Members with the same name win.
    const all = takesVariables ? [...values.partsOfTemplate.variables, ...filled] : filled
    return all.length === 0 && fields.length > 0 ? undefined : Object.fromEntries(all)
  }
}

function readJsonText(text: string): JsonTemplate {
  const [conditions, rest] = takeConditions(text)
  if (rest === ALL_VARIABLES) return onlyIf(conditions, ({ partsOfTemplate }) => membersOf(partsOfTemplate.variables))
  if (rest === LISTED_VARIABLES)
    return onlyIf(conditions, ({ partsOfTemplate }) => [...partsOfTemplate.variables.values()])
  const name = NUMBER.exec(rest)?.[1]
  if (name === undefined) {
    const template = readTemplate(text)
    return (values) => fillTemplate(template, values) ?? undefined
  }
  if (!NUMBER_NAMES.has(name)) throw new Error(`{{#${name.slice(0, 40)}}} is not a number`)
  return onlyIf(conditions, (values) => {
    const value = values[name as ValueName]
    return value === '' ? undefined : Number(value)
  })
}

function membersOf(variables: PartsOfTemplate['variables']): unknown {
  return variables.size === 0 ? undefined : Object.fromEntries(variables)
}

function onlyIf(conditions: readonly Condition[], fill: JsonTemplate): JsonTemplate {
  return conditions.length === 0 ? fill : (values) => (holdAll(conditions, values) ? fill(values) : undefined)
}
