/** The last days of a carrier: what it delivered, how fast, with which errors, and how long it was in which state. */
import Type, { type Static } from 'typebox'
import {
  CARRIER_STATES,
  type CarrierCondition,
  type CarrierTime,
  dayNumber,
} from '../../../domain/routing/carrier-time.ts'
import type { AlarmStore } from '../../../ports/stores/alarm-store.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { readStatistics, writeFigures, writeSlot } from '../../read/read-statistics.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { plainCell, writeCsv } from '../fields/csv.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { CARRIER, listOf, nullable, READERS, whole } from '../fields/shapes.ts'

const MAX_DAYS = 30
const DAY_MS = 86_400_000

const Day = Type.Object({
  day: Type.String({ description: 'UTC' }),
  taken: whole({ description: 'messages that the carrier took' }),
  delivered: whole(),
  undelivered: whole({ description: 'messages that failed or went on to the next channel' }),
  delivered_of_taken: nullable(Type.Number({ description: 'share delivered, from 0 to 1, of those that have ended' })),
  p50_seconds: nullable(Type.Number({ description: 'half were delivered within so many seconds; estimated' })),
  p95_seconds: nullable(Type.Number({ description: '95 of 100 were' })),
  errors: Type.Array(Type.Object({ status: Type.String(), messages: whole() }), {
    description: 'final statuses of undelivered messages, the most frequent first',
  }),
  states: Type.Object(
    Object.fromEntries(CARRIER_STATES.map((state) => [state, whole()])) as Record<
      CarrierCondition,
      ReturnType<typeof whole>
    >,
    { description: 'seconds in each state, of all gateways together; they began to be counted with this version' },
  ),
})
type DayView = Static<typeof Day>

const QUERY = {
  days: Type.Optional(
    whole({ minimum: 1, maximum: MAX_DAYS, default: MAX_DAYS, description: 'how many days, today included' }),
  ),
}
const PARAMS = { id: CARRIER }

export const HISTORY_ENDPOINTS = [
  endpoint({
    name: 'showCarrierHistory',
    method: 'GET',
    path: '/carriers/{id}/history',
    command: 'carrier history',
    textRow: ({ errors, states, ...figures }) => ({
      ...figures,
      errors: writeErrors(errors),
      states: writeShares(states),
    }),
    summary: 'show by day what a carrier delivered, how fast, its errors, and how long it was in which state',
    may: READERS,
    params: PARAMS,
    query: QUERY,
    result: listOf(Day),
    run: async (tools, { id, days }) => ({ data: [...(await readHistory(tools, id, days))] }),
  }),
  endpoint({
    name: 'exportCarrierHistory',
    method: 'GET',
    path: '/carriers/{id}/history/csv',
    command: 'carrier history-csv',
    summary: 'export the history of a carrier as CSV',
    may: READERS,
    params: PARAMS,
    query: QUERY,
    result: Type.Object({ csv: Type.String() }),
    run: async (tools, { id, days }) => ({ csv: toCsv(await readHistory(tools, id, days)) }),
  }),
]

type Tools = Pick<AdminTools, 'clock'> & {
  readonly store: Pick<QueryStore, 'messageTotals'> &
    Pick<AlarmStore, 'carrierTimes'> &
    Pick<AdminTools['store'], 'loadDirectory'>
}

/** The oldest day first; days without messages are in it. */
async function readHistory({ store, clock }: Tools, id: string, days = MAX_DAYS): Promise<readonly DayView[]> {
  const { carriers } = await store.loadDirectory()
  if (!carriers.some((carrier) => carrier.id === id)) throw new UnknownThing(`there is no carrier ${id}`)
  const now = clock.now()
  const first = dayNumber(now) - days + 1
  const range = {
    from: writeDay(first),
    through: writeDay(dayNumber(now)),
    resolution: 'day',
    accountId: null,
  } as const
  const read = async (by: readonly 'status'[]) => {
    const answer = await readStatistics(store, { ...range, only: { carrier: id }, by }, now)
    if ('rule' in answer) throw new FieldRefused('days', answer.rule)
    return Map.groupBy(answer.lines, ({ slot }) => writeSlot(slot, 'day'))
  }
  const [figures, statuses] = [await read([]), await read(['status'])]
  const times = Map.groupBy(await store.carrierTimes(id, first), ({ day }) => writeDay(day))
  return Array.from({ length: days }, (_, index) => {
    const day = writeDay(first + index)
    const [line] = figures.get(day) ?? []
    const errors = (statuses.get(day) ?? [])
      .map(({ status, failed, fellBack }) => ({ status: status ?? '', messages: failed + fellBack }))
      .filter(({ status, messages }) => status !== '' && messages > 0)
      .sort((a, b) => b.messages - a.messages)
    const { taken, delivered, delivered_of_taken, p50_seconds, p95_seconds } =
      line === undefined ? NOTHING : writeFigures(line)
    const undelivered = line === undefined ? 0 : line.failed + line.fellBack
    const shown = { day, taken, delivered, undelivered, delivered_of_taken, p50_seconds, p95_seconds, errors }
    return { ...shown, states: statesOf(times.get(day) ?? []) }
  })
}

const NOTHING = { taken: 0, delivered: 0, delivered_of_taken: null, p50_seconds: null, p95_seconds: null }

function statesOf(times: readonly CarrierTime[]): DayView['states'] {
  const sums = { connected: 0, breaker_open: 0, draining: 0, stopped: 0 }
  for (const { state, seconds } of times) sums[state] += seconds
  return sums
}

function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function writeErrors(errors: DayView['errors']): string {
  return errors.map(({ status, messages }) => `${status} ${messages}`).join('; ')
}

/** In percent of the observed time. */
function writeShares(states: DayView['states']): string {
  const known = Object.values(states).reduce((sum, seconds) => sum + seconds, 0)
  const seen = Object.entries(states).filter(([, seconds]) => seconds > 0)
  return seen.map(([state, seconds]) => `${state} ${((seconds / known) * 100).toFixed(1)} %`).join('; ')
}

function toCsv(days: readonly DayView[]): string {
  const rows = days.map(({ errors, states, ...figures }) => {
    const plain = Object.values(figures).map((cell) => cell ?? '')
    return [...plain, plainCell(writeErrors(errors)), ...Object.values(states)]
  })
  const { errors: _, states: __, ...plain } = Day.properties
  const heads = [...Object.keys(plain), 'errors', ...CARRIER_STATES.map((state) => `${state}_seconds`)]
  return writeCsv([heads, ...rows])
}
