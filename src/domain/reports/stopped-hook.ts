/** Hooks that answered 410: they get no more reports until an operator resumes them or the stop expires. */
import { DAY_MS } from '../accounts/retention.ts'
import type { AccountId } from '../ids/account-id.ts'

export interface StoppedHook {
  readonly accountId: AccountId
  /** Without its query, as `hookOf` returns it. */
  readonly address: string
}

/** A hook that was stopped, or resumed after that. */
export interface HookStop extends StoppedHook {
  readonly stopped: boolean
  /** Whether only reports of test messages were answered with 410: then only those stop. */
  readonly test: boolean
  /** Milliseconds. */
  readonly changedAt: number
}

/** Maximum per account; the newest are kept. A hook that is dropped is tried again, and stopped again by its answer. */
export const MAX_STOPPED_HOOKS = 100

/** Milliseconds: when a stop expires. */
export const HOOK_STOP_LASTS_MS = 30 * DAY_MS
