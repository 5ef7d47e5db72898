/** The program, its database, and the gateways that share it. */
import Type from 'typebox'
import { VERSION } from '../../../ports/system/user-agent.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { listOf, nullable, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'

const Role = Type.Enum(['all', 'api', 'delivery'])
const Node = Type.Object({
  node: whole({ description: 'number of the node, never used again' }),
  name: Type.String({ description: 'host name' }),
  role: Role,
  started_at: TIME,
  silent_ms: whole({ description: 'milliseconds since its last heartbeat; other nodes take over after five seconds' }),
  version: Type.String({ description: 'of its program; empty if it is older than this field' }),
  slots: whole({ description: 'connection slots of carriers that it holds' }),
  asked: Type.Boolean({ description: 'whether it answers this request' }),
})

const System = Type.Object({
  version: Type.String({ description: 'of the program' }),
  database: Type.Enum(['sqlite', 'postgresql']),
  schema: whole({ description: 'version of the schema of the database' }),
  role: nullable(Role, { description: 'of the gateway that answers; null for a command that works on the database' }),
  started_at: nullable(TIME),
})

export const NODE_ENDPOINTS = [
  endpoint({
    name: 'showSystem',
    method: 'GET',
    path: '/system',
    command: 'system show',
    summary: 'show the versions of the program and of its database',
    may: READERS,
    result: System,
    run: async ({ store: { database }, live }) => ({
      version: VERSION,
      database: database.kind,
      schema: database.schema,
      role: live?.role ?? null,
      started_at: writeTime(live?.startedAt ?? null),
    }),
  }),
  endpoint({
    name: 'listNodes',
    method: 'GET',
    path: '/nodes',
    command: 'node list',
    summary: 'list the gateways that share the database; none with SQLite',
    may: READERS,
    result: listOf(Node),
    run: async ({ store: { cluster } }) => {
      const nodes = (await cluster?.nodes()) ?? []
      const data = nodes.map(({ startedAt, silentMs, ...node }) => {
        const asked = node.node === cluster?.node
        return { ...node, started_at: writeTime(startedAt), silent_ms: silentMs, asked }
      })
      return { data }
    },
  }),
]
