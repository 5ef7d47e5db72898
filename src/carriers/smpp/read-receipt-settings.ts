/** The settings that say how a carrier writes ids and receipts. */
import type { ReceiptOutcome } from '../../domain/journey-event.ts'
import type { SettingReader } from '../setting-reader.ts'
import { ID_FORMS, type IdForm } from './same-ref.ts'

const APART_BY = ['id', 'recipient', 'reference'] as const
const OUTCOMES = ['accepted', 'delivered', 'expired', 'undeliverable', 'rejected', 'unknown'] as const

export interface ReceiptSettings {
  /** How the carrier writes its ids in its answers, and how in its receipts. */
  readonly answer: IdForm
  readonly receipt: IdForm
  /**
   * What tells parts apart whose ids are the same, for carriers that repeat ids: nothing more than the id, the recipient, or
   * the user_message_reference that the carrier sends back.
   */
  readonly apartBy: (typeof APART_BY)[number]
  /** By word or number of a state, in capitals; before what SMPP says. */
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
