/** German texts that pages of accounts share. */
import type { TextsLike } from '../../texts/texts.ts'
import type { ACCOUNTS_EN } from './texts-en.ts'

export const ACCOUNTS_DE: TextsLike<typeof ACCOUNTS_EN> = {
  active: 'Aktiv',
  suspended: 'Gesperrt',
  closed: 'Geschlossen',
  account: 'Konto',
  searchAccount: 'Name oder Nummer',
  wrongAmount: 'Den Betrag mit Dezimalpunkt schreiben, etwa 12.50.',
  approved: 'Freigegeben',
  requested: 'Beantragt',
  rejected: 'Abgelehnt',
}
