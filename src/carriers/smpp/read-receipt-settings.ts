/** The settings for the ids and receipts of a carrier. */
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import type { SettingReader } from '../shared/setting-reader.ts'
import { ID_FORMS, type IdForm } from './same-ref.ts'

const APART_BY = ['id', 'recipient', 'reference'] as const
const OUTCOMES = ['accepted', 'delivered', 'expired', 'undeliverable', 'rejected', 'unknown'] as const

export interface ReceiptSettings {
  /** The form of ids in the carrier's answers, and in its receipts. */
  readonly answer: IdForm
  readonly receipt: IdForm
  /**
   * What distinguishes parts with the same id, for carriers that reuse ids: only the id, the recipient, or the
   * user_message_reference that the carrier returns.
   */
  readonly apartBy: (typeof APART_BY)[number]
  /** By state word or number, in capitals; takes precedence over SMPP's meanings. */
  readonly states: Outcomes
  /** By error code, in capitals, for receipts of failure: a code may say more than the state. */
  readonly errors: Outcomes
}

type Outcomes = ReadonlyMap<string, ReceiptOutcome>

export function readReceiptSettings(settings: SettingReader): ReceiptSettings {
  const ids = settings.optionalGroup('receiptIds')
  const read = {
    answer: ids.oneOf('answer', ID_FORMS, 'as-is'),
    receipt: ids.oneOf('receipt', ID_FORMS, 'as-is'),
    apartBy: ids.oneOf('apartBy', APART_BY, 'id'),
    states: readOutcomes(settings, 'receiptStates'),
    errors: readOutcomes(settings, 'receiptErrors'),
  }
  ids.end()
  return read
}

function readOutcomes(settings: SettingReader, name: string): Outcomes {
  const outcomes = settings.map(name, (values, word) => values.oneOf(word, OUTCOMES))
  return new Map([...outcomes].map(([word, outcome]) => [word.toUpperCase(), outcome]))
}
