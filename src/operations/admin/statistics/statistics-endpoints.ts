/** Statistics of messages by time and group, as data and as a CSV file. */
import Type, { type Static, type TObject } from 'typebox'
import { ROUTED_CHANNELS } from '../../../domain/channels/channel.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { operatorNames } from '../../../domain/numbers/operator-table.ts'
import {
  DAY_OR_HOUR,
  DAY_OR_HOUR_RULE,
  RESOLUTIONS,
  STATISTICS_FILTERS,
  STATISTICS_KEYS,
  type StatisticsKey,
  type StatisticsOrder,
} from '../../../domain/statistics/message-statistics.ts'
import type { StatisticsLine } from '../../../domain/statistics/statistics-lines.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { readStatistics, writeFigures, writeSlot } from '../../read/read-statistics.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, endpoint } from '../endpoint/endpoint.ts'
import { plainCell, writeCsv } from '../fields/csv.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import {
  ACCOUNT,
  BOOK_READERS,
  CARRIER,
  listOf,
  MARGIN_READERS,
  MONEY,
  nullable,
  optionalZone,
  READERS,
  SENDER_NAME,
  whole,
} from '../fields/shapes.ts'

const TIME_RANGE = (description: string) =>
  Type.Optional(Type.String({ pattern: DAY_OR_HOUR, rule: DAY_OR_HOUR_RULE, examples: ['2026-11-30'], description }))
const GROUPS = STATISTICS_KEYS.join('|')
/** The figures of a line that lines can be sorted by. */
const ORDERS = {
  asked: 'asked',
  taken: 'taken',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  delivered_of_taken: 'deliveredOfTaken',
  delivered_of_asked: 'deliveredOfAsked',
  p50_seconds: 'p50',
  p95_seconds: 'p95',
  price: 'priceMicros',
  cost: 'costMicros',
  margin: 'marginMicros',
} as const satisfies Readonly<Record<string, StatisticsOrder>>
const ORDER_NAMES = Object.keys(ORDERS) as (keyof typeof ORDERS)[]

const QUERY = {
  from: TIME_RANGE('first day, or hour such as 2026-11-30T14; by default the day of the last'),
  through: TIME_RANGE('last day or hour, included; today by default'),
  zone: optionalZone('time zone of days, of the last 34 days if it is not UTC; hours are UTC'),
  resolution: Type.Optional(
    Type.Enum([...RESOLUTIONS], { default: 'total', description: 'a line for the whole time, each day or each hour' }),
  ),
  by: Type.Optional(
    Type.String({
      pattern: `^(none|(${GROUPS})(,(${GROUPS}))*)$`,
      rule: `must be none, or one or more of ${STATISTICS_KEYS.join(', ')}, separated by commas`,
      default: 'channel',
      description: `grouping of the lines: none, or one or more of ${STATISTICS_KEYS.join(', ')}, separated by commas`,
      examples: ['account,operator'],
    }),
  ),
  account: Type.Optional(ACCOUNT),
  channel: Type.Optional(Type.Enum([...ROUTED_CHANNELS], { description: 'only this channel' })),
  carrier: Type.Optional(CARRIER),
  operator: Type.Optional(
    Type.String({
      pattern: '^\\d{5,6}$',
      rule: 'must be MCC and MNC, such as 26202',
      description: 'only this operator: MCC and MNC',
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      rule: 'must be two letters, such as DE',
      description: 'only this country: ISO 3166',
    }),
  ),
  sender: Type.Optional(SENDER_NAME),
  top: Type.Optional(
    whole({
      minimum: 1,
      maximum: 1_000,
      description: 'groups with a line of their own, all others in one line; 100 by default if all are too many lines',
    }),
  ),
  order: Type.Optional(
    Type.Enum(ORDER_NAMES, {
      description: 'sort by this figure, those without it last; with top, asked by default, otherwise by group',
    }),
  ),
  direction: Type.Optional(
    Type.Enum(['descending', 'ascending'], { default: 'descending', description: 'direction of the order' }),
  ),
}
type Query = Static<TObject<typeof QUERY>>

