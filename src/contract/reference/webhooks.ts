/** The `webhooks` of the OpenAPI document: what the gateway posts to a client's hook. */
import { REPORT_SCHEMAS, type ReportSchema } from './report-schemas.ts'

const HEADERS = [
  header('webhook-id', 'Identifier of the call, the same on every try of a report; ignore repeats.'),
  header('webhook-timestamp', 'Seconds since 1970; refuse more than 300 seconds of difference.'),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the Base64 of an HMAC-SHA256 of id, timestamp and body, ' +
      'joined by dots (Standard Webhooks 1.0).',
  ),
  optional('traceparent', 'The trace of the request, if it had one (W3C Trace Context). It is not signed.'),
]

const RESPONSES = {
  '2XX': { description: 'The report has arrived. Answer within ten seconds.' },
  410: { description: 'The hook is gone: the gateway stops sending to it.' },
  default: { description: 'The gateway sends the report again, for about three days.' },
}

const BATCH = 'Reports'

/** Schemas of the bodies, by name. */
export const REPORT_BODIES: Readonly<Record<string, ReportSchema['schema']>> = {
  ...Object.fromEntries(REPORT_SCHEMAS.map(({ type, schema }) => [nameOf(type), schema])),
  [BATCH]: {
    type: 'array',
    description: 'Several reports in one call, for accounts that the operator has set up for it.',
    minItems: 1,
    maxItems: 1_000,
    items: {
      required: ['webhook_id'],
      properties: { webhook_id: { type: 'string', description: 'The `webhook-id` of the report when posted alone.' } },
      anyOf: REPORT_SCHEMAS.map(({ type }) => ref(nameOf(type))),
    },
  },
}

/** One for each type of report, and one for several reports in one call. */
export const WEBHOOKS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(REPORT_SCHEMAS.map(({ type }) => [type, webhook(type, nameOf(type))])),
  reports: {
    post: {
      ...webhook('reports', BATCH).post,
      parameters: [...HEADERS, header('posthorn-reports', 'Number of reports in the array.')],
    },
  },
}

function webhook(type: string, schema: string) {
  return {
    post: {
      operationId: type,
      // Lists of operations show it.
      summary: type,
      description: REPORT_BODIES[schema]?.description,
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: ref(schema) } } },
      responses: RESPONSES,
    },
  }
}

function header(name: string, description: string): object {
  return { ...optional(name, description), required: true }
}

function optional(name: string, description: string): object {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

/** `recipient.opted_out` is `RecipientOptedOutReport`. */
function nameOf(type: string): string {
  return `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Report`
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}
