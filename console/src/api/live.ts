/**
 * The live state of the gateway that serves this page, by server-sent events. All that
 * listen on a page share one connection; hidden tabs have none.
 */
import { useSyncExternalStore } from 'react'
import { invalidate } from './queries.ts'

interface LiveChannel {
  readonly channel: string
  readonly accepted: number
  readonly submitted: number
  readonly delivered: number
  readonly failed: number
}

interface LiveLink {
  readonly name: string
  readonly state: string
  readonly since: string
  readonly in_flight: number
  readonly window: number
  readonly last_error: string | null
  readonly last_error_at: string | null
  readonly next_try_at: string | null
  readonly protocolErrors: number
}

export interface LiveCarrier {
  readonly id: string
  readonly up: boolean
  readonly since: string
  readonly breaker: string
  readonly degraded: { readonly since: string; readonly reason: string } | null
  readonly in_flight: number
  readonly window: number
  readonly waiting: number
  readonly last_error: string | null
  readonly last_error_at: string | null
  readonly rate: number
  readonly throughput: number | null
  readonly links: readonly LiveLink[]
  readonly dropped_receipts: number
  readonly balance: {
    readonly amount: string | null
    readonly currency: string | null
    readonly at: string | null
    readonly low: number | null
    readonly error: string | null
  } | null
}

/** Alarms that no operator has acknowledged, and the worst severity among them. */
interface UnacknowledgedAlarms {
  readonly count: number
  readonly worst: 'info' | 'warning' | 'critical' | null
}

/** Rates are per second; null in the first snapshot. */
export interface LiveSnapshot {
  readonly at: string
  /** Number of the gateway in its cluster; null without one. */
  readonly node: number | null
  /** Why it takes no traffic; null if it does. */
  readonly not_ready: string | null
  readonly channels: readonly LiveChannel[] | null
  readonly messages: { readonly held: number; readonly in_flight: number; readonly open: number | null }
  readonly carriers: readonly LiveCarrier[]
  readonly reports: { readonly waiting: number | null; readonly failed: number | null }
  /** Null until the gateway has read them. */
  readonly unacknowledged_alarms: UnacknowledgedAlarms | null
}

const MAX_KEPT = 60
const RETRY_MS = 5_000

const NO_ALARMS: UnacknowledgedAlarms = { count: 0, worst: null }

let snapshots: readonly LiveSnapshot[] = []
/** As the last snapshot had them: a hidden tab keeps its badge. */
let alarms = NO_ALARMS
let source: EventSource | null = null
let retry: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Returns the last two minutes, the latest snapshot last; empty while there is no connection. */
export function useLive(): readonly LiveSnapshot[] {
  return useSyncExternalStore(subscribe, () => snapshots)
}

/** Never listens for users who may not see alarms: they have none. */
export function useUnacknowledgedAlarms(mayList: boolean): UnacknowledgedAlarms {
  const known = useSyncExternalStore(mayList ? subscribe : subscribeToNothing, () => alarms)
  return mayList ? known : NO_ALARMS
}

function subscribeToNothing(): () => void {
  return () => undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', follow)
    follow()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', follow)
    disconnect()
  }
}

function follow(): void {
  if (document.hidden) disconnect()
  else if (source === null) connect()
}

function connect(): void {
  source = new EventSource('/admin/v1/live')
  source.addEventListener('snapshot', ({ data }: MessageEvent<string>) => {
    show([...snapshots, JSON.parse(data) as LiveSnapshot].slice(-MAX_KEPT))
  })
  // The session has ended: the next answer leads to the login.
  source.addEventListener('end', () => {
    disconnect()
    invalidate('/me')
  })
  // What is shown would be old. The browser connects again after a lost connection, and never after an answer such as
  // that of a gateway which starts, or of a proxy without one.
  source.addEventListener('error', ({ target }) => {
    show([])
    if ((target as EventSource).readyState !== EventSource.CLOSED) return
    disconnect()
    retry = setTimeout(follow, RETRY_MS)
  })
}

function disconnect(): void {
  clearTimeout(retry)
  source?.close()
  source = null
  show([])
}

function show(next: readonly LiveSnapshot[]): void {
  if (next.length === 0 && snapshots.length === 0) return
  snapshots = next
  const seen = next.at(-1)?.unacknowledged_alarms ?? alarms
  if (seen.count !== alarms.count || seen.worst !== alarms.worst) alarms = seen
  for (const listener of listeners) listener()
}
