/**
 * How many messages a second go the whole way: HTTP in, on disk, `submit_sm` out, receipt in and recorded, report POSTed
 * to the hook and settled. From the first request to the last report.
 *
 *     node bench/deliver.ts [messages] [rounds] [connections]
 */
import { Child, cpuEach, median, type Usage } from './child.ts'
import type { Measured } from './http-load.ts'

const [messages = 20_000, rounds = 3, connections = 128] = process.argv.slice(2).map(Number)
const load = new Child('./http-load.ts')
const ends = new Child('./smsc-and-hook.ts', ['delivers'])
const { smscPort, hookPort } = await ends.hear<{ smscPort: number; hookPort: number }>()
const bare = new Child('./bare-server.ts')
const { port: barePort } = await bare.hear<{ port: number }>()
const gateway = new Child('./gateway-under-load.ts', [String(smscPort)])
const { port, key } = await gateway.hear<{ port: number; key: string }>()

const item = `{"type":"rcs","id":#,"phone":491701234567,"rcs_signature":"Posthorn","rcs_message":"Your parcel is here.","hook":"http://127.0.0.1:${hookPort}/hook"}`
const body = `{"auth":"${key}","data":[${item}]}`
const measure = (at: number, count: number) =>
  load.ask<Measured>({ port: at, path: '/v1/json', connections, requests: count, body })

const ratios: number[] = []
for (let round = 0; round <= rounds; round += 1) {
  const count = round === 0 ? messages / 4 : messages
  const plain = await measure(barePort, count)
  const before = await gateway.ask<Usage>('usage')
  const startedAt = performance.now()
  const reported = ends.ask<{ heard: number }>(count)
  const accepted = await measure(port, count)
  await reported
  const seconds = (performance.now() - startedAt) / 1000
  const after = await gateway.ask<Usage>('usage')
  if (accepted.failures > 0) throw new Error(`${accepted.failures} requests failed`)
  if (round === 0) continue
  const bareRate = plain.requests / plain.seconds
  ratios.push(messages / seconds / bareRate)
  console.log(
    `round ${round}: ${(messages / seconds).toFixed(0)} messages/s all the way (accepted at ${(accepted.requests / accepted.seconds).toFixed(0)}/s), ` +
      `${(messages / seconds / bareRate).toFixed(2)} of bare ${bareRate.toFixed(0)}/s; ` +
      `CPU each ${cpuEach(before, after, messages)}, ${(after.rss / 2 ** 20).toFixed(0)} MiB`,
  )
}
console.log(`deliver: ${median(ratios).toFixed(2)} of bare node:http (median of ${rounds} rounds)`)
await Promise.all([load.end(), bare.end(), gateway.end(), ends.end()])
