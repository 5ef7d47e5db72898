/**
 * Texts with placeholders such as `{{phone}}`, read once and filled for every message. A value never becomes markup: each
 * place says how it writes values, and a text of which a value is missing is left out whole.
 */

/** What a message offers to templates. An empty one counts as missing. */
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
  /** Our own reference, the same on every try. */
  readonly ref: string
  /** What is left of the lifetime, seconds. */
  readonly lifetime: string
  readonly lifetimeMs: string
  /** Of a long SMS that goes out in parts: which one, from 1, of how many, and its user data header in hexadecimal. */
  readonly part: string
  readonly parts: string
  readonly udh: string
}

type ValueName = keyof TemplateValues

const NAMES: readonly ValueName[] = [
  'phone',
  '+phone',
  'sender',
  'text',
  'image',
  'link',
  'button',
  'ref',
  'lifetime',
  'lifetimeMs',
  'part',
  'parts',
  'udh',
]

/** These are ASCII without spaces whatever a client sends. */
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

const NUMBER_NAMES: ReadonlySet<string> = new Set(['phone', 'lifetime', 'lifetimeMs', 'part', 'parts'])

/** What is between the placeholders, and in turn with it the names of their values: text, name, text, name, text. */
export type Template = readonly string[]

/** @throws Error with a sentence about the placeholder that cannot stand there. */
export function readTemplate(text: string, allowed: readonly ValueName[] = NAMES): Template {
  const pieces = text.split(/\{\{([^{}]*)\}\}/)
  const unknown = pieces.find((name, index) => index % 2 === 1 && !allowed.some((each) => each === name))
  if (unknown !== undefined) {
    const known = allowed.map((name) => `{{${name}}}`).join(', ')
    throw new Error(`{{${unknown.slice(0, 40)}}} cannot stand here; what can is ${known}`)
  }
  return pieces
}

/** Null when a value is missing. `write` makes a value fit for the place where it goes. */
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

/** Fills a JSON value; undefined when nothing is left of it. */
export type JsonTemplate = (values: TemplateValues) => unknown

const DEEPEST = 20
const NUMBER = /^\{\{#([^{}]*)\}\}$/

/**
 * JSON whose strings are templates; `"{{#lifetime}}"` alone becomes a number. A property whose value is missing is left
 * out, and with it an object or list of which nothing remains.
 * @throws Error as `readTemplate`.
 */
export function readJsonTemplate(json: unknown, depth = 0): JsonTemplate {
  if (depth > DEEPEST) throw new Error(`is nested deeper than ${DEEPEST} levels`)
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
