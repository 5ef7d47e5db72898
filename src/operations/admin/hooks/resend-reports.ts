/** Sends reports again because an operator wants it. */
import type { Clock } from '../../../ports/clock.ts'
import type { ReportFilter } from '../../../ports/pending-report.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'

export interface Resending {
  /** Without a filter: those of everybody. */
  readonly all: boolean
  /** What waits for a retry or for its hook as well. */
  readonly pending: boolean
}

/** Throws a ChangeRefused when neither a filter nor `all` is given. */
export async function resendReports(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  filter: ReportFilter,
  { all, pending }: Resending,
): Promise<{ resent: number }> {
  const isNarrow = filter.messageId !== null || filter.accountId !== null || filter.address !== null
  if (isNarrow === all) throw new ChangeRefused('give a message, an account or an address, or else all')
  return { resent: await store.change({ kind: 'resend reports', ...filter, pending, at: clock.now() }) }
}
