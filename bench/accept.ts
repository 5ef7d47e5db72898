/**
 * How many single-operation requests a second the gateway accepts, each on disk before its answer, beside a bare
 * `node:http` server under the same load in the same run. The gateway's carrier is bound and never answers, so that
 * accepting is nearly all that it does.
 *
 *     node bench/accept.ts [requests] [rounds] [connections] [--postgres]
 */
import { Child, cpuEach, median, type Usage } from './child.ts'
import { readNumbers, startGateways } from './gateways.ts'
import type { Measured } from './http-load.ts'

const [requests = 40_000, rounds = 5, connections = 128] = readNumbers()
const load = new Child('./http-load.ts')
const bare = new Child('./bare-server.ts')
const { port: barePort } = await bare.receive<{ port: number }>()
const gateways = await startGateways('silent')

const item =
  '{"type":"rcs","id":#,"phone":491701234567,"rcs_signature":"Posthorn","rcs_message":"Your parcel is here."}'
const measure = (at: number, key: string, count = requests) => {
  const body = `{"auth":"${key}","data":[${item}]}`
  return load.ask<Measured>({ port: at, path: '/api/json.php', connections, requests: count, body })
}

await measure(barePort, 'none', requests / 4)
for (const { port, key } of gateways.all) await measure(port, key, requests / 4)
const ratios = new Map<string, number[]>(gateways.all.map(({ name }) => [name, []]))
for (let round = 1; round <= rounds; round += 1) {
  const bareBefore = await bare.ask<Usage>('usage')
  const plain = await measure(barePort, 'none')
  const bareCpu = cpuEach(bareBefore, await bare.ask<Usage>('usage'), requests)
  for (const { name, child, port, key } of gateways.all) {
    const before = await child.ask<Usage>('usage')
    const durable = await measure(port, key)
    const after = await child.ask<Usage>('usage')
    if (durable.failures > 0) throw new Error(`${durable.failures} requests failed`)
    const [bareRate, rate] = [plain.requests / plain.seconds, durable.requests / durable.seconds]
    ratios.get(name)?.push(rate / bareRate)
    console.log(
      `round ${round}, ${name}: bare ${bareRate.toFixed(0)}/s, accepted ${rate.toFixed(0)}/s, ratio ${(rate / bareRate).toFixed(2)}; ` +
        `p50 ${durable.p50Ms.toFixed(1)} ms, p99 ${durable.p99Ms.toFixed(1)} ms (bare ${plain.p50Ms.toFixed(1)}, ${plain.p99Ms.toFixed(1)}); ` +
        `CPU each ${cpuEach(before, after, requests)}, bare ${bareCpu}; ${(after.rss / 2 ** 20).toFixed(0)} MiB`,
    )
  }
}
for (const [name, each] of ratios) {
  console.log(`accept: ${median(each).toFixed(2)} of bare node:http on ${name} (median of ${rounds} rounds)`)
}
await Promise.all([load.end(), bare.end(), gateways.end()])
