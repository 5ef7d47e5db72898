/** Money of accounts: top-ups, corrections, credit limits, statements and the margin. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { Posting } from '../../../domain/money/ledger.ts'
import { type ChargeTotal, marginOf } from '../../../domain/money/margin.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { type Month, monthOf, readMonth, writeMonth } from '../../../domain/time/month.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { plainKind, signedAmount } from '../../read/view-posting.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import {
  ACCOUNT,
  BOOK_READERS,
  listOf,
  MARGIN_READERS,
  MONEY,
  nullable,
  optionalZone,
  PAGING,
  pageOf,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { HoldLine, viewHolds } from './holds.ts'
import { CORRECT, REFUND, SET_CREDIT_LIMIT, TOP_UP } from './payments.ts'
import { MAX_MARGIN_MONTHS, monthsIn, readMargin } from './read-margin.ts'
import { type AccountStatement, accountStatement, writeStatementCsv } from './statement-of.ts'

const MONTH = Type.String({
  pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
  rule: 'must be a month such as 2026-11',
  description: 'year and month',
  examples: ['2026-11'],
})

const STATEMENT_ZONE = { zone: optionalZone('time zone of the month') }

const PostingView = Type.Object({
  at: TIME,
  kind: Type.String({ description: 'top-up, correction, refund, hold, charge or release' }),
  amount: MONEY,
  message: nullable(whole()),
  channel: nullable(Type.String()),
  operator: nullable(Type.String()),
  parts: nullable(whole()),
  carrier: nullable(Type.String()),
  cost: nullable(MONEY),
  cost_currency: nullable(Type.String()),
  by: nullable(Type.String()),
  note: nullable(Type.String()),
})

/** Without the operator who posted it, and what the carrier costs. */
const ClientPosting = Type.Omit(PostingView, ['carrier', 'cost', 'cost_currency', 'by'])

const StatementView = Type.Object({
  account: ACCOUNT,
  name: Type.String(),
  month: MONTH,
  zone: Type.String({ description: 'the time zone of the month' }),
  currency: Type.String(),
  first_month: { ...MONTH, description: 'no month before it has postings; at most this one' },
  first_zoned_month: {
    ...MONTH,
    description: 'the first of these months that is known in time zones other than UTC; may be in the future',
  },
  closed: Type.Boolean({ description: 'whether the month is closed' }),
  opening: MONEY,
  top_ups: MONEY,
  corrections: { ...MONEY, description: 'with refunds' },
  refunds: { ...MONEY, description: 'of the charges of messages' },
  charges: MONEY,
  closing: MONEY,
  lines: Type.Array(
    Type.Object({
      channel: nullable(Type.String()),
      operator: nullable(Type.String({ description: 'MCC and MNC' })),
      operator_name: nullable(Type.String({ description: 'from the operator table' })),
      messages: whole(),
      parts: whole(),
      amount: MONEY,
    }),
    { description: 'the charges' },
  ),
  payments: Type.Array(
    Type.Object({
      at: TIME,
      kind: Type.String(),
      amount: MONEY,
      by: nullable(Type.String()),
      note: nullable(Type.String()),
    }),
  ),
})

const ClientStatement = Type.Object({
  ...StatementView.properties,
  payments: Type.Array(Type.Omit(StatementView.properties.payments.items, ['by'])),
})

const MarginLine = Type.Object({
  account: ACCOUNT,
  channel: nullable(Type.String()),
  carrier: nullable(Type.String()),
  messages: whole(),
  parts: whole(),
  revenue: MONEY,
  currency: Type.String(),
  cost: nullable(MONEY, { description: 'null if the carrier has no cost' }),
  cost_currency: nullable(Type.String()),
  margin: nullable(MONEY, { description: 'null if the cost is unknown or in another currency' }),
})

/** Below a table without a margin. */
const MARGIN_MISSING = 'Margin -: a cost is missing, in another currency, or not for your role; see posthorn cost list.'

