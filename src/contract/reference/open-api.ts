/** The OpenAPI 3.1 document of the two API paths, made from the same table that reads requests. */
import { MESSAGE_CHANNELS } from '../../domain/channels/channel.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import { FORM_LIST } from '../channels/channel-forms.ts'
import { allSendTypes, SPEC_CHAIN } from '../channels/send-types.ts'
import { type Field, ID_FIELD, RECIPIENT_FIELD, SENDING_FIELDS } from '../fields/fields.ts'
import { DEFAULT_CHATAPP_NAMES } from '../operations/default-chatapp-names.ts'
import { type OperationSchema, OTHER_SCHEMAS, sendSchemaOf } from '../operations/operation-schemas.ts'
import { DEFAULT_LIMITS, type Limits } from '../request/limits.ts'
import { RICH_FIELD, RICH_SCHEMAS } from '../rich/rich-fields.ts'
import { inWords } from './describe-schema.ts'
import { UPLOAD_KEY, UPLOAD_PATH } from './open-api-bulk.ts'
import { ItemError, RESULTS, RequestError } from './result-schemas.ts'
import { REPORT_BODIES, WEBHOOKS } from './webhooks.ts'

const SINGLE_SENDS: readonly OperationSchema[] = MESSAGE_CHANNELS.flatMap((channel) => sendSchemaOf(channel) ?? [])

/** The operations with a component each; all chains have one. */
const NAMED: readonly OperationSchema[] = [...SINGLE_SENDS, ...OTHER_SCHEMAS]

const CHAIN = 'Chain'

const chainTypes = () => allSendTypes().filter((type) => type.includes('+'))

/**
 * Returns the document, with the default limits in it; plain JSON values. With another name of the chat app it stands
 * everywhere in place of `chatapp`.
 */
export function writeOpenApi(chatappName: string = CHATAPP.name): object {
  const document = documentOf()
  if (chatappName === CHATAPP.name) return document
  const text = JSON.stringify(document).replaceAll(CHATAPP.name, chatappName)
  return JSON.parse(text.replaceAll(nameOf(CHATAPP.name), nameOf(chatappName)))
}

function documentOf(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      version: '1',
      description:
        'Send messages by RCS, chat app or SMS with fallback, and place flash calls that carry one-time codes. ' +
        'Every answer has HTTP status 200; `success` says whether the request and each operation succeeded. ' +
        `The chat app also has other names (by default ${DEFAULT_CHATAPP_NAMES.join(', ')}; a setting of the gateway): ` +
        'use them in types and fields in place of `chatapp`; answers and reports use the name of the request. ' +
        '`posthorn open-api --chatapp-name` prints this document with one of them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // The key is in the body, or in the header.
    security: [{}, { key: [] }],
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
        // Before what refers to them: Python evaluates base classes at once.
        [SEND_FIELDS]: fieldsAlone(EVERY_SEND, DEFAULT_LIMITS),
        [STEPS]: fieldsAlone(STEP_FIELDS, DEFAULT_LIMITS),
        Operation: anyOperation(),
        ...Object.fromEntries(NAMED.map((schema) => [nameOf(schema.type), operation(schema, DEFAULT_LIMITS)])),
        [CHAIN]: chain(),
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
    required: ['data'],
    properties: {
      auth: { type: 'string', description: 'API key of the account; not needed with the header Authorization.' },
      data: {
        type: 'array',
        maxItems: maxOperations,
        items: ref('Operation'),
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

function anyOperation(): object {
  const mapping = [
    ...NAMED.map((schema) => [schema.type, pointer(nameOf(schema.type))]),
    ...chainTypes().map((type) => [type, pointer(CHAIN)]),
  ]
  return {
    oneOf: [...NAMED.map(({ type }) => nameOf(type)), CHAIN].map(ref),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
}

function operation({ type, summary, fields, sendNamedBy }: OperationSchema, limits: Limits): object {
  const isSend = sendNamedBy !== undefined || sendSchemaOf(type) !== null
  const own = isSend ? fields.filter((field) => !EVERY_SEND.includes(field)) : fields
  const { allOf, required, ...rules } = rulesOf(own)
  const conditions = [
    ...(isSend ? [ref(SEND_FIELDS)] : []),
    ...allOf,
    ...(sendNamedBy === undefined ? [] : stepsNamedBy(sendNamedBy)),
  ]
  return {
    type: 'object',
    description: summary,
    required: ['type', ...required],
    properties: { type: { const: type }, ...propertiesOf(own, limits) },
    ...rules,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  }
}

const SEND_FIELDS = 'SendFields'

/** The fields of every send, of whatever channels. */
const EVERY_SEND: readonly Field[] = [ID_FIELD, RECIPIENT_FIELD, ...SENDING_FIELDS]

const STEPS = 'StepFields'

/** The fields of all steps, none of which is required by itself. */
const STEP_FIELDS: readonly Field[] = [
  ...FORM_LIST.flatMap(({ fields, lifetime }) => [...fields, lifetime]).map((field) => ({ ...field, required: false })),
  RICH_FIELD,
]

function fieldsAlone(fields: readonly Field[], limits: Limits): object {
  const { required } = rulesOf(fields)
  const either = fields.flatMap(eitherOr)
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: propertiesOf(fields, limits),
    ...(either.length === 0 ? {} : { allOf: either }),
  }
}

function chain(): object {
  const untimed = FORM_LIST.filter(({ timedInSpecChain }) => !timedInSpecChain).map(({ lifetime }) => lifetime.name)
  return {
    type: 'object',
    description: `Send by the first channel of the type, by the next one if that fails, and so on. ${SPEC_CHAIN} ignores ${untimed.join(' and ')}.`,
    required: ['type'],
    properties: { type: { enum: chainTypes(), description: 'Channels in the order in which they are tried.' } },
    allOf: [ref(SEND_FIELDS), ...stepsNamedBy('type')],
  }
}

/** The fields of all steps, and what those of each channel require if the type of the send names it. */
function stepsNamedBy(naming: string): object[] {
  const conditions = FORM_LIST.map(({ channel, fields }) => {
    const { allOf, ...rules } = rulesOf(fields)
    const named = { properties: { [naming]: { pattern: `(^|\\+)${channel}($|\\+)` } }, required: [naming] }
    return when(named, { ...rules, ...(allOf.length === 0 ? {} : { allOf }) })
  })
  return [ref(STEPS), ...conditions]
}

function propertiesOf(fields: readonly Field[], limits: Limits): object {
  return Object.fromEntries(fields.map((field) => [field.name, property(field, limits)]))
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

/** What each composition of a message requires. */
function typeConditions(fields: readonly Field[]): object[] {
  const parts = fields.flatMap(({ name, rules: { partOf } }) => (partOf === undefined ? [] : [{ name, ...partOf }]))
  const [first] = parts
  if (first === undefined) return []
  return first.types.map((type) => {
    const named = parts.filter(({ part }) => type.split('+').includes(part))
    return when({ properties: { [first.field]: { const: type } } }, { required: named.map(({ name }) => name) })
  })
}

function when(condition: object, consequence: object): object {
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  return { if: condition, then: consequence }
}

/** `sms` is `Sms`, `call/otp` is `CallOtp`. */
function nameOf(type: string): string {
  return type.replace(/(?:^|[+/])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function ref(name: string): object {
  return { $ref: pointer(name) }
}

function pointer(name: string): string {
  return `#/components/schemas/${name}`
}
