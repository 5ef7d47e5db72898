/**
 * How many messages a second go the whole way: HTTP in, on disk, `submit_sm` out, receipt in and recorded, report POSTed
 * to the hook and settled. From the first request to the last report.
 *
 *     node bench/deliver.ts [messages] [rounds] [connections] [--postgres]
 */
import { Child, cpuEach, median, type Usage } from './child.ts'
import { readNumbers, startGateways } from './gateways.ts'
import type { Measured } from './http-load.ts'

const [messages = 20_000, rounds = 3, connections = 128] = readNumbers()
const load = new Child('./http-load.ts')
const bare = new Child('./bare-server.ts')
const { port: barePort } = await bare.receive<{ port: number }>()
const gateways = await startGateways('delivers')

const itemFor = (hookPort: number) =>
  `{"type":"rcs","id":#,"phone":491701234567,"rcs_signature":"Posthorn","rcs_message":"Your parcel is here.","hook":"http://127.0.0.1:${hookPort}/hook"}`
const measure = (at: number, key: string, count: number, hookPort = 1) => {
  const body = `{"auth":"${key}","data":[${itemFor(hookPort)}]}`
  return load.ask<Measured>({ port: at, path: '/v1/json', connections, requests: count, body })
}

const ratios = new Map<string, number[]>(gateways.all.map(({ name }) => [name, []]))
for (let round = 0; round <= rounds; round += 1) {
  const count = round === 0 ? messages / 4 : messages
  const plain = await measure(barePort, 'none', count)
  for (const { name, child, port, key, ends, hookPort } of gateways.all) {
    const before = await child.ask<Usage>('usage')
    const startedAt = performance.now()
    const reported = ends.ask<{ received: number }>(count)
    const accepted = await measure(port, key, count, hookPort)
    await reported
    const seconds = (performance.now() - startedAt) / 1000
    const after = await child.ask<Usage>('usage')
    if (accepted.failures > 0) throw new Error(`${accepted.failures} requests failed`)
    if (round === 0) continue
    const bareRate = plain.requests / plain.seconds
    ratios.get(name)?.push(messages / seconds / bareRate)
    console.log(
      `round ${round}, ${name}: ${(messages / seconds).toFixed(0)} messages/s all the way (accepted at ${(accepted.requests / accepted.seconds).toFixed(0)}/s), ` +
        `${(messages / seconds / bareRate).toFixed(2)} of bare ${bareRate.toFixed(0)}/s; ` +
        `CPU each ${cpuEach(before, after, messages)}, ${(after.rss / 2 ** 20).toFixed(0)} MiB`,
    )
  }
}
for (const [name, each] of ratios) {
  console.log(`deliver: ${median(each).toFixed(2)} of bare node:http on ${name} (median of ${rounds} rounds)`)
}
await Promise.all([load.end(), bare.end(), gateways.end()])
