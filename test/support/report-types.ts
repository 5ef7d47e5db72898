/** A TypeScript program that compiles only if the client's types of reports are those of the schemas. */
import type { ReportSchema } from '../../src/contract/reference/report-schemas.ts'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** Ids that JSON numbers cannot hold are bigints in the client; the schemas know numbers only. */
const HEAD = `
import type { Report } from 'posthorn-client'
type Plain<T> = T extends bigint ? never : T extends readonly (infer E)[] ? readonly Plain<E>[]
  : T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T
type Known = Exclude<Report, { type: 'unknown' }>
type Only<T, Type> = T extends { readonly type: infer Own } ? Type extends Own ? Omit<T, 'type'> & { readonly type: Type } : never : never
type Flat<T> = { [K in keyof T]: T[K] }
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
function holds<_ extends true>(): void {}
`

export function writeReportTypes(schemas: readonly ReportSchema[]): string {
  const types = schemas.map(({ type }) => `'${type}'`).join(' | ')
  return [
    HEAD,
    `holds<Same<Known['type'], ${types}>>()`,
    ...schemas.map(({ type, schema }) => {
      const { type: _, ...properties } = (schema as JsonSchema).properties ?? {}
      const own = `Flat<Plain<Omit<Only<Known, '${type}'>, 'type'>>>`
      return `holds<Equal<${own}, ${typeOf({ ...schema, properties } as JsonSchema)}>>()`
    }),
    'type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? Same<Optional<A>, Optional<B>> : false) : false',
    'type Optional<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? K : never }[keyof T]',
  ].join('\n')
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items !== undefined) return `readonly (${typeOf(schema.items)})[]`
  if (schema.properties !== undefined) return objectOf(schema)
  return [schema.type ?? []].flat().map(nameOf).join(' | ')
}

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

function nameOf(type: string): string {
  return type === 'integer' ? 'number' : type
}
