/**
 * What one message of each kind costs, in counts that a noisy machine does not change: statements, rows, commits, pages
 * of the log, what crosses between threads, HMACs, reports, and with strace system calls and fsyncs. Messages are sent
 * one after the other, each when the one before has settled, and `--together` 64 at a time. Kinds: accepted only (the
 * SMSC is silent); an SMS with its receipt and report; 100 in a request, also with 100 reports in a POST; RCS refused,
 * chat app refused, SMS delivered. Each is counted twice, and the smaller count is printed.
 *
 *     node bench/cost.ts [messages] [--postgres] [--together] [--no-strace] [--json]
 */
import { Child } from './child.ts'
import { COUNTERS, type Counter } from './count-work.ts'
import { type GatewayUnderLoad, readNumbers, requestsOf, startGateways } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { readServerWork, type ServerWork, subtractServerWork } from './server-work.ts'
import type { Awaited } from './smsc-and-hook.ts'
import { SystemCalls, whyNoStrace } from './system-calls.ts'

const [messages = 50] = readNumbers()
const [isTogether, asJson] = [process.argv.includes('--together'), process.argv.includes('--json')]
const noStrace = process.argv.includes('--no-strace') ? 'it was not asked for' : whyNoStrace()

interface Kind {
  readonly name: string
  readonly kind: 'sms' | 'chain'
  readonly smsc: 'silent' | 'delivers'
  readonly perRequest: number
  /** 100 reports in a POST. */
  readonly isBatched?: boolean
}

const KINDS: readonly Kind[] = [
  { name: 'accepted only', kind: 'sms', smsc: 'silent', perRequest: 1 },
  { name: 'SMS, receipt, report', kind: 'sms', smsc: 'delivers', perRequest: 1 },
  { name: 'the same, 100 a request', kind: 'sms', smsc: 'delivers', perRequest: 100 },
  { name: 'the same, 100 reports a POST', kind: 'sms', smsc: 'delivers', perRequest: 100, isBatched: true },
  { name: 'RCS, chat app, SMS, report', kind: 'chain', smsc: 'delivers', perRequest: 1 },
]

/** Per message. */
interface Cost {
  readonly store: GatewayUnderLoad['name']
  readonly kind: string
  readonly counts: Readonly<Record<string, number>>
}

const load = new Child('./http-load.ts')
const costs: Cost[] = []
for (const smsc of ['silent', 'delivers'] as const) {
  const gateways = await startGateways({
    ...{ smsc, isQuiet: true },
    execArgv: ['--import', new URL('./count-work.ts', import.meta.url).href],
  })
  for (const gateway of gateways) {
    for (const kind of KINDS.filter((each) => each.smsc === smsc)) costs.push(await costOf(gateway, kind))
    await gateway.end()
  }
}
await load.end()
if (asJson) console.log(JSON.stringify(costs))
else print()

async function costOf(gateway: GatewayUnderLoad, kind: Kind): Promise<Cost> {
  // Connections, statements and caches are there afterwards.
  await send(gateway, kind, kind.perRequest * 3)
  const [counts, again] = [await countsOf(gateway, kind), await countsOf(gateway, kind)]
  for (const [name, count] of Object.entries(again)) counts[name] = Math.min(count, counts[name] ?? count)
  if (kind.smsc === 'delivers') counts['reports'] = 1
  return { store: gateway.name, kind: kind.name, counts }
}

/** Per message. Timers, and a batch that leaves early, only add to them. */
async function countsOf(gateway: GatewayUnderLoad, kind: Kind): Promise<Record<string, number>> {
  const count = kind.perRequest * Math.max(kind.perRequest === 1 ? messages : Math.ceil(messages / kind.perRequest), 3)
  const before = await settledCounters(gateway.child)
  const server = await serverWork(gateway)
  await send(gateway, kind, count)
  const after = await settledCounters(gateway.child)
  const atServer = subtractServerWork(await serverWork(gateway), server)
  const counts: Record<string, number> = {}
  for (const name of COUNTERS) {
    // What the other store has is not there.
    if (after[name] > 0 || name === 'HMACs') counts[name] = (after[name] - before[name]) / count
  }
  for (const [name, value] of Object.entries(atServer)) counts[name] = value / count
  if (noStrace === null) {
    const calls = await SystemCalls.of(gateway.pids)
    await send(gateway, kind, count)
    await settledCounters(gateway.child)
    for (const [name, value] of Object.entries(await calls.end())) counts[name] = value / count
  }
  return counts
}

/** Sends so many messages and waits for as many reports, where there are any. */
async function send(gateway: GatewayUnderLoad, kind: Kind, count: number): Promise<void> {
  const { smsc, perRequest } = kind
  const keys = kind.isBatched === true ? [gateway.batchedKey] : gateway.keys
  const connections = isTogether ? 64 : 1
  const steps = isTogether ? 1 : count / perRequest
  const requests = {
    ...{ port: gateway.port, connections, perRequest, keys, requests: count / perRequest / steps },
    ...requestsOf(kind.kind, smsc === 'delivers' ? gateway.hookPort : null),
  } satisfies Load
  for (let step = 0; step < steps; step += 1) {
    const reported =
      smsc === 'delivers' ? gateway.ends.ask({ what: 'reports', count: count / steps } satisfies Awaited) : null
    const { failures } = await load.ask<Measured>(requests)
    if (failures > 0) throw new Error(`${failures} requests failed`)
    await reported
    await settledCounters(gateway.child)
  }
}

/** Waits until the gateway does nothing any more. */
async function settledCounters(child: Child): Promise<Record<Counter, number>> {
  let last = ''
  for (;;) {
    const counters = await child.ask<Record<Counter, number>>('counters')
    const now = JSON.stringify(counters)
    if (now === last) return counters
    last = now
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

async function serverWork({ server }: GatewayUnderLoad): Promise<ServerWork> {
  return server === null ? {} : readServerWork(server)
}

function print(): void {
  console.log(`per message, ${isTogether ? '64 requests at a time' : 'one request at a time'}`)
  if (noStrace !== null) console.log(`system calls and fsyncs are not counted: ${noStrace}`)
  const names = [...new Set(costs.flatMap(({ counts }) => Object.keys(counts)))]
  for (const { store, kind, counts } of costs) {
    console.log(`\n${store}: ${kind}`)
    for (const name of names) {
      if (name in counts) console.log(`  ${name.padEnd(24)} ${(counts[name] ?? 0).toFixed(2).padStart(10)}`)
    }
  }
}
