/** `statistics`: how the messages of the account were delivered, by time and group. */
import { readFields } from '../../contract/fields/fields.ts'
import { STATISTICS_FIELDS } from '../../contract/operations/statistics-fields.ts'
import { type RequestObject, writeItemError, writeJsonResult } from '../../contract/request/envelope.ts'
import { wrongRange } from '../../contract/request/error-texts.ts'
import { toDecimal, toMicros } from '../../domain/money/money.ts'
import type { StatisticsLine } from '../../domain/statistics/statistics-lines.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'
import { readStatistics, writeFigures, writeSlot } from './read-statistics.ts'

/** Fewer than operators get, because the answer has at most so many bytes. */
const MAX_LINES = 1_500

/** Throws ItemRefused for fields of another form. */
export function planStatistics(scope: Scope, item: RequestObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { account, tools, now } = scope
  const { from, through, resolution, by = [] } = readFields(item, STATISTICS_FIELDS, tools.limits)
  return {
    answer: async () => {
      const input = { from, through, resolution, accountId: account.id, only: {}, by }
      const found = await readStatistics(tools.store, input, now, MAX_LINES)
      if ('rule' in found) return writeItemError(null, wrongRange(found.field, found.rule))
      const views = found.lines.map((line) => viewLine(line, writeSlot(line.slot, resolution), account.currency))
      return writeJsonResult(JSON.stringify(views))
    },
  }
}

function viewLine(line: StatisticsLine, time: string | null, currency: string) {
  const { channel, operator, country, sender, status } = line
  return {
    time,
    channel,
    operator,
    country,
    sender,
    status,
    ...writeFigures(line),
    price: toDecimal(toMicros(line.priceMicros ?? 0)),
    currency,
  }
}
