/**
 * How many single-operation requests per second the gateway accepts, each on disk before its answer, beside a bare
 * `node:http` server under the same load in the same run. The gateway's carrier is bound and never answers, so that
 * accepting is nearly all that it does.
 *
 *     node bench/accept.ts [requests] [rounds] [connections] [--postgres]
 */
import { BareServer } from './bare.ts'
import { Child, median } from './child.ts'
import { accept } from './deliveries.ts'
import { readNumbers, startGateways } from './gateways.ts'
import { describeSpent, spentBetween, usageOf } from './process-usage.ts'

const [requests = 40_000, rounds = 5, connections = 128] = readNumbers()
const load = new Child('./http-load.ts')
const bare = await BareServer.start()
const gateways = await startGateways({ smsc: 'silent' })

await bare.measure(load, { requests: requests / 4, connections })
for (const gateway of gateways) await accept(load, gateway, { requests: requests / 4, connections })
const ratios = new Map<string, number[]>(gateways.map(({ name }) => [name, []]))
for (let round = 1; round <= rounds; round += 1) {
  const plain = await bare.measure(load, { requests, connections })
  for (const gateway of gateways) {
    const before = usageOf(gateway.pids)
    const durable = await accept(load, gateway, { requests, connections })
    const spent = spentBetween(before, usageOf(gateway.pids), requests)
    const rate = durable.requests / durable.seconds
    ratios.get(gateway.name)?.push(rate / plain.perSecond)
    console.log(
      `round ${round}, ${gateway.name}: bare ${plain.perSecond.toFixed(0)}/s, accepted ${rate.toFixed(0)}/s, ` +
        `ratio ${(rate / plain.perSecond).toFixed(2)}; p50 ${durable.p50Ms.toFixed(1)} ms, p99 ${durable.p99Ms.toFixed(1)} ms ` +
        `(bare ${plain.p50Ms.toFixed(1)}, ${plain.p99Ms.toFixed(1)}); ` +
        `each ${describeSpent(spent)}; bare ${describeSpent(plain.spent)}`,
    )
  }
}
for (const [name, each] of ratios) {
  console.log(`accept: ${median(each).toFixed(2)} of bare node:http on ${name} (median of ${rounds} rounds)`)
}
await Promise.all([load.end(), bare.end(), ...gateways.map((gateway) => gateway.end())])
