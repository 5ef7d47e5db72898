/**
 * Messages all the way through our SMPP server beside our HTTP API, in turn on one gateway: submit_sm in, submit_sm
 * out, receipt in, receipt out over the client's connection; and for HTTP a request in and a report out.
 *
 *     node bench/smpp-relay.ts [messages] [rounds] [--postgres]
 */
import { Child, median } from './child.ts'
import { deliver, systemOf } from './deliveries.ts'
import { gatherStatistics, readNumbers, startGateways } from './gateways.ts'
import { spentBetween, usageOf } from './process-usage.ts'
import type { SmppLoad, SmppMeasured } from './smpp-load.ts'

const [messages = 20_000, rounds = 5] = readNumbers()
/** As many requests under way as the connections of the HTTP load. */
const [CONNECTIONS, WINDOW] = [4, 32]
const [http, smpp] = [new Child('./http-load.ts'), new Child('./smpp-load.ts')]

for (const gateway of await startGateways({ smpp: true })) {
  const { smppPort, login, pids } = gateway
  if (smppPort === null || login === null) throw new Error('the gateway has no SMPP server')
  const relay = async (count: number) => {
    const before = usageOf(pids)
    const load = { port: smppPort, ...login, connections: CONNECTIONS, window: WINDOW, messages: count }
    const { seconds, failures } = await smpp.ask<SmppMeasured>(load satisfies SmppLoad)
    if (failures > 0) throw new Error(`${failures} messages failed`)
    return { perSecond: count / seconds, cpuMicros: spentBetween(before, usageOf(pids), count).cpuMicros }
  }
  const send = async (count: number) => {
    const { perSecond, spent } = await deliver(http, systemOf(gateway), {
      messages: count,
      connections: CONNECTIONS * WINDOW,
    })
    return { perSecond, cpuMicros: spent.cpuMicros }
  }
  const results = { smpp: [] as Awaited<ReturnType<typeof relay>>[], http: [] as Awaited<ReturnType<typeof send>>[] }
  for (let round = 0; round <= rounds; round += 1) {
    const count = round === 0 ? Math.ceil(messages / 4) : messages
    const inTurn = round % 2 === 0 ? (['smpp', 'http'] as const) : (['http', 'smpp'] as const)
    for (const kind of inTurn) {
      const result = await (kind === 'smpp' ? relay(count) : send(count))
      if (round > 0) results[kind].push(result)
    }
    if (round === 0) await gatherStatistics(gateway)
  }
  for (const [kind, all] of Object.entries(results)) {
    const rate = median(all.map(({ perSecond }) => perSecond)).toFixed(0)
    const cpu = median(all.map(({ cpuMicros }) => cpuMicros)).toFixed(0)
    console.log(`${gateway.name}, ${kind}: ${rate} messages/s all the way, ${cpu} µs of CPU each`)
  }
  const ratios = results.smpp.map(({ perSecond }, index) => perSecond / (results.http[index]?.perSecond ?? perSecond))
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)]
  console.log(
    `smpp-relay, ${gateway.name}: ${median(ratios).toFixed(2)} of our HTTP (median of ${rounds}, ${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
  )
  await gateway.end()
}
await http.end()
await smpp.end()
