/** Reads statements for operators and clients. `statement/get`: the statement of the account for a month. */
import { readFields } from '../../contract/fields/fields.ts'
import { STATEMENT_FIELDS } from '../../contract/operations/money-fields.ts'
import { type RequestObject, writeItemError, writeResult } from '../../contract/request/envelope.ts'
import { wrongRange } from '../../contract/request/error-texts.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { drawStatement, type Statement } from '../../domain/money/statement.ts'
import { MAX_LIST_BYTES, takeFitting } from '../../domain/structures/answer-size.ts'
import { isTimeZone, ZONE_RULE } from '../../domain/time/local-time.ts'
import { type Month, writeMonth } from '../../domain/time/month.ts'
import { zonedMonth } from '../../domain/time/zoned-month.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'
import { clientKind, signedAmount } from './view-posting.ts'

/** A month as the caller wrote it. */
export interface StatementInput {
  readonly month: Month
  /** UTC by default. */
  readonly zone?: string | undefined
}

export const STATEMENT_RULES = {
  begun: 'must not be later than this month',
  zoned: (month: string) => `must be ${month} or later in a time zone other than UTC`,
}

/** Names the field that breaks a rule. */
export interface StatementFault {
  readonly field: 'month' | 'zone'
  readonly rule: string
}

/** Returns the statement, or what is wrong with the input. `now` in milliseconds. */
export async function readStatement(
  store: Pick<QueryStore, 'accountMonth'>,
  { accountId, month, zone = 'UTC' }: StatementInput & { readonly accountId: AccountId },
  now: number,
): Promise<Statement | StatementFault> {
  if (!isTimeZone(zone)) return { field: 'zone', rule: ZONE_RULE }
  const zoned = zonedMonth(month, zone)
  if (zoned.from > now) return { field: 'month', rule: STATEMENT_RULES.begun }
  const statement = drawStatement(zoned, await store.accountMonth(accountId, zoned))
  const { firstZonedMonth } = statement
  if (zone === 'UTC' || month >= firstZonedMonth) return statement
  return { field: 'month', rule: STATEMENT_RULES.zoned(writeMonth(firstZonedMonth)) }
}

/** Throws ItemRefused for fields of another form. */
export function planStatement(scope: Scope, item: RequestObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { account, tools, now } = scope
  const input = { accountId: account.id, ...readFields(item, STATEMENT_FIELDS, tools.limits) }
  return {
    answer: async () => {
      const statement = await readStatement(tools.store, input, now)
      if ('rule' in statement) return writeItemError(null, wrongRange(statement.field, statement.rule))
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
    zone: statement.zone,
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
      return { at: new Date(at).toISOString(), kind: clientKind(kind), amount: signedAmount(posting), note }
    }),
  }
}