const share = (description: string) => nullable(Type.Number({ description }))
const seconds = (percent: number) =>
  nullable(
    Type.Number({ description: `${percent} of 100 were delivered within so many seconds of their start; estimated` }),
  )
const money = (description: string) => nullable(MONEY, { description })

const Line = Type.Object({
  time: nullable(Type.String({ description: 'the day of the zone, or the hour, UTC; null for the whole time' })),
  account: nullable(ACCOUNT),
  channel: nullable(Type.String()),
  carrier: nullable(Type.String({ description: 'null before a carrier was tried' })),
  operator: nullable(Type.String({ description: 'MCC and MNC; null if unknown' })),
  country: nullable(Type.String({ description: 'ISO 3166; null if unknown' })),
  sender: nullable(Type.String()),
  status: nullable(Type.String()),
  asked: whole({ description: 'messages accepted from clients, under the first channel' }),
  taken: whole({ description: 'messages that a carrier took, once per channel' }),
  delivered: whole(),
  read: whole(),
  failed: whole({ description: 'messages that ended without a delivery' }),
  cancelled: whole(),
  fallen_back: whole({ description: 'messages that went on to the next channel' }),
  parts: whole({ description: 'parts of the messages that a carrier took' }),
  clicked: whole({ description: 'messages with a click by a human on a short link' }),
  clicks: whole({ description: 'clicks by humans on short links, in the hour of the click' }),
  robot_clicks: whole({ description: 'clicks by robots and link previews, in the hour of the click' }),
  delivered_of_taken: share(
    'share delivered, from 0 to 1, of those taken that were delivered or failed; null of nothing',
  ),
  delivered_of_asked: share(
    'the same of those asked, without cancelled ones; null if grouped or selected by channel, carrier, sender or status',
  ),
  p50_seconds: seconds(50),
  p95_seconds: seconds(95),
  p99_seconds: seconds(99),
  reports_sent: whole({ description: 'reports that hooks accepted' }),
  reports_failed: whole({ description: 'reports that were given up' }),
  currency: nullable(Type.String({ description: 'of the price; null without one, or if there are several' })),
  price: money('what accounts paid; null if there are several currencies, or for roles without access'),
  cost: money('what carriers charge, where it is known; null if it is nowhere, or if there are several currencies'),
  cost_currency: nullable(Type.String()),
  margin: money('price less cost of the messages whose cost is known in the currency of their price; null if of none'),
  operator_name: nullable(Type.String({ description: 'of the table of operators' })),
  others: nullable(whole({ description: 'number of groups without a line of their own that this line adds up' })),
  price_without_cost: money('of the price, what the margin leaves out: that of messages without a known cost'),
})
type LineView = Static<typeof Line>
const COLUMNS = Object.keys(Line.properties) as (keyof LineView)[]

/** Clients see neither carriers nor what those charge. */
const ClientLine = Type.Omit(Line, ['carrier', 'cost', 'cost_currency', 'margin', 'price_without_cost'])
const CLIENT_COLUMNS = COLUMNS.filter((column) => column in ClientLine.properties)
/** Lines without them, such as reports without an operator, are not in the table. */
const TABLE_COUNTS = ['asked', 'taken', 'delivered', 'read', 'failed', 'fallen_back', 'price'] as const
const ONLY_OPERATORS = { carrier: null }

function answerOf<S extends typeof Line | typeof ClientLine>(line: S) {
  return Type.Object({ ...listOf(line).properties, total: nullable(line, { description: 'what all lines add up to' }) })
}

