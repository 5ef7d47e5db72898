/**
 * Messages all the way through a gateway with a grown store (grown.ts), and through one with a new store of as many
 * accounts, in turn.
 *
 *     node bench/grown-end-to-end.ts <folder of grown.ts> [rounds] [messages of a round] [messages before]
 */
import { Child, median } from './child.ts'
import { deliver, systemOf } from './deliveries.ts'
import { ratios } from './figure.ts'
import { type GatewayUnderLoad, startGateway } from './gateways.ts'

const CONNECTIONS = 128
const STEP = 5_000
const [folder = '', ...numbers] = process.argv.slice(2)
const [rounds = 7, messages = 12_000, warming = 120_000] = numbers.map(Number)

const load = new Child('./http-load.ts')
const grown = await startGateway('sqlite', { folder })
const accounts = grown.keys.length
const fresh = await startGateway('sqlite', { accounts })
const send = (gateway: GatewayUnderLoad, count: number) =>
  deliver(load, systemOf(gateway), { messages: count, connections: CONNECTIONS })
for (let sent = 0; sent < warming; sent += STEP) for (const gateway of [fresh, grown]) await send(gateway, STEP)
const [before, after]: [number[], number[]] = [[], []]
const cpu: [number[], number[]] = [[], []]
for (let round = 1; round <= rounds; round += 1) {
  for (const [gateway, rates, micros] of [
    [fresh, before, cpu[0]],
    [grown, after, cpu[1]],
  ] as const) {
    const { perSecond, spent } = await send(gateway, messages)
    rates.push(perSecond)
    micros.push(spent.cpuMicros)
  }
  console.log(
    `round ${round}: ${before.at(-1)?.toFixed(0)}/s in the new store, ${after.at(-1)?.toFixed(0)}/s in the grown one`,
  )
}
console.log(
  `end to end with ${accounts} accounts: ${median(ratios(after, before)).toFixed(2)} of a new store; ` +
    `${median(before).toFixed(0)} and ${median(after).toFixed(0)}/s, ` +
    `${median(cpu[0]).toFixed(0)} and ${median(cpu[1]).toFixed(0)} µs of CPU each`,
)
await Promise.all([fresh.end(), grown.end(), load.end()])
