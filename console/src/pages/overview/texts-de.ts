/** German texts of the overview. */
import type { TextsLike } from '../../texts/texts.ts'
import type { OVERVIEW_EN } from './texts-en.ts'

export const OVERVIEW_DE: TextsLike<typeof OVERVIEW_EN> = {
  title: 'Übersicht',
  carriers: 'Carrier',
  carrier: 'Carrier',
  channel: 'Kanal',
  state: 'Zustand',
  rate: 'Teile pro Sekunde',
  waiting: 'Wartend',
  inFlight: 'Unterwegs',
  up: 'Aktiv',
  down: 'Ausgefallen',
  draining: 'Wird geleert',
  degraded: 'Eingeschränkt',
  notRunning: 'Läuft hier nicht',
  noCarriers: 'Noch keine Carrier',
  noCarriersHint: 'Nachrichten gehen hinaus, sobald es einen Carrier und eine Route gibt.',
}
