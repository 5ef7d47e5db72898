/**
 * What a second gateway costs behind the shipped load balancer, which sends all requests of a key to one gateway: one
 * gateway and two, each with a PostgreSQL server and a HAProxy of its own, in turn in one run.
 *
 *     node bench/affinity.ts [messages] [rounds] [connections]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DebianProgram, findProgram } from '../test/support/debian-program.ts'
import { haproxyFor } from '../test/support/shipped-haproxy.ts'
import { Child, median } from './child.ts'
import { compileGateway } from './compile-gateway.ts'
import { deliver, type System, systemOf } from './deliveries.ts'
import type { GatewayNews, GatewaySetup } from './gateway-under-load.ts'
import { gatherStatistics, readNumbers, SERVICE_ENVIRONMENT, startGateway } from './gateways.ts'

const [messages = 6_000, rounds = 9, connections = 128] = readNumbers()
const KEYS = 40
const FIRST_PORT = 18_100
const LONGEST_LIFE_MS = 3_600_000
const haproxy = findProgram('haproxy', 'haproxy', { words: ['-v'] })
if (haproxy === null) process.exit(1)
const compiled = compileGateway()
const load = new Child('./http-load.ts')

interface Proxied {
  readonly system: System
  end(): Promise<void>
}

async function startBehindProxy(gateways: number): Promise<Proxied> {
  const first = await startGateway('postgres', { file: compiled.file, accounts: KEYS })
  const setup = { ...first.setup, folder: first.folder } satisfies GatewaySetup
  const others = Array.from({ length: gateways - 1 }, () => {
    return new Child(compiled.file, [JSON.stringify(setup)], { env: SERVICE_ENVIRONMENT })
  })
  const news = await Promise.all(others.map((each) => each.receive<GatewayNews>()))
  const proxy = new DebianProgram(LONGEST_LIFE_MS)
  const port = FIRST_PORT + gateways
  const servers = [first, ...news].map((each) => ({ port: each.port, checkPort: each.adminPort }))
  writeFileSync(join(proxy.folder, 'haproxy.cfg'), haproxyFor(port, servers))
  proxy.start(haproxy ?? '', ['-db', '-f', 'haproxy.cfg'])
  await proxy.listens('tcp', port)
  const pids = [...first.pids, ...others.map((each) => each.pid), proxy.pid]
  const system = { ...systemOf(first), name: `${gateways} behind HAProxy`, port, pids }
  await deliver(load, system, { messages: 2 * messages, connections })
  await gatherStatistics(first)
  const end = async () => {
    await proxy.stop()
    for (const each of others) await each.end()
    await first.end()
  }
  return { system, end }
}

const proxied = [await startBehindProxy(1), await startBehindProxy(2)]
const rates = proxied.map((): number[] => [])
for (let round = 0; round < rounds; round += 1) {
  for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const { system } = proxied[index] as Proxied
    rates[index]?.push((await deliver(load, system, { messages, connections })).perSecond)
  }
}
const [one = [], two = []] = rates
for (const [index, { system }] of proxied.entries()) {
  console.log(`${system.name}: ${median(rates[index] ?? []).toFixed(0)} messages/s all the way`)
}
const ratios = two.map((rate, index) => rate / (one[index] ?? rate))
const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)]
console.log(
  `affinity: ${median(ratios).toFixed(2)} of one gateway (median of ${rounds}, ${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
)
for (const each of proxied) await each.end()
await load.end()
await compiled.end()
