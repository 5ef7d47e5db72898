/** What accepted messages, turns and reports add to the statistics of messages, as rows. */
import type { AccountId } from '../../domain/account.ts'
import { type Country, countryOf } from '../../domain/country.ts'
import type { Message } from '../../domain/message.ts'
import { hourOf, type MessageEvent, startOf } from '../../domain/message-statistics.ts'
import type { Turn } from '../../domain/turn.ts'

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
  if (counts.length === 0 && !postings.some(({ charge }) => charge !== undefined)) return NO_ROWS
  const country = countryOf(message.phone)
  const rows = counts.map(({ event, step }) => countRow(message, event, step, country))
  if (message.test) return rows
  for (const { charge, amountMicros } of postings) {
    if (charge === undefined) continue
    const { channel, cost } = charge
    let row = rows.findLast((each) => each[3] === channel)
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

/** Returns what a report adds that is sent or given up; nothing for one that is tried again. */
export function toReportCount(
  accountId: AccountId,
  state: 'pending' | 'sent' | 'failed',
  at: number,
): readonly CountRow[] {
  if (state === 'pending') return []
  return [[hourOf(at), accountId, `report ${state}`, '', '', '', '', '', '', '', 0, 0, 0]]
}

function countRow(message: Message, event: MessageEvent, step: number, country: Country | null): CountRow {
  const { accountId, plan, journey, operator, currency } = message
  const { channel = '', sender = '', parts = 0 } = plan[step] ?? {}
  const carrierId = journey.steps[step]?.carrierId ?? ''
  const slot = hourOf(startOf(message))
  return [slot, accountId, event, channel, carrierId, operator ?? '', country ?? '', sender, currency, '', parts, 0, 0]
}
