/**
 * Texts with placeholders such as `{{phone}}`, read once and filled for every message. Values are escaped for the place
 * where they are inserted. A text with a missing value is left out as a whole.
 */

/** The values of a message. An empty value counts as missing. */
export interface TemplateValues {
  /** Digits, E.164 without the plus. */
  readonly phone: string
  /** With the plus. */
  readonly '+phone': string
  readonly sender: string
  readonly text: string
  readonly image: string
  readonly link: string
  readonly button: string
  /** Posthorn's reference, the same on every attempt. */
  readonly ref: string
  /** The remaining lifetime, seconds. */
  readonly lifetime: string
  readonly lifetimeMs: string
  /** For a part of a long SMS: its number from 1, the number of parts, and its user data header in hexadecimal. */
  readonly part: string
  readonly parts: string
  readonly udh: string
}

type ValueName = keyof TemplateValues

/** Values that are ASCII without spaces whatever a client sends. */
export const PLAIN_NAMES: readonly ValueName[] = [
  'phone',
  '+phone',
  'ref',
  'lifetime',
  'lifetimeMs',
  'part',
  'parts',
  'udh',
]

const NAMES: readonly ValueName[] = [...PLAIN_NAMES, 'sender', 'text', 'image', 'link', 'button']

const NUMBER_NAMES: ReadonlySet<string> = new Set(['phone', 'lifetime', 'lifetimeMs', 'part', 'parts'])

/** Text and names of values in turn: text, name, text, name, text. */
export type Template = readonly string[]

/** @throws Error if a placeholder is not allowed here. */
export function readTemplate(text: string, allowed: readonly ValueName[] = NAMES): Template {
  const pieces = text.split(/\{\{([^{}]*)\}\}/)
  const unknown = pieces.find((name, index) => index % 2 === 1 && !allowed.some((each) => each === name))
  if (unknown !== undefined) {
    const known = allowed.map((name) => `{{${name}}}`).join(', ')
    throw new Error(`{{${unknown.slice(0, 40)}}} is not allowed here; allowed are ${known}`)
  }
  return pieces
}

/** Returns null if a value is missing. `write` escapes a value for the place where it is inserted. */
export function fillTemplate(
  template: Template,
  values: TemplateValues,
  write: (value: string) => string = (value) => value,
): string | null {
  let filled = ''
  for (const [index, piece] of template.entries()) {
    if (index % 2 === 0) {
      filled += piece
      continue
    }
    const value = values[piece as ValueName]
    if (value === '') return null
    filled += write(value)
  }
  return filled
}

/** Fills a JSON value. Returns undefined if nothing is left of it. */
export type JsonTemplate = (values: TemplateValues) => unknown

const MAX_DEPTH = 20
const NUMBER = /^\{\{#([^{}]*)\}\}$/

/**
 * Reads JSON whose strings are templates; `"{{#lifetime}}"` alone becomes a number. A property whose value is missing
 * is left out, and so is an object or list that becomes empty.
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
  const fields = Object.entries(json).map(([name, value]) => [name, readJsonTemplate(value, depth + 1)] as const)
  return (values) => {
    const filled = fields
      .map(([name, value]) => [name, value(values)] as const)
      .filter(([, value]) => value !== undefined)
    return filled.length === 0 && fields.length > 0 ? undefined : Object.fromEntries(filled)
  }
}

function readJsonText(text: string): JsonTemplate {
  const name = NUMBER.exec(text)?.[1]
  if (name === undefined) {
    const template = readTemplate(text)
    return (values) => fillTemplate(template, values) ?? undefined
  }
  if (!NUMBER_NAMES.has(name)) throw new Error(`{{#${name.slice(0, 40)}}} is not a number`)
  return (values) => {
    const value = values[name as ValueName]
    return value === '' ? undefined : Number(value)
  }
}
