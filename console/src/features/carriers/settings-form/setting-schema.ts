/** The JSON Schema of a carrier's settings, as far as its form needs it (`GET /carrier-kinds`). */

export type Json = Readonly<Record<string, unknown>>

export interface SettingSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SettingSchema>>
  readonly required?: readonly string[]
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly SettingSchema[]
  readonly items?: SettingSchema
  /** Of a map: the schema of its values, under the pattern of its names. */
  readonly patternProperties?: Readonly<Record<string, SettingSchema>>
  readonly description?: string
  readonly default?: unknown
  /** A secret. */
  readonly writeOnly?: boolean
  /** What a value is, in words. */
  readonly rule?: string
  readonly unit?: string
}

/** How a setting is typed; `json` is for what is too rich for a form. */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'block'
  | 'number'
  | 'flag'
  | 'choice'
  | 'group'
  | 'kinds'
  | 'map'
  | 'lines'
  | 'json'

export function kindOf(schema: SettingSchema): FieldKind {
  const { type, properties, anyOf, items, writeOnly, rule = '', description = '' } = schema
  if (schema.enum !== undefined) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'flag'
  if (type === 'string') return /\bPEM\b/.test(rule + description) ? 'block' : writeOnly === true ? 'secret' : 'text'
  if (properties !== undefined) return 'group'
  if (anyOf !== undefined) return anyOf.every((option) => kindNameOf(option) !== null) ? 'kinds' : 'json'
  if (type === 'array') return items?.type === 'string' ? 'lines' : 'json'
  const values = valuesOf(schema)
  return values !== null && MAP_VALUES.has(kindOf(values)) ? 'map' : 'json'
}

const MAP_VALUES: ReadonlySet<FieldKind> = new Set(['text', 'secret', 'number', 'choice'])

/** Returns the schema of the values of a map; null for anything else. */
export function valuesOf({ patternProperties }: SettingSchema): SettingSchema | null {
  return Object.values(patternProperties ?? {})[0] ?? null
}

/** Returns the name of one of several forms of a setting, which is its `kind`; null if it has none. */
export function kindNameOf({ properties }: SettingSchema): string | null {
  const name = properties?.['kind']?.const
  return typeof name === 'string' ? name : null
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  ['ID', 'URL', 'URI', 'TLS', 'TON', 'NPI', 'TLVs', 'CA', 'WABA', 'JSON', 'SMPP'].map((word) => [
    word.toLowerCase(),
    word,
  ]),
)

/** Returns the name in words: `responseTimeoutMs` is "Response timeout". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/(Ms|Seconds)$/, '')
    .split(/(?=[A-Z])|_/)
    .map((word) => ABBREVIATIONS.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the object with another value of one name; without the name for undefined. */
export function withMember(object: Json, name: string, value: unknown): Json {
  const { [name]: _, ...others } = object
  if (value === undefined) return others
  return name in object ? { ...object, [name]: value } : { ...others, [name]: value }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an empty object for anything else. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : {}
}
