/** The low-balance report to the hook of an account. */
import { type AccountSettings, toAccountId } from '../../domain/account.ts'
import { makeMessageId } from '../../domain/message-id.ts'
import { toMicros } from '../../domain/money.ts'
import type { Report } from '../../domain/report.ts'
import { writeBalanceReport } from '../../domain/report.ts'
import type { LowBalance } from './ledger.ts'

/** Columns of the table `account`. */
export interface ReportedAccount {
  readonly name: string
  readonly currency: string
  readonly settings: string
}

/** Returns the target of the report; null for an account without a default hook, which gets none. */
export function hookOf({ settings }: Pick<ReportedAccount, 'settings'>): string | null {
  return (JSON.parse(settings) as Partial<AccountSettings>).defaultHook ?? null
}

/** `counter` is an unused message counter. */
export function lowBalanceReport(
  { name, currency }: ReportedAccount,
  address: string,
  { availableMicros, thresholdMicros, at, ...low }: LowBalance,
  counter: number,
): Report {
  const accountId = toAccountId(low.accountId)
  return writeBalanceReport({
    ...{ eventId: makeMessageId(counter, accountId), accountId, name, currency, address, at },
    availableMicros: toMicros(availableMicros),
    thresholdMicros: toMicros(thresholdMicros),
  })
}
