/** `statement/get`: the statement of the account for a month. */
import { readFields } from '../../contract/fields/fields.ts'
import { STATEMENT_FIELDS } from '../../contract/operations/money-fields.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import { laterThanNow } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { drawStatement, type Statement } from '../../domain/money/statement.ts'
import { MAX_LIST_BYTES, takeFitting } from '../../domain/structures/answer-size.ts'
import { monthOf, writeMonth } from '../../domain/time/month.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'
import { plainKind, signedAmount } from './view-posting.ts'

/** Throws ItemRefused for what is no month, and for one that has not begun. */
export function planStatement(scope: Scope, item: RequestObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { account, tools, now } = scope
  const { month } = readFields(item, STATEMENT_FIELDS, tools.limits)
  if (month > monthOf(now)) throw new ItemRefused(laterThanNow('month'))
  return {
    answer: async () => {
      const statement = drawStatement(month, await tools.store.accountMonth(account.id, month))
      return writeResult({ ...viewStatement(statement), currency: account.currency }, null)
    },
  }
}

/** The rest of the list is for the charges. */
const MAX_PAYMENTS_BYTES = MAX_LIST_BYTES / 2

/** As JSON, bytes: a character of a note has at most six. */
function sizeOf({ note = '' }: Statement['payments'][number]): number {
  return 120 + 6 * note.length
}

/** Without the operators who posted payments. */
function viewStatement(statement: Statement): object {
  return {
    month: writeMonth(statement.month),
    first_month: writeMonth(statement.firstMonth),
    closed: statement.isClosed,
    opening: toDecimal(statement.openingMicros),
    top_ups: toDecimal(statement.topUpMicros),
    corrections: toDecimal(statement.correctionMicros),
    charges: toDecimal(statement.chargeMicros),
    closing: toDecimal(statement.closingMicros),
    lines: statement.charges.map(({ amountMicros, ...line }) => ({ ...line, amount: toDecimal(amountMicros) })),
    payments: takeFitting(statement.payments, MAX_PAYMENTS_BYTES, sizeOf).items.map((posting) => {
      const { at, kind, note = null } = posting
      return { at: new Date(at).toISOString(), kind: plainKind(kind), amount: signedAmount(posting), note }
    }),
  }
}
