/** JSON Schemas of fields and results in words, for tables of the API reference. */

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly $ref?: string
  readonly oneOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly description?: string
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'http or https address',
  'date-time': 'time in RFC 3339 format',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
}

/** Returns what a value may be, such as "integer from 60 to 1209600, or string of digits; default 172800". */
export function describeSchema(schema: Schema): string {
  const { default: standard } = schema
  if (standard === undefined) return describeValues(schema)
  return `${describeValues(schema)}; default ${inWords(standard)}`
}

/** Returns a value as code. */
export function inWords(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function describeValues(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref)
  if (schema.items?.$ref !== undefined) {
    return `list of ${schema.minItems} to ${schema.maxItems}, each a ${linkTo(schema.items.$ref)}`
  }
  if (schema.anyOf !== undefined) return describeChoices(schema.anyOf)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return `one of ${schema.enum.map((each) => `\`${each}\``).join(', ')}`
  if (schema.items?.enum !== undefined) return `list of ${schema.items.enum.map((each) => `\`${each}\``).join(', ')}`
  return `${describeType(schema)}${describeRange(schema)}`
}

/** Returns a link to the heading of a named schema. */
function linkTo(reference: string): string {
  const name = reference.replace('#/components/schemas/', '')
  return `[${name}](#${name.toLowerCase()})`
}

/** An integer is a number too. */
function describeChoices(schemas: readonly Schema[]): string {
  const words = [...new Set(schemas.map(describeSchema))]
  return words.filter((each) => each !== 'integer' || !words.includes('number')).join(', or ')
}

function describeType({ type, format, pattern }: Schema): string {
  if (format !== undefined) return FORMATS[format] ?? format
  if (pattern?.startsWith('^[0-9]') === true && !pattern.includes(' ')) return 'string of digits'
  if (type === undefined) return 'any value'
  return typeof type === 'string' ? type : type.join(' or ')
}

function describeRange({ minimum, maximum, minLength, maxLength, format }: Schema): string {
  const isIdentifier = maximum === Number.MAX_SAFE_INTEGER
  if (minimum !== undefined && maximum !== undefined && !isIdentifier) return ` from ${minimum} to ${maximum}`
  if (maxLength === undefined) return ''
  const from = minLength === undefined || minLength <= 1 || format !== undefined ? 'up to ' : `of ${minLength} to `
  return `, ${from}${maxLength} characters`
}

export interface SchemaMember {
  /** With a dot for each object and `[]` for each list around it: `steps[].channel`. */
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** Returns the members of an object or a list of objects, and theirs, in their order. */
export function membersOf(schema: Schema, prefix = ''): readonly SchemaMember[] {
  if (schema.items !== undefined) return membersOf(schema.items, `${prefix}[]`)
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const isRequired = schema.required?.includes(key) ?? false
    return [{ name, schema: member, isRequired }, ...membersOf(member, name)]
  })
}
