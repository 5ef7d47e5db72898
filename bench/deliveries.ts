/** Messages all the way through a system under load: HTTP in, `submit_sm` out, receipt in, report or callback out. */
import type { Child } from './child.ts'
import { type GatewayUnderLoad, requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { type Spent, spentBetween, usageOf } from './process-usage.ts'
import type { Awaited } from './smsc-and-hook.ts'

/** What sends messages: a gateway of ours or another's. */
export interface System {
  readonly name: string
  readonly port: number
  /** API keys, used in turn. */
  readonly keys: readonly string[]
  /** Its SMSC and its hook. */
  readonly ends: Child
  readonly pids: readonly number[]
  requests(kind: 'sms' | 'chain', isReported: boolean): Pick<Load, 'head' | 'body' | 'item'>
}

export interface Delivering {
  readonly messages: number
  readonly connections: number
  readonly kind?: 'sms' | 'chain'
  readonly perRequest?: number
  /** Without reports a message ends at the SMSC. */
  readonly isReported?: boolean
  readonly isTimed?: boolean
}

export interface Delivered {
  /** From the first request to the last report. */
  readonly perSecond: number
  readonly acceptedPerSecond: number
  readonly answers: Measured
  readonly spent: Spent
}

export function systemOf(gateway: GatewayUnderLoad): System {
  const { port, keys, ends, pids, hookPort } = gateway
  const requests: System['requests'] = (kind, isReported) => requestsOf(kind, isReported ? hookPort : null)
  return { name: gateway.name, port, keys, ends, pids, requests }
}

/** The same gateway with the account whose reports share POSTs. */
export function batchedSystemOf(gateway: GatewayUnderLoad): System {
  return { ...systemOf(gateway), name: `${gateway.name}, batched reports`, keys: [gateway.batchedKey] }
}

/** Sends messages through `load`, the process of the generator, and waits until all have arrived. */
export async function deliver(load: Child, system: System, delivering: Delivering): Promise<Delivered> {
  const { connections, kind = 'sms', perRequest = 1, isReported = true, isTimed = false } = delivering
  const requests = Math.ceil(delivering.messages / perRequest)
  const messages = requests * perRequest
  const { port, keys, pids } = system
  const before = usageOf(pids)
  const what = isReported ? 'reports' : 'messages'
  const arrived = system.ends.ask({ what, count: messages } satisfies Awaited)
  const answers = await load.ask<Measured>({
    ...{ port, keys, connections, perRequest, requests, isTimed },
    ...system.requests(kind, isReported),
  } satisfies Load)
  if (answers.failures > 0) throw new Error(`${system.name}: ${answers.failures} requests failed`)
  await arrived
  const seconds = (performance.timeOrigin + performance.now() - answers.startedAt) / 1000
  const spent = spentBetween(before, usageOf(pids), messages)
  return { perSecond: messages / seconds, acceptedPerSecond: messages / answers.seconds, answers, spent }
}

/** Sends requests to a gateway whose SMSC is silent. */
export async function accept(
  load: Child,
  { name, port, keys }: GatewayUnderLoad,
  sent: Pick<Load, 'requests' | 'connections' | 'perRequest'>,
): Promise<Measured> {
  const measured = await load.ask<Measured>({ ...{ port, keys }, ...sent, ...requestsOf('sms', null) } satisfies Load)
  if (measured.failures > 0) throw new Error(`${name}: ${measured.failures} requests failed`)
  return measured
}
