/** Settings and lists that the search finds by name: the page and tab that have them. */
import type { Language } from '../texts/language.ts'

export interface NamedSetting extends Readonly<Record<Language, string>> {
  /** Path of the page; it must be one of the user's pages. */
  readonly page: string
  readonly tab: string
}

export const NAMED_SETTINGS: readonly NamedSetting[] = [
  { page: '/routes', tab: 'pools', en: 'Number pools', de: 'Nummernpools' },
  { page: '/routes', tab: 'operators', en: 'Mobile operators', de: 'Netzbetreiber' },
  { page: '/prices', tab: 'groups', en: 'Price groups', de: 'Preisgruppen' },
  { page: '/prices', tab: 'moves', en: 'Moves between price groups', de: 'Wechsel der Preisgruppe' },
  { page: '/guards', tab: 'numbers', en: 'Deny and allow list', de: 'Sperrliste und Freiliste' },
  { page: '/guards', tab: 'opt-outs', en: 'Opt-outs', de: 'Abmeldungen' },
  { page: '/guards', tab: 'limits', en: 'Limits and quiet hours', de: 'Grenzen und Ruhezeiten' },
  { page: '/reports', tab: 'failing', en: 'Failing hooks', de: 'Gestörte Hooks' },
  { page: '/reports', tab: 'stopped', en: 'Stopped hooks', de: 'Gestoppte Hooks' },
  { page: '/reports', tab: 'managed', en: 'Client hooks', de: 'Hooks der Kunden' },
  { page: '/inbound', tab: 'numbers', en: 'Inbound numbers', de: 'Eingehende Nummern' },
  { page: '/alarms', tab: 'traffic', en: 'Unusual traffic', de: 'Ungewöhnlicher Verkehr' },
  { page: '/alarms', tab: 'targets', en: 'Notifications', de: 'Benachrichtigungen' },
  { page: '/system', tab: 'configuration', en: 'Configuration', de: 'Konfiguration' },
]
