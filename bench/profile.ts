/**
 * Where the threads of the gateway spend their time while messages go all the way: CPU profiles of Node, summed up by
 * source file. Idle time and the start are left out.
 *
 *     node bench/profile.ts [messages] [connections] [--accept] [--chain] [--batched] (100 reports a POST)
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Child } from './child.ts'
import { batchedSystemOf, deliver, systemOf } from './deliveries.ts'
import { readNumbers, requestsOf, startGateway } from './gateways.ts'

interface CpuProfile {
  /** Microseconds of the system's monotonic clock. */
  readonly startTime: number
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const [messages = 20_000, connections = 128] = readNumbers()
const has = (option: string) => process.argv.includes(option)
const LINES = 14
const NOT_BUSY = ['(idle)', '(root)']
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const load = new Child('./http-load.ts')
const gateway = await startGateway('sqlite', {
  smsc: has('--accept') ? 'silent' : 'delivers',
  execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
})
const kind = has('--chain') ? 'chain' : 'sms'
const system = has('--batched') ? batchedSystemOf(gateway) : systemOf(gateway)
/** A silent SMSC keeps its window full, so that accepting is nearly all that is done. */
async function send(count: number): Promise<void> {
  const { port, keys } = gateway
  if (has('--accept')) await load.ask({ port, keys, connections, requests: count, ...requestsOf(kind, null) })
  else await deliver(load, system, { messages: count, connections, kind })
}

await send(Math.ceil(messages / 4))
const warmAt = Number(process.hrtime.bigint() / 1_000n)
await send(messages)
const doneAt = Number(process.hrtime.bigint() / 1_000n)
await gateway.end()
await load.end()
for (const name of readdirSync(folder)) print(JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
rmSync(folder, { recursive: true })

function print({ startTime, nodes, samples, timeDeltas }: CpuProfile): void {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const micros = new Map<string, number>()
  let at = startTime
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '(unknown)'
    const delta = timeDeltas[index] ?? 0
    at += delta
    if (at < warmAt || at > doneAt || NOT_BUSY.includes(place)) continue
    micros.set(place, (micros.get(place) ?? 0) + delta)
  }
  if (micros.size === 0) return
  const total = [...micros.values()].reduce((sum, each) => sum + each, 0)
  const isStore = [...places.values()].includes('src/stores/sqlite/engine/engine-worker.ts')
  console.log(`\n${isStore ? 'store' : 'main'} thread: ${(total / messages).toFixed(0)} µs busy for each message`)
  const largest = [...micros].sort(([, a], [, b]) => b - a).slice(0, LINES)
  for (const [place, each] of largest) console.log(`  ${((each / total) * 100).toFixed(1).padStart(5)} %  ${place}`)
}

/** A file of ours, a package, a module of Node, or what the engine itself does. */
function placeOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string {
  if (url === '') return functionName === '' ? '(native)' : functionName
  const path = url.replace('file://', '').replace(ROOT, '')
  const [, inPackage] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return inPackage ?? path
}