export const MONEY_ENDPOINTS = [
  TOP_UP,
  CORRECT,
  REFUND,
  SET_CREDIT_LIMIT,
  endpoint({
    name: 'listPostings',
    method: 'GET',
    path: '/accounts/{account}/postings',
    command: 'account postings',
    summary: 'list the postings of an account, newest first; a page may be short although more follow',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientPosting) },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(PostingView),
    run: async ({ store }, { account, after = null, most = STANDARD_ROWS }) => {
      const { id: accountId } = accountRow(await store.loadDirectory(), toAccountId(account))
      const { rows, next } = await store.page({ of: 'postings', accountId, after, limit: most })
      return { data: rows.map(viewPosting), next }
    },
  }),
  endpoint({
    name: 'showStatement',
    method: 'GET',
    path: '/accounts/{account}/statements/{month}',
    command: 'account statement',
    summary: 'show the statement of an account for a month: opening balance, top-ups, charges, closing balance',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account', result: ClientStatement },
    params: { account: ACCOUNT, month: MONTH },
    query: STATEMENT_ZONE,
    result: StatementView,
    run: async (tools, input) => viewStatement(await statementFor(tools, input)),
  }),
  endpoint({
    name: 'exportStatement',
    method: 'GET',
    path: '/accounts/{account}/statements/{month}/csv',
    command: 'account statement-csv',
    summary: 'export the statement as CSV, whose amounts add up from opening to closing',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT, month: MONTH },
    query: STATEMENT_ZONE,
    result: Type.Object({ csv: Type.String() }),
    run: async (tools, input) => ({ csv: writeStatementCsv(await statementFor(tools, input)) }),
  }),
  endpoint({
    name: 'showHolds',
    method: 'GET',
    path: '/ledger/holds',
    command: 'ledger holds',
    summary: 'show the money on hold for open messages, by currency',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { account: Type.Optional(ACCOUNT) },
    result: listOf(HoldLine),
    run: async ({ store }, { account }) => ({ data: await viewHolds(store, account) }),
  }),
  endpoint({
    name: 'showMargin',
    method: 'GET',
    path: '/margin',
    command: 'ledger margin',
    summary: 'show revenue, cost and margin by account, channel and carrier; this month by default',
    may: MARGIN_READERS,
    query: {
      from: Type.Optional({ ...MONTH, description: 'first month, UTC; this month by default' }),
      through: Type.Optional({ ...MONTH, description: 'last month; the first one by default' }),
      account: Type.Optional(ACCOUNT),
      ...PAGING,
    },
    result: pageOf(MarginLine),
    hint: ({ data }) => (data.some(({ margin }) => margin === null) ? MARGIN_MISSING : null),
    run: async ({ store, clock }, { from, through, account, ...paging }) => {
      const first = from === undefined ? monthOf(clock.now()) : monthIn('from', from)
      const months = { from: first, through: through === undefined ? first : monthIn('through', through) }
      if (months.from > months.through) throw new FieldRefused('from', 'must not be later than through')
      if (monthsIn(months) > MAX_MARGIN_MONTHS) {
        throw new FieldRefused('from', `must be at most ${MAX_MARGIN_MONTHS} months before the end`)
      }
      const { accounts } = await store.loadDirectory()
      const wanted = account === undefined ? accounts : accounts.filter(({ id }) => id === account)
      const currencies = new Map(wanted.map(({ id, currency }) => [id, currency]))
      const { totals, next } = await readMargin(store, { months, accounts: [...currencies.keys()], page: paging })
      return { data: totals.map((total) => viewMargin(total, currencies.get(total.accountId) ?? '')), next }
    },
  }),
  endpoint({
    name: 'verifyLedger',
    method: 'GET',
    path: '/ledger/faults',
    ownCommand: 'ledger verify',
    summary: 'verify the ledger; returns its discrepancies, none if it is correct',
    may: MARGIN_READERS,
    result: listOf(Type.String()),
    run: async ({ store }) => ({ data: [...(await store.verifyLedger())] }),
  }),
]

function monthIn(field: string, text: string): Month {
  const month = readMonth(text)
  if (month === null) throw new ChangeRefused(`${field} must be a month such as 2026-11`)
  return month
}

interface StatementQuery {
  readonly account: number
  readonly month: string
  readonly zone?: string | undefined
}

function statementFor({ store, clock }: AdminTools, { account, month, zone }: StatementQuery) {
  return accountStatement(store, toAccountId(account), { month: monthIn('month', month), zone }, clock.now())
}

function viewPosting(posting: Posting & { readonly at: number }): Static<typeof PostingView> {
  const { kind, at, messageId, charge, by = null, note = null } = posting
  return {
    at: writeTime(at),
    kind: plainKind(kind),
    amount: signedAmount(posting),
    message: messageId,
    channel: charge?.channel ?? null,
    operator: charge?.operator ?? null,
    parts: charge?.parts ?? null,
    carrier: charge?.carrierId ?? null,
    cost: charge?.cost == null ? null : toDecimal(charge.cost.micros),
    cost_currency: charge?.cost?.currency ?? null,
    by,
    note,
  }
}

function viewStatement({ account, statement, operatorNames }: AccountStatement): Static<typeof StatementView> {
  return {
    account: account.id,
    name: account.name,
    month: writeMonth(statement.month),
    zone: statement.zone,
    currency: account.currency,
    first_month: writeMonth(statement.firstMonth),
    first_zoned_month: writeMonth(statement.firstZonedMonth),
    closed: statement.isClosed,
    opening: toDecimal(statement.openingMicros),
    top_ups: toDecimal(statement.topUpMicros),
    corrections: toDecimal(statement.correctionMicros),
    refunds: toDecimal(statement.refundMicros),
    charges: toDecimal(statement.chargeMicros),
    closing: toDecimal(statement.closingMicros),
    lines: statement.charges.map(({ amountMicros, channel, operator, ...line }) => {
      const name = operatorNames.get(operator ?? '') ?? null
      return { channel, operator, operator_name: name, ...line, amount: toDecimal(amountMicros) }
    }),
    payments: statement.payments.map((posting) => {
      const { at, kind, by = null, note = null } = posting
      return { at: writeTime(at), kind: plainKind(kind), amount: signedAmount(posting), by, note }
    }),
  }
}

function viewMargin(total: ChargeTotal, currency: string): Static<typeof MarginLine> {
  const margin = marginOf(total, currency)
  return {
    account: total.accountId,
    channel: total.channel,
    carrier: total.carrierId,
    messages: total.messages,
    parts: total.parts,
    revenue: toDecimal(total.amountMicros),
    currency,
    cost: total.cost === null ? null : toDecimal(total.cost.micros),
    cost_currency: total.cost?.currency ?? null,
    margin: margin === null ? null : toDecimal(margin),
  }
}
