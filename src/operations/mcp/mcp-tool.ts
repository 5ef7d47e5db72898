/** The type of a tool that an MCP client may call, and the tools that are an endpoint each. */
import Type, { type TObject, type TSchema } from 'typebox'
import type { Endpoint } from '../admin/endpoint/endpoint.ts'
import { endpointNamed } from '../admin/endpoints.ts'
import type { McpSending } from './mcp-sending.ts'
import { MAX_ROWS, writeToolResult } from './write-result.ts'

export interface EndpointCall {
  readonly params: object
  readonly query: object
  readonly body: object
  /** The Idempotency-Key; null without one. */
  readonly key: string | null
}

/** Calls an endpoint as the client's user, and returns its result. */
export type AskEndpoint = (endpoint: Endpoint, call: EndpointCall) => Promise<unknown>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  /** All endpoints that it calls: a role that may not use one of them does not see the tool. */
  readonly endpoints: readonly Endpoint[]
  /** The least permission that it needs. */
  readonly sends: McpSending
  /** Returns the text of the result. `input` has been checked. */
  run(ask: AskEndpoint, input: Readonly<Record<string, unknown>>): Promise<string>
}

export interface EndpointToolDraft {
  readonly name: string
  readonly title: string
  /** Says when to use it; the summary of the endpoint follows. */
  readonly description: string
  readonly endpoint: string
  readonly sends?: McpSending
  /** Fields of the body with fixed values, which the client does not see. */
  readonly fixed?: Readonly<Record<string, unknown>>
}

const KEY = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'new for each message; the same when this call is repeated, so that nothing is sent twice',
})
const ROWS_BY_DEFAULT = 20
const ROWS = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: ROWS_BY_DEFAULT, description: 'maximum rows' }),
)

export function endpointTool({ endpoint: name, description, sends = 'none', fixed = {}, ...draft }: EndpointToolDraft) {
  const endpoint = endpointNamed(name)
  const { params, query, body, summary } = endpoint
  const fields: Record<string, TSchema> = { ...params.properties, ...query.properties, ...body.properties }
  for (const field of Object.keys(fixed)) delete fields[field]
  if ('most' in fields) fields['most'] = ROWS
  const isSend = sends !== 'none'
  return {
    ...draft,
    sends,
    endpoints: [endpoint],
    description: `${description} (${summary})`,
    input: Type.Object(isSend ? { ...fields, idempotency_key: KEY } : fields, { additionalProperties: false }),
    run: async (ask: AskEndpoint, input: Readonly<Record<string, unknown>>) => {
      const asked = 'most' in fields ? { most: ROWS_BY_DEFAULT, ...input } : input
      const answer = await ask(endpoint, {
        params: pick(params, asked),
        query: pick(query, asked),
        body: { ...pick(body, asked), ...fixed },
        key: isSend ? String(input['idempotency_key']) : null,
      })
      return writeToolResult(answer)
    },
  } satisfies McpTool
}

function pick(schema: TObject, values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in schema.properties))
}
