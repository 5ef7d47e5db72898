/** Makes the lines of the statistics of hooks from the store's totals of reports. */
import { percentile } from '../structures/latency-class.ts'
import type { MessageTotal } from './message-statistics.ts'

export interface HookLine {
  /** The first hour, since 1970; null for the whole range. */
  readonly slot: number | null
  readonly hook: string
  readonly sent: number
  /** Failed tries that were followed, or are to be, by another one. */
  readonly retried: number
  readonly failed: number
  /** Within these times, milliseconds, were 50 and 95 of 100 tries answered or given up; null without tries. */
  readonly p50: number | null
  readonly p95: number | null
}

const EVENT = /^report (sent|retried|failed)(?: (\d+))?$/

/** By time, the busiest hook first. */
export function drawHookLines(totals: Iterable<MessageTotal>): readonly HookLine[] {
  const places = new Map<string, Place>()
  for (const { slot, sender: hook, event, messages } of totals) {
    const [, kind, timeClass] = EVENT.exec(event) ?? []
    if (kind === undefined) continue
    const key = `${slot} ${hook}`
    const place = places.get(key) ?? { slot, hook, counts: { sent: 0, retried: 0, failed: 0 }, times: new Map() }
    places.set(key, place)
    place.counts[kind as Kind] += messages
    if (timeClass === undefined) continue
    place.times.set(Number(timeClass), (place.times.get(Number(timeClass)) ?? 0) + messages)
  }
  const lines = [...places.values()].map(({ slot, hook, counts, times }) => ({
    slot: slot === -1 ? null : slot,
    hook,
    ...counts,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }))
  return lines.sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0) || tries(b) - tries(a) || (a.hook < b.hook ? -1 : 1))
}

type Kind = 'sent' | 'retried' | 'failed'

interface Place {
  readonly slot: number
  readonly hook: string
  readonly counts: Record<Kind, number>
  readonly times: Map<number, number>
}

function tries({ sent, retried, failed }: HookLine): number {
  return sent + retried + failed
}
