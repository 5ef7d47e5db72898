/**
 * The client's types against the gateway's own table: a program is written from the table that compiles only while the
 * client knows every operation, every field with its values, and every result, and none besides.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ItemErrorCode, RequestErrorCode, StatusReport } from '../../client/src/posthorn-client.ts'
import { ITEM_ERROR_ADVICE, REQUEST_ERROR_ADVICE } from '../../scripts/reference/error-advice.ts'
import { type Field, ID_FIELD } from '../../src/contract/fields/fields.ts'
import { choice } from '../../src/contract/fields/kinds.ts'
import type { OperationSchema } from '../../src/contract/operations/operation-schemas.ts'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { codeOf, type ErrorCode } from '../../src/contract/request/error-codes.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { RICH_SCHEMAS } from '../../src/contract/rich/rich-fields.ts'
import type { Status } from '../../src/domain/message/status.ts'
import { NAMED_SCHEMAS, NAMED_SENDS } from '../support/all-operations.ts'
import { BuiltClient } from '../support/built-client.ts'

let built: BuiltClient
beforeAll(() => {
  built = new BuiltClient()
})
afterAll(() => built.remove())

const HEAD = `
import type { Operation, OperationData, OperationType } from 'posthorn-client'
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type KeysOf<T> = T extends unknown ? keyof T : never
type Item<T> = T extends readonly (infer E)[] ? E : T
function holds<_ extends true>(): void {}
`

describe('the types', () => {
  test('are those of the table of operations', () => {
    expect(built.typeErrors(programOf(NAMED_SCHEMAS))).toBe('')
    // The first to start the compiler.
  }, 120_000)

  test('would not compile with any difference', () => {
    const fields = (to: Partial<Field>) => [withFields(first().fields.map(change(to)))]
    const different: Readonly<Record<string, string>> = {
      'an operation more': programOf([...NAMED_SCHEMAS, { ...first(), type: 'no such' }], []),
      'an operation less': programOf(NAMED_SCHEMAS.slice(1), []),
      'a field more': programOf(NAMED_SCHEMAS, [withFields([...first().fields, { ...ID_FIELD, name: 'rcs_colour' }])]),
      'a field less': programOf(NAMED_SCHEMAS, [withFields(first().fields.slice(1))]),
      'a field that became required': programOf(NAMED_SCHEMAS, fields({ required: true })),
      'a field that became optional': programOf(NAMED_SCHEMAS, fields({ required: false })),
      'other values': programOf(NAMED_SCHEMAS, fields({ kind: choice(['other']) })),
      'another result': programOf(NAMED_SCHEMAS, [{ ...first(), result: 'Template' }]),
    }
    expect(wrongOf(different)).toEqual(Object.keys(different))
  })

  test('of rich content are those of its schemas, member by member', () => {
    expect(built.typeErrors(programOfRich(RICH))).toBe('')
    const different = RICH.flatMap(({ name, schema }) => {
      const { properties = {}, oneOf } = schema
      if (oneOf !== undefined) return []
      const more = { ...schema, properties: { ...properties, more: { type: 'string' } } }
      const fewer = { ...schema, properties: Object.fromEntries(Object.entries(properties).slice(0, -1)) }
      return [
        [`${name} with a member more`, programOfRich([{ name, schema: more }])],
        [`${name} with a member less`, programOfRich([{ name, schema: fewer }])],
      ]
    })
    expect(wrongOf(Object.fromEntries(different))).toEqual(different.map(([name]) => name))
  })

  test('of statuses are those of the domain', () => {
    const same: [Status] extends [StatusReport['status']]
      ? [StatusReport['status']] extends [Status]
        ? true
        : never
      : never = true
    expect(same).toBe(true)
  })
})

describe('error codes', () => {
  test('of the client are those of the gateway', () => {
    const same: Same<Exclude<RequestErrorCode | ItemErrorCode, 'unknown'>, ErrorCode> = true
    expect(same).toBe(true)
  })

  test('are in the table of the README, each with the texts that it stands for', () => {
    const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8')
    const seen = readme.split('### Codes')[1]?.split('## Retries')[0] ?? ''
    const rowOf = (code: string) => seen.split('\n').find((line) => line.startsWith(`| \`${code}\` |`)) ?? ''
    const missing = [...ITEM_ERROR_ADVICE, ...REQUEST_ERROR_ADVICE]
      .map(({ text }) => ({ text, code: codeOf(text.replaceAll('<field>', 'field')) }))
      .filter(({ text, code }) => {
        const isRest = ['invalid_field', 'invalid_request'].includes(code)
        return isRest ? rowOf(code) === '' : !rowOf(code).includes(`\`${text}\``)
      })
    expect(missing).toEqual([])
  })
})

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** Names of the programs that do not compile. */
function wrongOf(programs: Readonly<Record<string, string>>): readonly string[] {
  const wrong = new Set(built.wrongPrograms(Object.values(programs)))
  return Object.keys(programs).filter((_, index) => wrong.has(index))
}

