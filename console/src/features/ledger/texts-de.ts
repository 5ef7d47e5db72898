/** German texts of money and postings. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LEDGER_EN } from './texts-en.ts'

export const LEDGER_DE: TextsLike<typeof LEDGER_EN> = {
  topUp: 'Aufladen',
  topUpTitle: 'Guthaben aufladen',
  topUpAmount: (amount) => `${amount} aufladen`,
  toppedUp: (amount) => `Das Konto hat ${amount} verfügbar`,
  amount: (currency) => `Betrag in ${currency}`,
  amountHint: 'Mit Dezimalpunkt, etwa 250.00.',
  note: 'Notiz',
  noteHint: 'Etwa die Nummer einer Rechnung oder Zahlung.',
  wrongAmount: 'Den Betrag mit Dezimalpunkt und ohne Trennzeichen schreiben, etwa 12.50.',
  cancel: 'Abbrechen',
}
