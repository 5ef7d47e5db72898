/**
 * How many messages per second go all the way: HTTP in, on disk, `submit_sm` out, receipt in and recorded, report
 * POSTed to the hook and settled. From the first request to the last report, beside a bare `node:http` server and,
 * where Debian's package is installed, Kannel with the same SMSC and the same hook, all in turn in one run.
 *
 *     node bench/deliver.ts [messages] [rounds] [connections …] [--postgres] [--kannel] [--relay] [--chain]
 *       [--hundreds] (100 messages a request) [--without-hooks] [--batched] (100 reports a POST, in turn with one)
 */
import { BareServer } from './bare.ts'
import { Child, median } from './child.ts'
import { batchedSystemOf, type Delivering, deliver, systemOf } from './deliveries.ts'
import { gatherStatistics, readNumbers, startGateways } from './gateways.ts'
import { startKannels } from './kannel.ts'
import { describeSpent } from './process-usage.ts'
import { startRelays } from './relays.ts'

const [messages = 20_000, rounds = 3, ...given] = readNumbers()
const connectionCounts = given.length > 0 ? given : [128]
const has = (option: string) => process.argv.includes(option)
const about: Omit<Delivering, 'messages' | 'connections'> = {
  kind: has('--chain') ? 'chain' : 'sms',
  isReported: !has('--without-hooks'),
  perRequest: has('--hundreds') ? 100 : 1,
}
const load = new Child('./http-load.ts')
const bare = await BareServer.start()
const gateways = await startGateways()
const kannels = has('--kannel') && about.kind === 'sms' && about.perRequest === 1 ? await startKannels() : []
const relays = has('--relay') ? await startRelays() : []
const batched = has('--batched') ? gateways.map(batchedSystemOf) : []
const systems = [...gateways.map(systemOf), ...batched, ...kannels, ...relays]

const ratios = new Map<string, number[]>()
for (let round = 0; round <= rounds; round += 1) {
  for (const connections of connectionCounts) {
    const count = round === 0 ? messages / 4 : messages
    const plain = await bare.measure(load, { requests: count, connections })
    for (const system of systems) {
      const { perSecond, acceptedPerSecond, answers, spent } = await deliver(load, system, {
        ...{ messages: count, connections },
        ...about,
      })
      // The first round warms up.
      if (round === 0) continue
      const name = connectionCounts.length > 1 ? `${system.name}, ${connections} connections` : system.name
      ratios.set(name, [...(ratios.get(name) ?? []), perSecond / plain.perSecond])
      console.log(
        `round ${round}, ${name}: ${perSecond.toFixed(0)} messages/s all the way (accepted at ` +
          `${acceptedPerSecond.toFixed(0)}/s, p50 ${answers.p50Ms.toFixed(1)} ms, p99 ${answers.p99Ms.toFixed(1)} ms), ` +
          `${(perSecond / plain.perSecond).toFixed(2)} of bare ${plain.perSecond.toFixed(0)}/s; each ${describeSpent(spent)}`,
      )
    }
  }
  if (round === 0) await Promise.all(gateways.map(gatherStatistics))
}
for (const [name, each] of ratios) {
  console.log(`deliver: ${median(each).toFixed(2)} of bare node:http on ${name} (median of ${rounds} rounds)`)
}
await Promise.all([load.end(), bare.end(), ...[...gateways, ...kannels, ...relays].map((system) => system.end())])