function first(): OperationSchema {
  const [schema] = NAMED_SCHEMAS
  if (schema === undefined) throw new RangeError('the table is empty')
  return schema
}

function change(to: Partial<Field>) {
  return (field: Field): Field => ({ ...field, ...to })
}

function withFields(fields: readonly Field[]): OperationSchema {
  return { ...first(), fields }
}

/** @param closely those whose fields and results are looked at. */
function programOf(schemas: readonly OperationSchema[], closely = schemas): string {
  const types = `holds<Same<OperationType, ${union(schemas.map(({ type }) => type))}>>()`
  return [HEAD, types, ...closely.flatMap(linesOf)].join('\n')
}

function linesOf(schema: OperationSchema): readonly string[] {
  const { type } = schema
  const variants = variantsOf(schema)
  const keys = union(['type', ...new Set(variants.flatMap((fields) => fields.map(({ name }) => name)))])
  const results = union(resultKeys(schema))
  return [
    `holds<Same<KeysOf<Operation<'${type}'>>, ${keys}>>()`,
    `holds<Same<KeysOf<Item<OperationData['${type}']>>, ${results}>>()`,
    ...variants.flatMap((fields) => {
      const chosen = compositions(fields)
      // The fields of the operation that this one names are looked at more closely there.
      const closely = schema.sendNamedBy === undefined ? chosen : chosen.slice(0, 1)
      return [
        ...chosen.flatMap((literals) => assignments(type, literals)),
        ...closely.flatMap((literals) => nulls(type, literals)),
      ]
    }),
  ]
}

/** The fields of an operation; where one of them names another operation, with the fields of each that it may name. */
function variantsOf({ fields, sendNamedBy }: OperationSchema): readonly (readonly Field[])[] {
  const either = fields.find(({ rules }) => rules.orElse !== undefined)
  if (either !== undefined) {
    return [either.name, either.rules.orElse].map((name) =>
      fields.map((field) => ({ ...field, required: field.required || field.name === name })),
    )
  }
  if (sendNamedBy === undefined) return [fields]
  return NAMED_SENDS.map((other) => [
    ...fields.map((field) => (field.name === sendNamedBy ? { ...field, kind: choice([other.type]) } : field)),
    ...(variantsOf(other)[0] ?? []),
  ])
}

type Literals = Readonly<Record<string, string>>

interface Composition {
  readonly all: Literals
  readonly required: Literals
}

/** One operation with all its fields and with no more than it must have; without any of those it is wrong. */
function assignments(type: string, { all, required }: Composition): readonly string[] {
  const fewer = Object.keys(required).flatMap((name) => wrong(type, without(required, name)))
  return [assign(type, all), assign(type, required), ...fewer]
}

/** None of its fields may be null. */
function nulls(type: string, { all }: Composition): readonly string[] {
  return Object.keys(all).flatMap((name) => wrong(type, { ...all, [name]: 'null' }))
}

function assign(type: string, fields: Literals): string {
  const members = Object.entries({ type: `'${type}'`, ...fields }).map(([name, value]) => `${name}: ${value}`)
  return `{ const _: Operation<'${type}'> = { ${members.join(', ')} } }`
}

function wrong(type: string, fields: Literals): readonly string[] {
  return ['// @ts-expect-error', assign(type, fields)]
}

