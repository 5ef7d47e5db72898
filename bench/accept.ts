/**
 * How many single-operation requests a second the gateway accepts, each on disk before its answer, beside a bare
 * `node:http` server under the same load in the same run. The gateway's carrier is bound and never answers, so that
 * accepting is nearly all that it does.
 *
 *     node bench/accept.ts [requests] [rounds] [connections]
 */
import { Child, cpuEach, median, type Usage } from './child.ts'
import type { Measured } from './http-load.ts'

const [requests = 40_000, rounds = 5, connections = 128] = process.argv.slice(2).map(Number)
const load = new Child('./http-load.ts')
const ends = new Child('./smsc-and-hook.ts', ['silent'])
const { smscPort } = await ends.hear<{ smscPort: number }>()
const bare = new Child('./bare-server.ts')
const { port: barePort } = await bare.hear<{ port: number }>()
const gateway = new Child('./gateway-under-load.ts', [String(smscPort)])
const { port, key } = await gateway.hear<{ port: number; key: string }>()

const item =
  '{"type":"rcs","id":#,"phone":491701234567,"rcs_signature":"Posthorn","rcs_message":"Your parcel is here."}'
const body = `{"auth":"${key}","data":[${item}]}`
const measure = (at: number, count = requests) =>
  load.ask<Measured>({ port: at, path: '/api/json.php', connections, requests: count, body })

await measure(barePort, requests / 4)
await measure(port, requests / 4)
const ratios: number[] = []
for (let round = 1; round <= rounds; round += 1) {
  const bareBefore = await bare.ask<Usage>('usage')
  const plain = await measure(barePort)
  const bareCpu = cpuEach(bareBefore, await bare.ask<Usage>('usage'), requests)
  const before = await gateway.ask<Usage>('usage')
  const durable = await measure(port)
  const after = await gateway.ask<Usage>('usage')
  if (durable.failures > 0) throw new Error(`${durable.failures} requests failed`)
  const [bareRate, rate] = [plain.requests / plain.seconds, durable.requests / durable.seconds]
  ratios.push(rate / bareRate)
  console.log(
    `round ${round}: bare ${bareRate.toFixed(0)}/s, accepted ${rate.toFixed(0)}/s, ratio ${(rate / bareRate).toFixed(2)}; ` +
      `p50 ${durable.p50Ms.toFixed(1)} ms, p99 ${durable.p99Ms.toFixed(1)} ms (bare ${plain.p50Ms.toFixed(1)}, ${plain.p99Ms.toFixed(1)}); ` +
      `CPU each ${cpuEach(before, after, requests)}, bare ${bareCpu}; ${(after.rss / 2 ** 20).toFixed(0)} MiB`,
  )
}
console.log(`accept: ${median(ratios).toFixed(2)} of bare node:http (median of ${rounds} rounds)`)
await Promise.all([load.end(), bare.end(), gateway.end(), ends.end()])
