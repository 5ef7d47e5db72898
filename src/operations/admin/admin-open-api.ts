/** Writes the OpenAPI 3.1 document of the admin API from the table of endpoints. */
import type { TObject, TSchema } from 'typebox'
import type { Endpoint } from './endpoint/endpoint.ts'
import { isWrite } from './endpoint/endpoint.ts'

/** Returns plain JSON values. */
export function writeAdminOpenApi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = `/admin/v1${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn admin API',
      version: '1',
      description:
        'Accounts, keys, money, carriers, routes and the history of messages, for operators. Errors are problem ' +
        'details (RFC 9457). Lists come in pages: `next` of a page is `after` of the following one.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    security: [{ token: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Problem } },
  }
}

function operation(endpoint: Endpoint): object {
  const { name, summary, params, query, body, result, entity } = endpoint
  const headers = [
    ...(isWrite(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ...(isWrite(endpoint) && entity !== null ? [IF_MATCH] : []),
  ]
  return {
    operationId: name,
    summary,
    description: describeRoles(endpoint),
    ...(endpoint.may === 'public' ? { security: [] } : {}),
    tags: [tagOf(endpoint)],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query'), ...headers],
    ...(Object.keys(body.properties).length === 0
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      ...(result === null
        ? { 204: { description: 'Done' } }
        : {
            200: {
              description: 'Done',
              ...(entity === null ? {} : { headers: { ETag: { schema: { type: 'string' } } } }),
              content: { 'application/json': { schema: result } },
            },
          }),
      default: {
        description: 'Error; nothing was changed',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** Names the fields that only operators get, and those that only they may send. */
function describeRoles({ may, clients, result }: Endpoint): string {
  if (may === 'public') return 'No authentication required.'
  const operators = `For ${may.join(', ')}.`
  if (clients === null) return operators
  const own = clients.scope === 'self' ? '' : ' in their own account'
  const fixed = Object.keys(clients.fixed ?? {})
  const hidden = result === null || clients.result === undefined ? [] : namesOnlyIn(result, clients.result)
  return [
    `${operators} For ${clients.may.join(', ')}${own}.`,
    ...(fixed.length === 0 ? [] : [`Only operators may send ${fixed.join(', ')}.`]),
    ...(hidden.length === 0 ? [] : [`Only operators get ${hidden.join(', ')}.`]),
  ].join(' ')
}

function namesOnlyIn(whole: TSchema, part: TSchema): readonly string[] {
  const missing = namesIn(whole).difference(namesIn(part))
  return [...missing].filter((name) => !missing.has(name.replace(/\.[^.]*$/, '')) || !name.includes('.'))
}

/** Returns the names of all members, with the path to them: `steps.carrier`. */
function namesIn(schema: TSchema, path = ''): Set<string> {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly anyOf?: readonly TSchema[]
  }
  const inner = [...(items === undefined ? [] : [items]), ...anyOf].flatMap((each) => [...namesIn(each, path)])
  const own = Object.entries(properties).flatMap(([name, each]) => {
    const whole = path === '' ? name : `${path}.${name}`
    return [whole, ...namesIn(each, whole)]
  })
  return new Set([...inner, ...own])
}

function parameters(schema: TObject, where: 'path' | 'query'): readonly object[] {
  return Object.entries<TSchema>(schema.properties).map(([name, each]) => ({
    name,
    in: where,
    required: schema.required?.includes(name) === true,
    schema: each,
  }))
}

/** Returns the first segment of the path. */
function tagOf({ path }: Endpoint): string {
  return path.split('/')[1] ?? ''
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeat within 24 hours returns the stored answer and changes nothing; reuse for another request is refused.',
  schema: { type: 'string', maxLength: 255 },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag that was read; if the resource has changed since, the request fails with 412.',
  schema: { type: 'string' },
}

const Problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'detail'],
        properties: { field: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
}
