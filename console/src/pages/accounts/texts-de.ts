/** German texts of the list of accounts. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LIST_EN } from './texts-en.ts'

export const LIST_DE: TextsLike<typeof LIST_EN> = {
  title: 'Konten',
  description: 'Kunden des Gateways mit Guthaben, Schlüsseln, Absendern und Preisen.',
  create: 'Neues Konto',
  name: 'Name',
  number: 'Nummer',
  state: 'Zustand',
  available: 'Verfügbar',
  sender: 'Standardabsender für SMS',
  low: 'Niedrig',
  search: 'Name oder Nummer',
  none: 'Noch keine Konten',
  noneHint: 'Ein Konto ist ein Kunde des Gateways: Es hat eigene Schlüssel, Absender, Preise und ein Guthaben.',
  noMatch: 'Kein Konto gefunden',
  noMatchHint: 'Ändern Sie die Suche, oder setzen Sie die Filter zurück.',
}
