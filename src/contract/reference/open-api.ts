/** The OpenAPI 3.1 document of the two API paths, made from the same table that reads requests. */
import { CHATAPP_TYPES, type Field } from '../fields/fields.ts'
import { DEFAULT_CHATAPP_NAMES } from '../operations/default-chatapp-names.ts'
import type { OperationSchema } from '../operations/operation-schemas.ts'
import { RICH_SCHEMAS } from '../operations/rich-fields.ts'
import { DEFAULT_LIMITS, type Limits } from '../request/limits.ts'
import { inWords } from './describe-schema.ts'
import { NAMED_SCHEMAS } from './named-schemas.ts'
import { UPLOAD_KEY, UPLOAD_PATH } from './open-api-bulk.ts'
import { ItemError, RESULTS, RequestError } from './result-schemas.ts'
import { REPORT_BODIES, WEBHOOKS } from './webhooks.ts'

/** The document, with the default limits in it; plain JSON values. */
export function writeOpenApi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      version: '1',
      description:
        'Send messages by RCS, chat app or SMS with fallback, and place flash calls that carry one-time codes. ' +
        'Every answer has HTTP status 200; `success` says whether the request and each operation succeeded. ' +
        `The chat app also has other names (by default ${DEFAULT_CHATAPP_NAMES.join(', ')}; a setting of the gateway): ` +
        'use them in types and fields in place of `chatapp`; answers and reports use the name of the request.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8080', description: 'A gateway with default settings' }],
    paths: {
      '/api/json.php': { post: path('sync', 'Execute operations', DEFAULT_LIMITS.syncOperations) },
      '/v1/json': {
        post: path('async', 'Execute operations, never waiting for a carrier', DEFAULT_LIMITS.asyncOperations),
      },
      '/api/bulk/{bulk_id}/lines': UPLOAD_PATH,
    },
    webhooks: WEBHOOKS,
    components: {
      securitySchemes: { key: UPLOAD_KEY },
      schemas: {
        ...Object.fromEntries(NAMED_SCHEMAS.map((schema) => [nameOf(schema), operation(schema, DEFAULT_LIMITS)])),
        ...Object.fromEntries(RICH_SCHEMAS.map(({ name, kind }) => [name, kind.schema(DEFAULT_LIMITS)])),
        ...RESULTS,
        ItemError,
        RequestError,
        ...REPORT_BODIES,
      },
    },
  }
}

function path(mode: 'sync' | 'async', summary: string, maxOperations: number): object {
  return {
    operationId: mode,
    summary,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'A repeat within 24 hours with the same body gives the stored answer and executes nothing; with another body it is refused.',
        schema: { type: 'string', maxLength: DEFAULT_LIMITS.idempotencyKeyCharacters },
      },
      {
        name: 'traceparent',
        in: 'header',
        description: 'The trace of the caller (W3C Trace Context), which reports continue. An invalid one is ignored.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: request(maxOperations) } } },
    responses: {
      200: {
        description: 'Every answer, errors included',
        content: { 'application/json': { schema: { oneOf: [answer(mode), ref('RequestError')] } } },
      },
    },
  }
}

function request(maxOperations: number): object {
  return {
    type: 'object',
    required: ['auth', 'data'],
    properties: {
      auth: { type: 'string', description: 'API key of the account.' },
      data: {
        type: 'array',
        maxItems: maxOperations,
        items: {
          oneOf: NAMED_SCHEMAS.map((schema) => ref(nameOf(schema))),
          discriminator: {
            propertyName: 'type',
            mapping: Object.fromEntries(NAMED_SCHEMAS.map((schema) => [schema.type, pointer(nameOf(schema))])),
          },
        },
      },
    },
  }
}

function answer(mode: 'sync' | 'async'): object {
  const requestId = { request_id: { type: 'string', pattern: '^[0-9a-f]{32}$' } }
  return {
    type: 'object',
    required: mode === 'sync' ? ['success', 'data'] : ['success', 'request_id', 'data'],
    properties: {
      success: { const: true },
      ...(mode === 'sync' ? {} : requestId),
      data: {
        type: 'array',
        description: 'One result for each operation, in the order of the request.',
        items: { anyOf: [...Object.keys(RESULTS), 'ItemError'].map(ref) },
      },
    },
  }
}

function operation({ type, summary, fields, like }: OperationSchema, limits: Limits): object {
  const all = [...fields, ...(like?.operations.flatMap((each) => each.fields) ?? [])]
  const { required, allOf, ...rules } = rulesOf(fields)
  const conditions = [
    ...allOf,
    ...(like === undefined ? [] : like.operations.map((each) => likeness(like.field, each))),
  ]
  return {
    type: 'object',
    description: summary,
    required: ['type', ...required],
    properties: {
      type: { const: type },
      ...Object.fromEntries(all.map((field) => [field.name, property(field, limits)])),
    },
    ...rules,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  }
}

/** What holds of the fields beside what each of them may be. */
function rulesOf(fields: readonly Field[]): { readonly required: string[]; readonly allOf: object[] } {
  const together = fields.flatMap(({ name, rules }) => (rules.needs === undefined ? [] : [[name, [rules.needs]]]))
  return {
    required: fields.filter((field) => field.required).map((field) => field.name),
    ...(together.length === 0 ? {} : { dependentRequired: Object.fromEntries(together) }),
    allOf: [...fields.flatMap(eitherOr), ...fields.flatMap(shorterWith), ...typeConditions(fields)],
  }
}

/** The rules of another operation's fields, where the field names that operation. */
function likeness(field: string, { type, fields }: OperationSchema): object {
  const { allOf, ...rules } = rulesOf(fields)
  const consequence = { ...rules, ...(allOf.length === 0 ? {} : { allOf }) }
  return when({ properties: { [field]: { const: type } } }, consequence)
}

/** The default is in words only: types that generators make of `default` require the field. */
function property({ kind, description }: Field, limits: Limits): object {
  const { default: standard, ...schema } = kind.schema(limits) as { readonly default?: unknown }
  if (standard === undefined) return { ...schema, description }
  return { ...schema, description: `${description} By default ${inWords(standard)}.` }
}

function eitherOr({ name, rules: { orElse } }: Field): object[] {
  return orElse === undefined ? [] : [{ anyOf: [{ required: [name] }, { required: [orElse] }] }]
}

function shorterWith({ name, rules: { shorterWith: rule } }: Field): object[] {
  if (rule === undefined) return []
  return [when({ required: [rule.field] }, { properties: { [name]: { maxLength: rule.maxCharacters } } })]
}

/** What each composition of a chat-app message requires. */
function typeConditions(fields: readonly Field[]): object[] {
  const parts = fields.filter(({ rules }) => rules.partOfType !== undefined)
  const naming = fields.find(({ rules }) => rules.namesParts === true)
  if (naming === undefined) return []
  return CHATAPP_TYPES.map((type) => {
    const named = parts.filter(({ rules }) => type.split('+').includes(rules.partOfType ?? ''))
    return when({ properties: { [naming.name]: { const: type } } }, { required: named.map(({ name }) => name) })
  })
}

function when(condition: object, consequence: object): object {
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  return { if: condition, then: consequence }
}

/** `rcs+chatapp+sms` is `RcsChatappSms`, `call/otp` is `CallOtp`. */
function nameOf({ type }: OperationSchema): string {
  return type.replace(/(?:^|[+/])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function ref(name: string): object {
  return { $ref: pointer(name) }
}

function pointer(name: string): string {
  return `#/components/schemas/${name}`
}
