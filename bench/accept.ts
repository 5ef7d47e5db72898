/**
 * How many single-operation requests per second the gateway accepts, each on disk before its answer, beside a bare
 * `node:http` server under the same load in the same run. The gateway's carrier is bound and never answers, so that
 * accepting is nearly all that it does. With `--floor` also 100 messages in a request, and both in turn with a bare
 * server that only writes as many bare rows before it answers: no gateway on Node and SQLite can exceed it.
 *
 *     node bench/accept.ts [requests] [rounds] [connections] [--postgres] [--floor]
 */
import { MORE_BY_HUNDREDS } from './accepting.ts'
import { BareServer } from './bare.ts'
import { Child, median } from './child.ts'
import { accept } from './deliveries.ts'
import { type GatewayUnderLoad, gatherStatistics, readNumbers, startGateways } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { describeSpent, type Spent, spentBetween, usageOf } from './process-usage.ts'

type Sent = Pick<Load, 'requests' | 'connections' | 'perRequest'>

interface System {
  readonly name: string
  measure(sent: Sent): Promise<Measured & { readonly spent: Spent }>
}

const [requests = 40_000, rounds = 5, connections = 128] = readNumbers()
const load = new Child('./http-load.ts')
const bare = await BareServer.start()
const floor = process.argv.includes('--floor') ? await BareServer.start({ rows: true }) : null
const gateways = await startGateways({ smsc: 'silent' })
const systems: readonly System[] = [...gateways.map(systemOf), ...(floor === null ? [] : [floorOf(floor)])]

function systemOf(gateway: GatewayUnderLoad): System {
  const measure = async (sent: Sent) => {
    const before = usageOf(gateway.pids)
    const measured = await accept(load, gateway, sent)
    return { ...measured, spent: spentBetween(before, usageOf(gateway.pids), sent.requests) }
  }
  return { name: gateway.name, measure }
}

function floorOf(server: BareServer): System {
  return { name: 'floor', measure: (sent) => server.measure(load, sent) }
}

/** By system: of bare `node:http`, and by hundreds of its own single requests. */
const ofBare = new Map<string, number[]>()
const ofSingles = new Map<string, number[]>()

function note(ratios: Map<string, number[]>, name: string, ratio: number): void {
  ratios.set(name, [...(ratios.get(name) ?? []), ratio])
}

/** Returns messages accepted per second. */
async function acceptOn({ name, measure }: System, messages: number, perRequest: number): Promise<number> {
  const count = Math.ceil(messages / perRequest)
  const durable = await measure({ requests: count, perRequest, connections: Math.min(connections, count) })
  const rate = (count * perRequest) / durable.seconds
  console.log(
    `  ${name}, ${perRequest} in a request: accepted ${rate.toFixed(0)}/s, p50 ${durable.p50Ms.toFixed(1)} ms, ` +
      `p99 ${durable.p99Ms.toFixed(1)} ms; each request ${describeSpent(durable.spent)}`,
  )
  return rate
}

for (let round = 0; round <= rounds; round += 1) {
  const messages = round === 0 ? requests / 4 : requests
  const plain = await bare.measure(load, { requests: messages, connections })
  console.log(
    `round ${round}${round === 0 ? ' warms up' : ''}: bare ${plain.perSecond.toFixed(0)}/s, p50 ${plain.p50Ms.toFixed(1)} ms, ` +
      `p99 ${plain.p99Ms.toFixed(1)} ms; each ${describeSpent(plain.spent)}`,
  )
  for (const system of systems) {
    const rate = await acceptOn(system, messages, 1)
    const byHundreds = floor === null ? null : await acceptOn(system, messages * MORE_BY_HUNDREDS, 100)
    if (round === 0) continue
    note(ofBare, system.name, rate / plain.perSecond)
    if (byHundreds !== null) note(ofSingles, system.name, byHundreds / rate)
  }
  if (round === 0) await Promise.all(gateways.map(gatherStatistics))
}
for (const [name, each] of ofBare) {
  console.log(`accept: ${median(each).toFixed(2)} of bare node:http on ${name} (median of ${rounds} rounds)`)
}
for (const [name, each] of ofSingles) {
  console.log(
    `accept: ${median(each).toFixed(2)} of single requests by hundreds on ${name} (median of ${rounds} rounds)`,
  )
}
const servers = floor === null ? [bare] : [bare, floor]
await Promise.all([load.end(), ...[...servers, ...gateways].map((server) => server.end())])