/** For each value that a field allows, an operation with it. */
function compositions(fields: readonly Field[]): readonly Composition[] {
  const values = fields.map((field) => [field, literalsOf(field)] as const)
  const most = Math.max(1, ...values.map(([, literals]) => literals.length))
  return Array.from({ length: most }, (_, turn) => {
    const all = Object.fromEntries(values.map(([{ name }, literals]) => [name, literals[turn % literals.length] ?? '']))
    const required = Object.fromEntries(
      Object.entries(all).filter(([name]) => fields.some((field) => field.name === name && isRequired(field, all))),
    )
    return { all, required }
  })
}

function isRequired({ required, rules }: Field, all: Literals): boolean {
  const parts = (all['chatapp_type'] ?? all['viber_type'] ?? '').replaceAll("'", '').split('+')
  return required || (rules.partOf !== undefined && parts.includes(rules.partOf.part))
}

function literalsOf(field: Field): readonly string[] {
  return literalsOfSchema(field.kind.schema(DEFAULT_LIMITS) as JsonSchema)
}

interface NamedSchema {
  readonly name: string
  readonly schema: JsonSchema
}

const RICH: readonly NamedSchema[] = RICH_SCHEMAS.map(({ name, kind }) => ({
  name,
  schema: kind.schema(DEFAULT_LIMITS) as JsonSchema,
}))

/** The keys of each object, and one of each with all its members and with the required ones. */
function programOfRich(schemas: readonly NamedSchema[]): string {
  const imports = `import type { ${schemas.map(({ name }) => name).join(', ')} } from 'posthorn-client'`
  const lines = schemas.flatMap(({ name, schema }) => {
    const { properties, required = [] } = schema
    const assigned = literalsOfSchema(schema).map((each) => `{ const _: ${name} = ${each} }`)
    if (properties === undefined) return assigned
    const members = Object.fromEntries(
      required.map((member) => [member, literalsOfSchema(properties[member] ?? {})[0] ?? '']),
    )
    const lacking = required.map(
      (member) => `// @ts-expect-error\n{ const _: ${name} = ${objectOf(without(members, member))} }`,
    )
    return [
      `holds<Same<KeysOf<${name}>, ${union(Object.keys(properties))}>>()`,
      ...assigned,
      `{ const _: ${name} = ${objectOf(members)} }`,
      ...lacking,
    ]
  })
  return [HEAD, imports, ...lines].join('\n')
}

interface JsonSchema {
  readonly $ref?: string
  readonly const?: unknown
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly examples?: readonly unknown[]
}

function literalsOfSchema(schema: JsonSchema): readonly string[] {
  const { type, enum: values, anyOf, items, oneOf, properties, examples } = schema
  if (schema.$ref !== undefined) return literalsOfSchema(definitionOf(schema.$ref))
  if (oneOf !== undefined) return oneOf.flatMap(literalsOfSchema)
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, each]) => [name, literalsOfSchema(each)[0] ?? ''])
    return [objectOf(Object.fromEntries(members))]
  }
  // A list of objects has all kinds of them at once.
  if (items?.$ref !== undefined) return [`[${literalsOfSchema(items).join(', ')}]`]
  if (items !== undefined) return literalsOfSchema(items).map((each) => `[${each}]`)
  if (anyOf !== undefined) return anyOf.flatMap(literalsOfSchema)
  if (values !== undefined) return values.map((value) => `'${value}'`)
  if (examples !== undefined) return examples.map((each) => JSON.stringify(each))
  if (type === 'boolean') return ['true', 'false']
  return [type === 'string' ? "'x' as string" : '60 as number']
}

function definitionOf(reference: string): JsonSchema {
  return RICH.find(({ name }) => reference.endsWith(`/${name}`))?.schema ?? {}
}

function objectOf(members: Literals): string {
  return `{ ${Object.entries(members)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`
}

function resultKeys({ result }: OperationSchema): readonly string[] {
  const { components } = writeOpenApi() as { components: { schemas: Record<string, ResultSchema> } }
  const data = components.schemas[result]?.properties.data
  return Object.keys(data?.properties ?? data?.items?.properties ?? {})
}

interface ResultSchema {
  readonly properties: {
    readonly data: {
      readonly properties?: object
      readonly items?: { readonly properties: object }
    }
  }
}

function without(fields: Literals, name: string): Literals {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))
}

function union(words: readonly string[]): string {
  return words.length === 0 ? 'never' : words.map((word) => `'${word}'`).join(' | ')
}
