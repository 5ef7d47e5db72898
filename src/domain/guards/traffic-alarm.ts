/** An alarm: traffic to a prefix left its pattern, and the action taken. At most one per traffic key. */
import type { Traffic, TrafficKey } from './traffic.ts'

export interface TrafficAlarm extends TrafficKey {
  /** Milliseconds. */
  readonly raisedAt: number
  /** Traffic in five minutes, when it was raised. */
  readonly seen: number
  /** The usual traffic. */
  readonly usual: Traffic['mean']
  /**
   * `raised`: needs attention, nothing is stopped. `stopped`: traffic there is stopped. `confirmed`: an operator keeps
   * it stopped. `lifted`: an operator allows the traffic; nothing is stopped and no alarm raised again.
   */
  readonly state: 'raised' | 'stopped' | 'confirmed' | 'lifted'
  /** Milliseconds: until when this applies; null until an operator changes it. */
  readonly until: number | null
}

/** Returns whether the alarm still has an effect. */
export function isInEffect({ until }: TrafficAlarm, now: number): boolean {
  return until === null || now < until
}

export function isStop(alarm: TrafficAlarm, now: number): boolean {
  return (alarm.state === 'stopped' || alarm.state === 'confirmed') && isInEffect(alarm, now)
}

/** Returns a text that is equal for equal keys only. */
export function trafficKeyText({ accountId, kind, prefix }: TrafficKey): string {
  return `${accountId ?? '*'} ${kind} ${prefix}`
}
