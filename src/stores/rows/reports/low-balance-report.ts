/** The low-balance report to the hooks of an account. */
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { makeMessageId } from '../../../domain/ids/message-id.ts'
import { toMicros } from '../../../domain/money/money.ts'
import { addressed, hooksFor, type Listeners } from '../../../domain/reports/client-hook.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { writeBalanceReport } from '../../../domain/reports/report.ts'
import type { LowBalance } from '../money/ledger.ts'
import { readListeners } from '../setup/account-hooks.ts'

export interface ReportedAccount {
  readonly name: string
  readonly currency: string
  readonly listeners: Listeners
}

/** Selects ReportedAccounts; a condition on `account` follows. */
export const SELECT_REPORTED_ACCOUNTS =
  'SELECT account.account_id, name, currency, settings, hooks FROM account LEFT JOIN account_hooks USING (account_id)'

export type ReportedAccountRow = readonly [accountId: number, ...Parameters<typeof toReportedAccount>]

export function toReportedAccount(
  name: string,
  currency: string,
  settings: string,
  hooks: string | null,
): ReportedAccount {
  return { name, currency, listeners: readListeners(settings, hooks) }
}

/** Whether any hook gets the report. */
export function hasListeners({ listeners }: ReportedAccount): boolean {
  return listeners.defaultHook !== null || hooksFor(listeners, 'balance.low', null).length > 0
}

/** `counter` is an unused message counter. */
export function lowBalanceReports(
  { name, currency, listeners }: ReportedAccount,
  { availableMicros, thresholdMicros, at, ...low }: LowBalance,
  counter: number,
): readonly Report[] {
  const accountId = toAccountId(low.accountId)
  const report = writeBalanceReport({
    ...{ eventId: makeMessageId(counter, accountId), accountId, name, currency, at },
    availableMicros: toMicros(availableMicros),
    thresholdMicros: toMicros(thresholdMicros),
  })
  const { defaultHook } = listeners
  return addressed(report, defaultHook, hooksFor(listeners, 'balance.low', defaultHook))
}
