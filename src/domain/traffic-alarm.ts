/** An alarm: traffic to a prefix left its pattern, and what was done about it. One at a time for whatever is counted apart. */
import type { Traffic, TrafficKey } from './traffic.ts'

export interface TrafficAlarm extends TrafficKey {
  /** Milliseconds. */
  readonly raisedAt: number
  /** What went there in five minutes, when it was raised. */
  readonly seen: number
  /** What usually does. */
  readonly usual: Traffic['mean']
  /**
   * `raised`: somebody should look, nothing is stopped. `stopped`: nothing goes there. `confirmed`: an operator wants it to
   * stay so. `lifted`: an operator says that it is right, nothing is stopped and no alarm raised again.
   */
  readonly state: 'raised' | 'stopped' | 'confirmed' | 'lifted'
  /** Milliseconds: until when this counts; null until an operator says something else. */
  readonly until: number | null
}

/** Whether anything is made of it still. */
export function counts({ until }: TrafficAlarm, now: number): boolean {
  return until === null || now < until
}

export function isStop(alarm: TrafficAlarm, now: number): boolean {
  return (alarm.state === 'stopped' || alarm.state === 'confirmed') && counts(alarm, now)
}

/** Equal for equal keys alone. */
export function trafficKeyText({ accountId, kind, prefix }: TrafficKey): string {
  return `${accountId ?? '*'} ${kind} ${prefix}`
}
