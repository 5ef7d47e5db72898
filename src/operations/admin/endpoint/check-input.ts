/** Checks input of an endpoint against its schemas and names each invalid field with the rule it breaks. */
import { IsUnknown, type TObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isStorable } from '../../../domain/text/hidden-characters.ts'
import { ruleOf } from '../../../domain/text/schema-rule.ts'
import type { FieldError } from '../fields/field-refused.ts'
import { AdminProblem } from './admin-problem.ts'

interface Checker {
  Check(value: unknown): boolean
  Errors(value: unknown): readonly SchemaError[]
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
}

const checkers = new WeakMap<TSchema, Checker>()

/** Returns the same value. Throws AdminProblem. */
export function checkInput(schema: TObject, value: unknown): object {
  const checker = checkers.get(schema) ?? (Compile(schema) as Checker)
  checkers.set(schema, checker)
  if (checker.Check(value)) return checkTexts(schema, value as object)
  const errors = new Map<string, FieldError>()
  for (const error of checker.Errors(value)) {
    for (const each of explain(error, schema)) if (!errors.has(each.field)) errors.set(each.field, each)
  }
  throw new AdminProblem(400, 'some fields are invalid', [...errors.values()])
}

const NOT_STORABLE = 'must not contain U+0000 or half a surrogate pair'

/** Returns the same value. Throws AdminProblem for a text or a name that a database would refuse or change. */
function checkTexts(schema: TObject, value: object): object {
  const field = findUnstorable(schema, value, '')
  if (field !== null) throw new AdminProblem(400, 'some fields are invalid', [{ field, detail: NOT_STORABLE }])
  return value
}

interface Inner {
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/**
 * Returns the path of the first; null if there is none. What may have any form is stored as JSON, which escapes both,
 * as in the settings of a carrier, or is checked by its reader.
 */
function findUnstorable(schema: TSchema | undefined, value: unknown, path: string): string | null {
  if (schema !== undefined && IsUnknown(schema)) return null
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  const { items, properties = {}, patternProperties = {} } = (schema ?? {}) as Inner
  const [ofAny] = Object.values(patternProperties)
  for (const [name, each] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`
    const found = isStorable(name) ? findUnstorable(items ?? properties[name] ?? ofAny, each, field) : field
    if (found !== null) return found
  }
  return null
}

/** Returns the same parameters. Throws AdminProblem, also for an empty text: no path has an empty part. */
export function checkParams(schema: TObject, params: object): object {
  const empty = Object.entries(params).filter(([, value]) => value === '')
  if (empty.length === 0) return checkInput(schema, params)
  const errors = empty.map(([field]) => ({ field, detail: 'required' }))
  throw new AdminProblem(400, errors.map(({ field, detail }) => `${field}: ${detail}`).join('; '), errors)
}

/**
 * Query and path parameters arrive as text: converts numbers and flags where the schema requires them, and leaves
 * invalid texts unchanged.
 */
export function readTexts(schema: TObject, texts: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, readText(schema.properties[name], text)]),
  )
}

function readText(schema: TSchema | undefined, text: string): unknown {
  const { type, anyOf = [] } = (schema ?? {}) as { readonly type?: string; readonly anyOf?: readonly TSchema[] }
  if (anyOf.length > 0) return anyOf.map((each) => readText(each, text)).find((value) => value !== text) ?? text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function explain({ keyword, instancePath, params }: SchemaError, schema: TObject): readonly FieldError[] {
  const field = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const { requiredProperties = [] } = params as { readonly requiredProperties?: readonly string[] }
    return requiredProperties.map((name) => ({ field: field === '' ? name : `${field}.${name}`, detail: 'required' }))
  }
  if (keyword === 'additionalProperties' || field === '') {
    return field === '' && keyword !== 'additionalProperties'
      ? [{ field: 'body', detail: 'must be a JSON object' }]
      : []
  }
  if (keyword === 'uniqueItems') return [{ field, detail: 'must not name the same twice' }]
  if (keyword === 'boolean') return [{ field, detail: 'unknown field' }]
  const { rule, ...wanted }: TSchema & { readonly rule?: string } = schema.properties[field.split('.')[0] ?? ''] ?? {}
  // A rule in words is about the content of a text.
  const isLong = keyword === 'maxLength' && 'maxLength' in wanted
  return [{ field, detail: describe(isLong || rule === undefined ? wanted : { ...wanted, rule }) }]
}

/** Describes what a schema allows; a rule may be a sentence of its own. */
function describe(schema: TSchema = {}): string {
  const rule = ruleOf(schema)
  return rule.startsWith('must ') ? rule : `must be ${rule}`
}

/** Returns the values of an enumeration; null for any other schema. */
export function choicesOf(schema: TSchema | undefined): readonly string[] | null {
  const { enum: values } = (schema ?? {}) as { readonly enum?: readonly unknown[] }
  return Array.isArray(values) ? values.map(String) : null
}
