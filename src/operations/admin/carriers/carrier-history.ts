/** The last days of a carrier: what it delivered, how fast, with which errors, and how long it was in which state. */
import Type, { type Static } from 'typebox'
import {
  addTimes,
  CARRIER_STATES,
  type CarrierCondition,
  dayNumber,
  downSeconds,
  type StateSeconds,
} from '../../../domain/routing/carrier-time.ts'
import type { StatisticsLine } from '../../../domain/statistics/statistics-lines.ts'
import { writeSpan } from '../../../domain/time/span.ts'
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
const SECOND_MS = 1_000

const Figures = Type.Object({
  taken: whole({ description: 'messages that the carrier took' }),
  delivered: whole(),
  undelivered: whole({ description: 'messages that failed or went on to the next channel' }),
  delivered_of_taken: nullable(Type.Number({ description: 'share delivered, from 0 to 1, of those that have ended' })),
  p50_seconds: nullable(Type.Number({ description: 'half were delivered within so many seconds; estimated' })),
  p95_seconds: nullable(Type.Number({ description: '95 of 100 were' })),
  errors: Type.Array(Type.Object({ status: Type.String(), messages: whole() }), {
    description: 'final statuses of undelivered messages, the most frequent first',
  }),
  down_seconds: whole({ description: 'seconds without a connection or with an open breaker' }),
  states: Type.Object(
    Object.fromEntries(CARRIER_STATES.map((state) => [state, whole()])) as Record<
      CarrierCondition,
      ReturnType<typeof whole>
    >,
    { description: 'seconds in each state; in a cluster, the mean of its gateways' },
  ),
})
type FiguresView = Static<typeof Figures>

const Day = Type.Object({ day: Type.String({ description: 'UTC' }), ...Figures.properties })

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
    columns: [
      ...Object.keys(Day.properties).filter((name) => name !== 'down_seconds' && name !== 'states'),
      'down',
      'states',
    ],
    textRow: ({ errors, down_seconds: down, states, ...figures }) => ({
      ...figures,
      errors: writeErrors(errors),
      down: writeSpan(down * SECOND_MS),
      states: writeStates(states),
    }),
    summary: 'show by day what a carrier delivered, how fast, its errors, and how long it was down and in which state',
    may: READERS,
    params: PARAMS,
    query: QUERY,
    result: Type.Object({ ...listOf(Day).properties, total: Figures }),
    run: (tools, { id, days }) => readHistory(tools, id, days),
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
async function readHistory({ store, clock }: Tools, id: string, days = MAX_DAYS) {
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
    return answer
  }
  const [figures, statuses] = [await read([]), await read(['status'])]
  const times = await store.carrierTimes(id, first)
  const data = Array.from({ length: days }, (_, index) => {
    const [day, begin] = [writeDay(first + index), (first + index) * DAY_MS]
    const isOfDay = ({ slot }: StatisticsLine) => writeSlot(slot, 'day') === day
    const [line = null] = figures.lines.filter(isOfDay)
    const view = viewFigures(line, statuses.lines.filter(isOfDay))
    const ofDay = times.filter((time) => time.day === first + index)
    return { day, ...view, ...viewTimes(addTimes(ofDay, (Math.min(now, begin + DAY_MS) - begin) / SECOND_MS)) }
  })
  const sums = CARRIER_STATES.map((state) => ({
    state,
    seconds: data.reduce((sum, { states }) => sum + states[state], 0),
  }))
  const total = { ...viewFigures(figures.sum, statuses.lines), ...viewTimes(addTimes(sums, Number.POSITIVE_INFINITY)) }
  return { data, total }
}

const NOTHING = { taken: 0, delivered: 0, delivered_of_taken: null, p50_seconds: null, p95_seconds: null }

function viewFigures(line: StatisticsLine | null, byStatus: readonly StatisticsLine[]) {
  const { taken, delivered, delivered_of_taken, p50_seconds, p95_seconds } =
    line === null ? NOTHING : writeFigures(line)
  const undelivered = line === null ? 0 : line.failed + line.fellBack
  const errors = new Map<string, number>()
  for (const { status, failed, fellBack } of byStatus) {
    if (status && failed + fellBack > 0) errors.set(status, (errors.get(status) ?? 0) + failed + fellBack)
  }
  const frequent = [...errors]
    .map(([status, messages]) => ({ status, messages }))
    .sort((a, b) => b.messages - a.messages)
  return { taken, delivered, undelivered, delivered_of_taken, p50_seconds, p95_seconds, errors: frequent }
}

function viewTimes(states: StateSeconds): Pick<FiguresView, 'down_seconds' | 'states'> {
  return { down_seconds: downSeconds(states), states }
}

function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function writeErrors(errors: FiguresView['errors']): string {
  return errors.map(({ status, messages }) => `${status} ${messages}`).join('; ')
}

function writeStates(states: StateSeconds): string {
  const seen = CARRIER_STATES.filter((state) => states[state] > 0)
  return seen.map((state) => `${state} ${writeSpan(states[state] * SECOND_MS)}`).join('; ')
}

function toCsv({ data, total }: Awaited<ReturnType<typeof readHistory>>): string {
  const rows = [...data, { day: 'total', ...total }].map(({ errors, states, ...figures }) => {
    const plain = Object.values(figures).map((cell) => cell ?? '')
    return [...plain, plainCell(writeErrors(errors)), ...CARRIER_STATES.map((state) => states[state])]
  })
  const { errors: _, states: __, ...plain } = Day.properties
  const heads = [...Object.keys(plain), 'errors', ...CARRIER_STATES.map((state) => `${state}_seconds`)]
  return writeCsv([heads, ...rows])
}
