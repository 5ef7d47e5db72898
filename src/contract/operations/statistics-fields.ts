/** The fields and the lines of `statistics`. */
import { DAY_OR_HOUR, RESOLUTIONS } from '../../domain/statistics/message-statistics.ts'
import { optional } from '../fields/fields.ts'
import { choice, type Kind, listOf } from '../fields/kinds.ts'
import { notADay } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

/** Carriers are the operator's own affair. */
const CLIENT_GROUPS = ['channel', 'operator', 'country', 'sender', 'status'] as const

const DAY: Kind<string> = {
  read(raw, name) {
    if (typeof raw !== 'string' || !new RegExp(DAY_OR_HOUR).test(raw)) throw new ItemRefused(notADay(name))
    return raw
  },
  schema: () => ({ type: 'string', pattern: DAY_OR_HOUR }),
}

export const STATISTICS_FIELDS = [
  optional('from', DAY, 'First day, such as 2026-11-30, or hour, such as 2026-11-30T14, UTC. Default: the last day.'),
  optional('through', DAY, 'Last day or hour, included. Default: today.'),
  optional('resolution', choice(RESOLUTIONS), 'One line for the whole time, or one for each day or hour: total.'),
  optional('by', listOf(CLIENT_GROUPS), 'Groups of the lines. Without it: none.'),
] as const

const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const group = (description: string) => ({ type: ['string', 'null'], description })
const share = (description: string) => ({ type: ['number', 'null'], description })
const seconds = (percent: number) => share(`Seconds within which ${percent} of 100 were delivered; estimated.`)

/** What a line of the list says. A group that was not asked for is null. */
export const STATISTICS_MEMBERS = {
  time: group('The day or hour, UTC; null for the whole time.'),
  channel: group('The channel.'),
  operator: group('MCC and MNC; null if unknown.'),
  country: group('ISO 3166; null if unknown.'),
  sender: group('Sender name.'),
  status: group('Status with which messages ended.'),
  asked: count('Messages accepted, under their first channel.'),
  taken: count('Messages that a carrier took, once per channel.'),
  delivered: count('Messages delivered.'),
  read: count('Messages read.'),
  failed: count('Messages that ended without a delivery.'),
  cancelled: count('Messages cancelled.'),
  fallen_back: count('Messages that went on to the next channel.'),
  parts: count('Parts of the messages that a carrier took.'),
  clicked: count('Messages with a click by a human on a short link.'),
  clicks: count('Clicks by humans on short links, in the hour of the click.'),
  robot_clicks: count('Clicks by robots and link previews, in the hour of the click.'),
  delivered_of_taken: share(
    'Share delivered, from 0 to 1, of those taken that were delivered or failed; null of nothing.',
  ),
  delivered_of_asked: share(
    'The same of those asked, without cancelled ones; null if grouped by channel, sender or status.',
  ),
  p50_seconds: seconds(50),
  p95_seconds: seconds(95),
  p99_seconds: seconds(99),
  reports_sent: count('Reports that hooks accepted.'),
  reports_failed: count('Reports that were given up.'),
  price: { type: 'number', description: 'What was charged.' },
  currency: { type: 'string', description: 'ISO 4217.' },
}
