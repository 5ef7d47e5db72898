/** What accepted messages, turns, clicks and reports add to the statistics of messages, as rows. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Turn } from '../../../domain/journey/turn.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { Posting } from '../../../domain/money/ledger.ts'
import { type Country, countryOf } from '../../../domain/numbers/country.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { hourOf, type MessageEvent, startOf } from '../../../domain/statistics/message-statistics.ts'
import { latencyClass } from '../../../domain/structures/latency-class.ts'
import type { ReportResult } from '../../../ports/records/pending-report.ts'
import type { ClickCount } from '../../../ports/records/short-link.ts'
import { readJourney } from '../messages/journey-text.ts'

/** One more message. Unknown texts are empty. */
export type CountRow = [
  slot: number,
  accountId: AccountId,
  event: MessageEvent,
  channel: string,
  carrierId: string,
  operator: string,
  country: string,
  sender: string,
  currency: string,
  costCurrency: string,
  parts: number,
  priceMicros: number,
  costMicros: number,
]

export const COUNT_CELLS = 13

const NO_ROWS: readonly CountRow[] = []

/** Returns the row of an accepted message; null for a test message. */
export function askedRow(message: Message): CountRow | null {
  return message.test ? null : countRow(message, 'asked', 0, countryOf(message.phone))
}

/** The money of a turn is counted with its last event of the charged step. */
export function toCountRows({ message, counts, postings }: Turn): readonly CountRow[] {
  if (counts.length === 0 && !hasCharge(postings)) return NO_ROWS
  const country = countryOf(message.phone)
  const rows = counts.map(({ event, step }) => countRow(message, event, step, country))
  if (message.test) return rows
  for (const { charge, amountMicros } of postings) {
    if (charge === undefined) continue
    const { channel, cost } = charge
    let row = lastOf(rows, channel)
    if (row === undefined) {
      const step = message.plan.findIndex((each) => each.channel === channel)
      row = countRow(message, 'charged', step, country)
      rows.push(row)
    }
    row[9] = cost?.currency ?? ''
    row[11] += amountMicros
    row[12] += cost?.micros ?? 0
  }
  return rows
}

function hasCharge(postings: readonly Posting[]): boolean {
  for (const { charge } of postings) if (charge !== undefined) return true
  return false
}

function lastOf(rows: readonly CountRow[], channel: string): CountRow | undefined {
  let last: CountRow | undefined
  for (const row of rows) if (row[3] === channel) last = row
  return last
}

/** Returns what the result of a report adds; nothing for one that was parked. */
export function toReportCount(
  accountId: AccountId,
  { kind, at, tookMs, hook = '' }: ReportResult,
): readonly CountRow[] {
  if (kind === 'parked') return []
  const outcome = kind === 'sent' ? 'sent' : kind === 'later' ? 'retried' : 'failed'
  const event =
    tookMs === undefined ? (`report ${outcome}` as const) : (`report ${outcome} ${latencyClass(tookMs)}` as const)
  return [[hourOf(at), accountId, event, '', '', '', '', hook, '', '', 0, 0, 0]]
}

/** What clicks need of the message of their link. */
export const CLICKED_COLUMNS = 'account_id, phone, plan, journey, operator, currency, created_at, test'
export type ClickedRow = [
  accountId: AccountId,
  phone: Phone,
  plan: string,
  journey: string,
  operator: string | null,
  currency: string,
  createdAt: number,
  test: number,
]

/** A message with a clicked link. */
export type ClickedMessage = Pick<
  Message,
  'accountId' | 'phone' | 'plan' | 'journey' | 'operator' | 'currency' | 'createdAt'
>

/** Returns null for a test message, whose clicks are not counted. */
export function readClicked(row: ClickedRow): ClickedMessage | null {
  const [accountId, phone, plan, journey, operator, currency, createdAt, test] = row
  if (test === 1) return null
  return { accountId, phone, plan: JSON.parse(plan), journey: readJourney(journey), operator, currency, createdAt }
}

/** Returns what clicks on a link of a message add, and how often. */
export function toClickCounts(
  message: ClickedMessage,
  { humans, robots, at }: ClickCount,
): readonly (readonly [CountRow, number])[] {
  const step = message.journey.deliveredBy ?? message.journey.step
  const count = (event: MessageEvent, times: number) => {
    if (times === 0) return []
    const counted = countRow(message, event, step, countryOf(message.phone))
    counted[0] = hourOf(at)
    return [[counted, times] as const]
  }
  return [...count('human click', humans), ...count('robot click', robots)]
}

function countRow(
  message: Omit<ClickedMessage, 'phone'>,
  event: MessageEvent,
  step: number,
  country: Country | null,
): CountRow {
  const { accountId, plan, journey, operator, currency } = message
  const { channel = '', sender = '', parts = 0 } = plan[step] ?? {}
  const carrierId = journey.steps[step]?.carrierId ?? ''
  const slot = hourOf(startOf(message))
  return [slot, accountId, event, channel, carrierId, operator ?? '', country ?? '', sender, currency, '', parts, 0, 0]
}