export const STATISTICS_ENDPOINTS = [
  endpoint({
    name: 'showStatistics',
    method: 'GET',
    path: '/statistics',
    command: 'statistics',
    columns: [
      ...['time', 'account', 'channel', 'carrier', 'operator', 'country', 'sender', 'status'],
      ...['asked', 'taken', 'delivered', 'read', 'failed', 'fallen_back', 'delivered_of_taken'],
      ...['delivered_of_asked', 'p50_seconds', 'p95_seconds', 'price', 'currency', 'margin', 'others'],
    ],
    textRow: (line) => (TABLE_COUNTS.some((count) => line[count] !== 0) ? line : null),
    hint: ({ data }) => {
      const left = data.flatMap(({ price_without_cost: price, currency }) => (price ? `${price} ${currency}` : []))
      return left.length === 0
        ? null
        : `The margin leaves out a price of ${left.join(', ')}, whose costs are unknown: see posthorn cost set.`
    },
    summary: 'show message counts, delivery shares, times and money by hour or day; today by channel by default',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: ONLY_OPERATORS, result: answerOf(ClientLine) },
    query: QUERY,
    result: answerOf(Line),
    run: (tools, query, actor) => viewStatistics(tools, query, actor),
  }),
  endpoint({
    name: 'exportStatistics',
    method: 'GET',
    path: '/statistics/csv',
    command: 'statistics-csv',
    summary: 'export statistics of messages as CSV',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: ONLY_OPERATORS },
    query: QUERY,
    result: Type.Object({ csv: Type.String() }),
    run: async (tools, query, actor) => {
      const columns = actor.account === null ? COLUMNS : CLIENT_COLUMNS
      const { data } = await viewStatistics(tools, query, actor)
      return { csv: writeCsv([columns, ...data.map((line) => columns.map((column) => writeCell(line[column])))]) }
    },
  }),
]

interface Tools {
  readonly store: Pick<QueryStore, 'messageTotals'> & Pick<SetupStore, 'loadDirectory'>
  readonly clock: Clock
}

async function viewStatistics({ store, clock }: Tools, query: Query, actor: Actor) {
  const { from, through, zone, resolution, account, by = 'channel', top, order, direction } = query
  const keys = by === 'none' ? [] : (by.split(',') as StatisticsKey[])
  if (actor.account !== null && keys.includes('carrier'))
    throw new FieldRefused('by', 'only operators may group by carrier')
  if (order !== undefined && !maySee(actor, order)) throw new FieldRefused('order', 'your role may not see this figure')
  const accountId = account === undefined ? null : toAccountId(account)
  const only = Object.fromEntries(
    STATISTICS_FILTERS.flatMap((key) => (query[key] === undefined ? [] : [[key, query[key]]])),
  )
  if (only['country'] !== undefined) only['country'] = only['country'].toUpperCase()
  const rank = order === undefined ? undefined : { by: ORDERS[order], descending: direction !== 'ascending' }
  const input = { from, through, zone, resolution, accountId, only, by: keys, top: { groups: top, rank } }
  const found = await readStatistics(store, input, clock.now())
  if ('rule' in found) throw new FieldRefused(found.field, found.rule)
  const names = keys.includes('operator') ? operatorNames((await store.loadDirectory()).operators) : NO_NAMES
  const view = (line: StatisticsLine): LineView => ({
    ...viewLine(line, writeSlot(line.slot, resolution, zone), actor),
    operator_name: names.get(line.operator ?? '') ?? null,
    others: line.others,
    price_without_cost: maySee(actor, 'margin') ? toAmount(line.pricedAloneMicros) : null,
  })
  return { data: found.lines.map(view), total: found.sum === null ? null : view(found.sum) }
}

/** Returns whether the role may see a figure; the order of lines would show it. */
function maySee({ role, account }: Actor, figure: keyof typeof ORDERS): boolean {
  if (figure === 'price') return account !== null || BOOK_READERS.includes(role)
  return (figure !== 'cost' && figure !== 'margin') || MARGIN_READERS.includes(role)
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

function viewLine(line: StatisticsLine, time: string | null, actor: Actor) {
  const { channel, carrierId, operator, country, sender, status, currency } = line
  const seesCost = maySee(actor, 'cost')
  return {
    time,
    account: line.accountId,
    channel,
    carrier: carrierId,
    operator,
    country,
    sender,
    status,
    ...writeFigures(line),
    currency,
    price: maySee(actor, 'price') ? toAmount(line.priceMicros) : null,
    cost: seesCost ? toAmount(line.costMicros) : null,
    cost_currency: seesCost ? line.costCurrency : null,
    margin: seesCost ? toAmount(line.marginMicros) : null,
  }
}

function toAmount(micros: number | null): number | null {
  return micros === null ? null : micros / 1_000_000
}

function writeCell(value: string | number | null): string | number {
  return typeof value === 'string' ? plainCell(value) : (value ?? '')
}
