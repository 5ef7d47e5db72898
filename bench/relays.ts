/** Bare relays (bare-relay.ts) as a benchmark sees them: the floor that a gateway on Node stands on. */
import type { RelaySetup } from './bare-relay.ts'
import { Child } from './child.ts'
import type { System } from './deliveries.ts'
import { requestsOf } from './gateways.ts'
import type { FarEnds } from './smsc-and-hook.ts'

export interface Relay extends System {
  end(): Promise<void>
}

/** One that stores nothing, and one that writes bare rows. */
export async function startRelays(): Promise<readonly Relay[]> {
  return [await startRelay({ rows: false }), await startRelay({ rows: true })]
}

async function startRelay({ rows }: Pick<RelaySetup, 'rows'>): Promise<Relay> {
  const ends = new Child('./smsc-and-hook.ts', ['delivers'])
  const { smscPort, hookPort } = await ends.receive<FarEnds>()
  const child = new Child('./bare-relay.ts', [JSON.stringify({ smscPort, rows } satisfies RelaySetup)])
  const { port } = await child.receive<{ port: number }>()
  const requests: System['requests'] = (kind, isReported) => requestsOf(kind, isReported ? hookPort : null)
  const end = async () => {
    await child.end()
    await ends.end()
  }
  const name = rows ? 'bare relay with rows' : 'bare relay'
  return { name, port, keys: ['any'], ends, pids: [child.pid], requests, end }
}
