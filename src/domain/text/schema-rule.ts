/**
 * What a JSON Schema allows, in words, for error texts and documentation: `a whole number from 1 to 100`. Fields of the
 * client API and the admin API, settings of carriers and of the environment say so in the same words.
 */

/** The keywords that have words. */
export interface RuleSchema {
  /** The rule in words, if the keywords cannot say it: `a host name or an IP address`. */
  readonly rule?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly RuleSchema[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** Of a number: `seconds`. */
  readonly unit?: string
  /** What a list has: `hosts`. */
  readonly of?: string
}

/** Returns words that follow "must be". */
export function ruleOf(schema: RuleSchema): string {
  if (schema.rule !== undefined) return schema.rule
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(ruleOf).join(' or ')
  switch (schema.type) {
    case 'integer':
      return `a whole number${schema.unit === undefined ? '' : ` of ${schema.unit}`}${range(schema)}`
    case 'number':
      return schema.exclusiveMinimum === undefined
        ? `a number${range(schema)}`
        : `a number greater than ${schema.exclusiveMinimum}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return `a text${length(schema)}`
    case 'array':
      return `a list${items(schema)}`
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return 'a value of another form'
  }
}

function items({ minItems, maxItems, of = '' }: RuleSchema): string {
  if (maxItems === undefined) return ''
  return ` of ${minItems === undefined ? 'at most' : `${minItems} to`} ${maxItems} ${of}`.trimEnd()
}

function range({ minimum, maximum }: RuleSchema): string {
  const hasMax = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER
  if (!hasMax) return minimum === undefined ? '' : `, at least ${minimum}`
  return ` from ${minimum ?? 'any'} to ${maximum}`
}

function length({ minLength, maxLength }: RuleSchema): string {
  if (maxLength === undefined) return ''
  return ` of ${minLength ?? 0} to ${maxLength} characters`
}

/** A whole number, for settings and fields that are declared without a library. */
export function wholeNumber(minimum: number, maximum: number, unit?: string): WholeNumber {
  return { type: 'integer', minimum, maximum, ...(unit === undefined ? {} : { unit }) }
}

export type WholeNumber = RuleSchema & Required<Pick<RuleSchema, 'minimum' | 'maximum'>>

/** Returns the number that a value is, if the schema allows it; null if not. Texts have to be digits. */
export function readWhole(value: unknown, { minimum, maximum }: WholeNumber): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const isWithin = typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum
  return isWithin ? number : null
}
