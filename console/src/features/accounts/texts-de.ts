/** German texts that pages of accounts share. */
import type { TextsLike } from '../../texts/texts.ts'
import type { ACCOUNTS_EN } from './texts-en.ts'

export const ACCOUNTS_DE: TextsLike<typeof ACCOUNTS_EN> = {
  active: 'Aktiv',
  suspended: 'Gesperrt',
  closed: 'Geschlossen',
  account: 'Konto',
  anyAccount: 'Alle Konten',
  chooseHint: 'Geben Sie einen Namen oder eine Nummer ein.',
  approved: 'Freigegeben',
  requested: 'Beantragt',
  rejected: 'Abgelehnt',
}
