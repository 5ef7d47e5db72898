/** The states of a message at the carrier (SMPP 3.4, 5.2.28 and appendix B) and the outcomes they stand for. */
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'

export interface MessageState {
  /** As in the text of a receipt. */
  readonly word: string
  /** As in the TLV message_state. */
  readonly number: number
  readonly outcome: ReceiptOutcome
}

/** The first and the last are from SMPP 5.0 (4.7.15). */
const STATES: readonly MessageState[] = [
  { word: 'SCHEDULED', number: 0, outcome: 'accepted' },
  { word: 'ENROUTE', number: 1, outcome: 'accepted' },
  { word: 'DELIVRD', number: 2, outcome: 'delivered' },
  { word: 'EXPIRED', number: 3, outcome: 'expired' },
  { word: 'DELETED', number: 4, outcome: 'undeliverable' },
  { word: 'UNDELIV', number: 5, outcome: 'undeliverable' },
  { word: 'ACCEPTD', number: 6, outcome: 'accepted' },
  { word: 'UNKNOWN', number: 7, outcome: 'unknown' },
  { word: 'REJECTD', number: 8, outcome: 'rejected' },
  { word: 'SKIPPED', number: 9, outcome: 'undeliverable' },
]

/** Four letters distinguish the states, so that `delivered` and `UNDELIVERABLE` are understood as well. */
const SIGNIFICANT_LETTERS = 4

const BY_NUMBER = new Map(STATES.map((state) => [state.number, state]))
/** Not in SMPP, but in many receipts. */
const OTHER_WORDS: readonly MessageState[] = [
  { word: 'FAILED', number: 5, outcome: 'undeliverable' },
  { word: 'BLOCKED', number: 8, outcome: 'rejected' },
  { word: 'SENT', number: 1, outcome: 'accepted' },
]
const BY_LETTERS = new Map(
  [...STATES, ...OTHER_WORDS].map((state) => [state.word.slice(0, SIGNIFICANT_LETTERS), state]),
)

export function stateOfNumber(number: number): MessageState | null {
  return BY_NUMBER.get(number) ?? null
}

/** Case-insensitive, with any ending; or the number of the state. */
export function stateOfWord(word: string): MessageState | null {
  if (/^\d+$/.test(word)) return stateOfNumber(Number(word))
  return BY_LETTERS.get(word.slice(0, SIGNIFICANT_LETTERS).toUpperCase()) ?? null
}
