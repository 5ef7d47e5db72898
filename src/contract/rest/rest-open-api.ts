/** The OpenAPI 3.1 document of the REST API: its endpoints, with the fields and results of the JSON API. */
import { OTHER_SCHEMAS, schemaOf } from '../operations/operation-schemas.ts'
import { writeOpenApi } from '../reference/open-api.ts'
import { ERROR_CODES } from '../request/error-codes.ts'
import { DEFAULT_LIMITS } from '../request/limits.ts'
import { REQUEST_ID, REST_ENDPOINTS, type RestEndpoint } from './rest-endpoints.ts'
import { NOT_FOUND, PROBLEM_STATUSES, PROBLEM_TYPE } from './rest-problems.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> }
}

type Schemas = Readonly<Record<string, Schema>>

interface JsonDocument {
  readonly info: object
  readonly servers: object
  readonly components: { readonly schemas: Schemas }
}

/** Returns the document, with the default limits in it; plain JSON values. */
export function writeRestOpenApi(): object {
  const json = writeOpenApi() as JsonDocument
  const all = json.components.schemas
  const paths = Object.groupBy(REST_ENDPOINTS, ({ path }) => path)
  const own = { [SEND]: sendOf(all), ...ownSchemas(all), Problem }
  return {
    openapi: '3.1.0',
    info: {
      ...json.info,
      title: 'Posthorn REST',
      description:
        'Send one message or one-time code by RCS, chat app or SMS with fallback, and read how it was delivered. Each ' +
        'request is one operation of the JSON API, with its fields and limits.',
    },
    security: [{ key: [] }],
    servers: json.servers,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, endpoints = []]) => [
        path,
        Object.fromEntries(endpoints.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint, all)])),
      ]),
    ),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'API key of the account.' } },
      responses: { Problem: PROBLEM_RESPONSE },
      schemas: { ...Object.fromEntries(reachable(own, all)), ...own },
    },
  }
}

const SEND = 'Send'

/** 405 is answered to methods that this document does not have. */
const STATUSES = [...new Set(Object.values(PROBLEM_STATUSES).map(({ status }) => status))].filter(
  (each) => each !== 405,
)

const REQUEST_ID_HEADER = {
  description: 'That of the request, or one that is made.',
  schema: { type: 'string', pattern: REQUEST_ID.source },
}

const PROBLEM_RESPONSE = {
  description: 'Nothing was done. `code` says why; with `Retry-After` a repeat may succeed.',
  headers: {
    'X-Request-Id': REQUEST_ID_HEADER,
    'Retry-After': { description: 'Seconds; with 429 and 503.', schema: { type: 'integer', minimum: 1 } },
  },
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
}

const Problem = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: '`urn:posthorn:error:` and the code.' },
    title: { type: 'string', description: 'The code in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong.' },
    code: {
      type: 'string',
      examples: [...ERROR_CODES, NOT_FOUND],
      description: 'Short code of the error, for programs; later versions may have more.',
    },
    field: { type: 'string', description: 'The field that the error is about; absent if it is about none.' },
  },
}

function operation(endpoint: RestEndpoint, all: Schemas): object {
  const { id, summary, creates } = endpoint
  const location = {
    description: 'Path of the message.',
    schema: { type: 'string', examples: ['/v1/messages/65'] },
  }
  const success = {
    description: summary,
    headers: { 'X-Request-Id': REQUEST_ID_HEADER, ...(creates === undefined ? {} : { Location: location }) },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${resultOf(endpoint)}` } } },
  }
  return {
    operationId: id,
    summary,
    parameters: parametersOf(endpoint, all),
    ...bodyOf(endpoint),
    responses: {
      [creates === undefined ? 200 : 201]: success,
      ...Object.fromEntries(STATUSES.map((status) => [status, { $ref: '#/components/responses/Problem' }])),
    },
  }
}

function resultOf({ type }: RestEndpoint): string {
  return type === null ? 'SendResult' : (schemaOf(type)?.result ?? '')
}

function parametersOf({ method, type, named }: RestEndpoint, all: Schemas): readonly object[] {
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat within 24 hours with the same body gives the first answer and executes nothing.',
    schema: { type: 'string', maxLength: DEFAULT_LIMITS.idempotencyKeyCharacters },
  }
  const { properties = {} } = all[nameOf(type ?? '')] ?? {}
  const query = Object.entries(properties).filter(
    ([name]) => method === 'GET' && name !== 'type' && named === undefined,
  )
  return [
    ...(named === undefined ? [] : [inPath(named, properties[named])]),
    ...query.map(([name, schema]) => ({ name, in: 'query', schema })),
    ...(method === 'POST' ? [key] : []),
  ]
}

function inPath(named: string, schema: Schema = {}): object {
  if (!named.endsWith('_id')) return { name: named, in: 'path', required: true, schema }
  const description = `\`${named}\` of the answer that created it.`
  return { name: 'id', in: 'path', required: true, description, schema: { type: 'integer', minimum: 64 } }
}

/** Types without fields besides the one that the path names. */
const BODILESS: readonly (string | null)[] = ['cancel', 'verify/resend']

function bodyOf({ method, id, type }: RestEndpoint): object {
  if (method === 'GET' || BODILESS.includes(type)) return {}
  const name = type === null ? SEND : bodyName(id)
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
  }
}

/** `startVerification` is `StartVerification`. */
function bodyName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

/** The bodies and results of the endpoints, without what the JSON API has around them. */
function ownSchemas(all: Schemas): Schemas {
  const entries = REST_ENDPOINTS.flatMap((endpoint): (readonly [string, Schema])[] => {
    const { id, type, named } = endpoint
    const { data = {}, warnings = {} } = all[resultOf(endpoint)]?.properties ?? {}
    const result = { ...data, properties: { ...data.properties, warnings } }
    const hasBody = type !== null && 'requestBody' in bodyOf(endpoint)
    const body = hasBody ? [[bodyName(id), without(all[nameOf(type)] ?? {}, ['type', named])] as const] : []
    return [...body, [resultOf(endpoint), result]]
  })
  return Object.fromEntries(entries)
}

function without(
  { required = [], properties = {}, ...schema }: Schema,
  names: readonly (string | undefined)[],
): Schema {
  return {
    ...schema,
    required: required.filter((name) => !names.includes(name)),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  }
}

/** Any send, by its type. */
function sendOf(all: Schemas): object {
  const others: readonly string[] = OTHER_SCHEMAS.map(({ type }) => type)
  const mapping = Object.entries(all['Operation']?.discriminator?.mapping ?? {}).filter(
    ([type]) => !others.includes(type),
  )
  return {
    oneOf: [...new Set(mapping.map(([, $ref]) => $ref))].map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
}

/** Returns the schemas that these refer to, and those that they refer to in turn, in the order of the document. */
function reachable(from: Schemas, all: Schemas): readonly (readonly [string, Schema])[] {
  const found = new Set<string>()
  const visit = (schema: object): void => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const next = all[name]
      if (found.has(name) || name in from || next === undefined) continue
      found.add(name)
      visit(next)
    }
  }
  visit(from)
  return Object.entries(all).filter(([name]) => found.has(name))
}

/** `event/list` is `EventList`, as in the document of the JSON API. */
function nameOf(type: string): string {
  return type.replace(/(?:^|\/)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
