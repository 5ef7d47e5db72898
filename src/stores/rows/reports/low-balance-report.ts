/** The low-balance report to the hooks of an account. */
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { makeMessageId } from '../../../domain/ids/message-id.ts'
import { toMicros } from '../../../domain/money/money.ts'
import { addressed, hooksFor, type Listeners } from '../../../domain/reports/client-hook.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { writeBalanceReport } from '../../../domain/reports/report.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { LowAccount } from '../money/ledger.ts'
import { readListeners } from '../setup/account-hooks.ts'

export interface ReportedAccount {
  readonly name: string
  readonly currency: string
  readonly listeners: Listeners
}

/** Reads ReportedAccountRows; a condition on `account` follows. */
export const SELECT_REPORTED_ACCOUNTS =
  'SELECT account.account_id, name, currency, settings, hooks FROM account LEFT JOIN account_hooks USING (account_id)'
/** Its columns; settings and hooks have sealed addresses. */
export const REPORTED_ACCOUNT_COLUMNS = 'account_id, name, currency, settings, hooks'

export type ReportedAccountRow = [
  accountId: number,
  name: string,
  currency: string,
  settings: string,
  hooks: string | null,
]

export function openReportedAccount(row: ReportedAccountRow, { addresses }: Vault): ReportedAccountRow {
  const [accountId, name, currency, settings, hooks] = row
  return [accountId, name, currency, addresses.openIn(settings), hooks && addresses.openIn(hooks)]
}

/** Of an opened row. */
export function toReportedAccount([, name, currency, settings, hooks]: ReportedAccountRow): ReportedAccount {
  return { name, currency, listeners: readListeners(settings, hooks) }
}

/** Whether any hook gets the report. */
export function hasListeners({ listeners }: ReportedAccount): boolean {
  return listeners.defaultHook !== null || hooksFor(listeners, 'balance.low', null).length > 0
}

/** `counter` is an unused message counter. */
export function lowBalanceReports(
  { name, currency, listeners }: ReportedAccount,
  { availableMicros, thresholdMicros, at, ...low }: LowAccount,
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
