/** The gateways that share a database. */
import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { listOf, READERS, TIME, whole, writeTime } from '../shapes.ts'

const Node = Type.Object({
  node: whole({ description: 'number of the node, never used again' }),
  name: Type.String({ description: 'host name' }),
  role: Type.Enum(['all', 'api', 'delivery']),
  started_at: TIME,
  silent_ms: whole({ description: 'milliseconds since its last heartbeat; other nodes take over after five seconds' }),
  asked: Type.Boolean({ description: 'whether it answers this request' }),
})

export const NODE_ENDPOINTS = [
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
      const data = nodes.map(({ node, name, role, startedAt, silentMs }) => {
        const asked = node === cluster?.node
        return { node, name, role, started_at: writeTime(startedAt), silent_ms: silentMs, asked }
      })
      return { data }
    },
  }),
]
