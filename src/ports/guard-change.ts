/** What can be changed of the guards. */
import type { GuardSettings } from '../domain/guard-settings.ts'
import type { ListedNumber } from '../domain/number-list.ts'
import type { OptOutChange } from '../domain/opt-out.ts'
import type { TrafficAlarm } from '../domain/traffic-alarm.ts'

/** What a configuration file has of them. */
export type GuardSetUpChange =
  | { readonly kind: 'set guard settings'; readonly settings: GuardSettings }
  /** Replaces the note of an entry that is there. */
  | { readonly kind: 'list number'; readonly number: ListedNumber }
  /** Refused when it is not there. */
  | { readonly kind: 'unlist number'; readonly number: Omit<ListedNumber, 'note'> }

export type GuardChange =
  | GuardSetUpChange
  /** In their order. What is there already stays as it was, what is to be removed and is not there is no mistake. */
  | { readonly kind: 'change opt-outs'; readonly changes: readonly OptOutChange[] }
  /** Takes the place of the alarm of the same key. */
  | { readonly kind: 'set traffic alarm'; readonly alarm: TrafficAlarm }
