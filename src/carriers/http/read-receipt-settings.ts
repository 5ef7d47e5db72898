/** The settings of a generic HTTP carrier that define how its receipts arrive. */
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import type { SettingReader } from '../shared/setting-reader.ts'
import type { JsonPath } from './find-text.ts'
import { type CallSettings, readCallSettings, readPath } from './read-call-settings.ts'

export interface ReceiptSettings extends CallSettings {
  readonly id: JsonPath
  readonly status: JsonPath
  /** Additional text for the timeline; null for none. */
  readonly reason: JsonPath | null
  /** The billing category of the part (domain/money/cost.ts); null if the carrier does not report it. */
  readonly category: JsonPath | null
  /** By status word in lower case; receipts with any other word are acknowledged and ignored. */
  readonly outcomes: ReadonlyMap<string, ReceiptOutcome>
}

const OUTCOMES: readonly ReceiptOutcome[] = [
  'accepted',
  'delivered',
  'read',
  'expired',
  'undeliverable',
  'rejected',
  'unknown',
]

export function readReceiptSettings(receipt: SettingReader): ReceiptSettings {
  const call = readCallSettings(receipt)
  const { format } = call
  const read: ReceiptSettings = {
    ...call,
    id: readPath(receipt, 'id', format),
    status: readPath(receipt, 'status', format),
    reason: receipt.has('reason') ? readPath(receipt, 'reason', format) : null,
    category: receipt.has('category') ? readPath(receipt, 'category', format) : null,
    outcomes: readOutcomes(receipt),
  }
  receipt.end()
  return read
}

function readOutcomes(receipt: SettingReader): ReadonlyMap<string, ReceiptOutcome> {
  const outcomes = receipt.map('outcomes', (words, word) => words.oneOf(word, OUTCOMES))
  if (outcomes.size === 0) throw receipt.wrong('outcomes', 'should name at least one word')
  return new Map([...outcomes].map(([word, outcome]) => [word.toLowerCase(), outcome]))
}
