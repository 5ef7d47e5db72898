/** German texts of the page of one account. */
import { plural, type TextsLike } from '../../texts/texts.ts'
import type { ACCOUNT_EN } from './texts-en.ts'

export const ACCOUNT_DE: TextsLike<typeof ACCOUNT_EN> = {
  back: 'Konten',
  number: (account) => `Konto ${account}`,
  tabsLabel: 'Bereiche des Kontos',
  tabs: {
    overview: 'Übersicht',
    settings: 'Einstellungen',
    keys: 'Schlüssel',
    senders: 'Absender',
    hooks: 'Hooks',
    'opt-outs': 'Abmeldungen',
    prices: 'Preise',
    ledger: 'Buchungen',
    guards: 'Schutzregeln',
    templates: 'Vorlagen',
  },
  actions: 'Aktionen',
  suspend: 'Sperren',
  suspendTitle: (name) => `${name} sperren?`,
  suspendText:
    'Seine Anfragen werden ab jetzt abgelehnt. Nachrichten, die ein Carrier hat, werden noch zugestellt, berechnet und berichtet; die anderen warten, bis es wieder aktiv ist.',
  queued: (messages, held) =>
    messages === 1
      ? `1 Nachricht wartet, die kein Carrier hat; dafür sind ${held} vorgemerkt.`
      : `${messages} Nachrichten warten, die kein Carrier hat; dafür sind ${held} vorgemerkt.`,
  discard: 'Wartende verwerfen',
  discardTitle: 'Wartende Nachrichten verwerfen?',
  discardText:
    'Sie werden abgebrochen und nie gesendet, und ihr Geld wird freigegeben. Das kann nicht rückgängig gemacht werden.',
  discarded: plural('de', '# Nachricht wurde abgebrochen', '# Nachrichten wurden abgebrochen'),
  activate: 'Aktivieren',
  activateTitle: (name) => `${name} aktivieren?`,
  activateText: 'Seine Anfragen werden wieder angenommen.',
  close: 'Konto schließen',
  closeTitle: (name) => `${name} endgültig schließen?`,
  closeText:
    'Alle Schlüssel werden widerrufen, und das Konto kann nicht wieder geöffnet werden. Angenommene Nachrichten werden noch zugestellt, berechnet und berichtet. Das restliche Guthaben wird danach zur Rückzahlung angezeigt.',
  suspended: (name) => `${name} ist gesperrt`,
  activated: (name) => `${name} ist aktiv`,
  closed: (name, amount) => `${name} ist geschlossen. Zurückzuzahlen: ${amount}`,
  available: 'Verfügbar',
  held: 'Reserviert',
  spent: 'Ausgegeben',
  creditLimit: 'Kreditrahmen',
  stopped: (address) => `Der Hook ${address} ist gestoppt, weil er mit 410 geantwortet hat. Seine Berichte warten.`,
  low: 'Es ist weniger verfügbar als die Grenze für niedriges Guthaben.',
  facts: 'Auf einen Blick',
  keys: 'Schlüssel',
  senders: 'Freigegebene Absender',
  hook: 'Standard-Hook',
  defaultSender: 'Standardabsender für SMS',
  failed: 'Fehlgeschlagene Berichte',
  waiting: 'Wartende Berichte',
  noHook: 'Keine Berichte',
  missing: 'keine',
  traffic: 'Verkehr',
  trafficLabel: 'Nachrichten pro Tag',
  asked: 'Angenommen',
  delivered: 'Zugestellt',
  share: 'Zustellrate',
  noTraffic: 'Keine Nachrichten in diesem Zeitraum',
  p95: '95 % innerhalb von',
}
