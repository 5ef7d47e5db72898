/** German texts of senders. */
import type { TextsLike } from '../../texts/texts.ts'
import type { SENDERS_EN } from './texts-en.ts'

export const SENDERS_DE: TextsLike<typeof SENDERS_EN> = {
  title: 'Absender',
  description: 'Namen, die Empfänger sehen. Nachrichten mit anderen Namen werden abgelehnt.',
  add: 'Absender freigeben',
  request: 'Absender beantragen',
  addTitle: 'Einen Absender freigeben',
  requestTitle: 'Einen Absender beantragen',
  name: 'Name',
  channel: 'Kanal',
  state: 'Zustand',
  countries: 'Länder',
  allCountries: 'Alle',
  countriesHint: 'ISO-3166-Codes, mit Kommas getrennt: DE, AT. Leer: alle Länder.',
  smsRule: '3 bis 11 Zeichen des GSM-Alphabets oder 3 bis 15 Ziffern.',
  otherRule: 'Der Name, wie er für diesen Kanal registriert ist.',
  ids: 'Registrierungen bei Carriern',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  rejectTitle: (name) => `${name} ablehnen?`,
  rejectHint: 'Nachrichten mit diesem Namen werden ab jetzt abgelehnt.',
  reason: 'Grund',
  reasonHint: 'Der Kunde sieht ihn.',
  approved: (name) => `${name} ist freigegeben`,
  requested: (name) => `${name} ist beantragt`,
  rejected: (name) => `${name} ist abgelehnt`,
  actionsLabel: 'Aktionen',
  cancel: 'Abbrechen',
  none: 'Noch keine Absender',
  noneHint: 'Geben Sie den ersten Namen frei, damit das Konto senden kann.',
}
