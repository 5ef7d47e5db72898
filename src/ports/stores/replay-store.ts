/** The store's part in sending failed reports of an account again, on the client's request. */
import type { AccountId } from '../../domain/ids/account-id.ts'

/** Maximum of reports in one call. */
export const MAX_REPLAYED = 1_000
/** Maximum of hooks that one call without a hook looks at. */
export const MAX_REPLAYED_HOOKS = 500

export interface ReplayRequest {
  readonly accountId: AccountId
  /** Without its query, as `hookOf` returns it; null for all hooks. */
  readonly hook: string | null
  /** Milliseconds: only reports of events at this time or later; null for all. */
  readonly since: number | null
  readonly at: number
}

export interface ReplayStore {
  /**
   * Makes failed reports of the account pending again, as if never tried, the oldest of each hook first, except those
   * of stopped hooks. Returns their number: MAX_REPLAYED if there may be more. Reports of one message go in order.
   */
  replayReports(request: ReplayRequest): Promise<number>
}
