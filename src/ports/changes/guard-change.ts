/** Changes of the guards. */
import type { OptOutChange } from '../../domain/consent/opt-out.ts'
import type { GuardSettings } from '../../domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../domain/guards/traffic-alarm.ts'
import type { ListedNumber } from '../../domain/numbers/number-list.ts'

/** Those that a configuration file can contain. */
export type GuardSetUpChange =
  | { readonly kind: 'set guard settings'; readonly settings: GuardSettings }
  /** Replaces the note of an existing entry. */
  | { readonly kind: 'list number'; readonly number: ListedNumber }
  /** Refused if it does not exist. */
  | { readonly kind: 'unlist number'; readonly number: Omit<ListedNumber, 'note'> }

export type GuardChange =
  | GuardSetUpChange
  /** In this order. Existing entries stay as they were; removing one that does not exist is no error. */
  | { readonly kind: 'change opt-outs'; readonly changes: readonly OptOutChange[] }
  /** Replaces the alarm with the same key. */
  | { readonly kind: 'set traffic alarm'; readonly alarm: TrafficAlarm }
