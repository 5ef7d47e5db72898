/** The statement of an account for a month, as data and as a CSV file. */
import type { Account } from '../../../domain/accounts/account.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { writeDecimal } from '../../../domain/money/money.ts'
import type { Statement } from '../../../domain/money/statement.ts'
import { operatorNames } from '../../../domain/numbers/operator-table.ts'
import { writeMonth } from '../../../domain/time/month.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { readStatement, type StatementInput } from '../../read/read-statement.ts'
import { accountRow } from '../fields/account-row.ts'
import { plainCell, writeCsv } from '../fields/csv.ts'
import { FieldRefused } from '../fields/field-refused.ts'

export interface AccountStatement {
  readonly account: Account
  readonly statement: Statement
  /** By MCC and MNC. */
  readonly operatorNames: ReadonlyMap<string, string>
}

/** Throws ChangeRefused if the account does not exist, FieldRefused for a month that it has not. */
export async function accountStatement(
  store: QueryStore & SetupStore,
  accountId: AccountId,
  input: StatementInput,
  now: number,
): Promise<AccountStatement> {
  const rows = await store.loadDirectory()
  const account = accountRow(rows, accountId)
  const statement = await readStatement(store, { ...input, accountId }, now)
  if ('rule' in statement) throw new FieldRefused(statement.field, statement.rule)
  return { account, statement, operatorNames: operatorNames(rows.operators) }
}

/** Lines in the order in which they add up; money received is positive, charges are negative. */
export function writeStatementCsv({ account, statement }: AccountStatement): string {
  const { month, zone, openingMicros, closingMicros, charges, payments } = statement
  const line = (
    what: string,
    amount: number,
    rest: Partial<Record<'channel' | 'operator' | 'at' | 'note', string>>,
  ) => ({
    what,
    amount,
    ...rest,
  })
  const lines = [
    { ...line('opening balance', openingMicros, {}), messages: '', parts: '' },
    ...payments.map(({ kind, amountMicros, at, note = '' }) => ({
      ...line(kind === 'top-up' ? kind : 'correction', kind === 'correction down' ? -amountMicros : amountMicros, {
        at: new Date(at).toISOString(),
        note: plainCell(note),
      }),
      messages: '',
      parts: '',
    })),
    ...unlisted(statement).map(({ what, amount }) => ({ ...line(what, amount, {}), messages: '', parts: '' })),
    ...charges.map(({ channel, operator, messages, parts, amountMicros }) => ({
      ...line('charge', -amountMicros, { channel: channel ?? '', operator: operator ?? '' }),
      messages,
      parts,
    })),
    { ...line('closing balance', closingMicros, {}), messages: '', parts: '' },
  ]
  return writeCsv([
    [
      ...['month', 'account', 'line', 'time', 'channel', 'operator', 'messages', 'parts', 'amount', 'currency', 'note'],
      'zone',
    ],
    ...lines.map(({ what, at = '', channel = '', operator = '', messages, parts, amount, note = '' }) => [
      ...[writeMonth(month), account.id, what, at, channel, operator, messages, parts],
      ...[writeDecimal(amount as Statement['openingMicros']), account.currency, note, zone],
    ]),
  ])
}

/** Postings by operators beyond the listed payments. */
function unlisted({ payments, topUpMicros, correctionMicros, refundMicros }: Statement) {
  let [topUps, corrections]: number[] = [topUpMicros, correctionMicros - refundMicros]
  for (const { kind, amountMicros } of payments) {
    if (kind === 'top-up') topUps = (topUps ?? 0) - amountMicros
    else corrections = (corrections ?? 0) - (kind === 'correction up' ? amountMicros : -amountMicros)
  }
  return [
    { what: 'further top-ups', amount: topUps ?? 0 },
    { what: 'further corrections', amount: corrections ?? 0 },
    { what: 'refunds of messages', amount: refundMicros },
  ].filter(({ amount }) => amount !== 0)
}
