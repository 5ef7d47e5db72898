/**
 * German texts of the parts.
 *
 * Terms of all German texts: account Konto · audit log Änderungsprotokoll · breaker Schutzschalter · carrier Carrier
 * · charge berechnen · connection Verbindung · cost Kosten · delivery rate Zustellrate · drain stilllegen · failing
 * hook gestörter Hook · hold reservieren · hook Hook · ledger Buchungen · lifetime Zustellfrist · limit Grenze ·
 * margin Marge · mobile operator Netzbetreiber · operator (user) Betreiber · opt-out Abmeldung · part Teil · pool
 * Nummernpool · prefix Vorwahl · priority Priorität · receipt Quittung · recipient Empfänger · release freigeben ·
 * report Bericht · robot Bot · route Route · sender Absender · short link Kurzlink · stopped hook gestoppter Hook ·
 * top-up Aufladung · traffic Verkehr · unusual ungewöhnlich · verification Verifizierung.
 * Users are addressed with Sie: hints and errors are sentences ("Geben Sie …"), buttons infinitives ("Konto
 * anlegen").
 */
import { plural, type TextsLike } from '../texts/texts.ts'
import type { PARTS_EN } from './texts-en.ts'

export const PARTS_DE: TextsLike<typeof PARTS_EN> = {
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  failed: 'Das konnte nicht geladen werden',
  more: 'Mehr laden',
  nothing: 'Noch nichts vorhanden',
  copy: 'Kopieren',
  copied: 'Kopiert',
  close: 'Schließen',
  unsaved: 'Ohne Speichern verlassen?',
  unsavedText: 'Ihre Änderungen sind nicht gespeichert.',
  leave: 'Verlassen',
  cancel: 'Abbrechen',
  confirm: 'Bestätigen',
  save: 'Speichern',
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  shownOnce: 'Jetzt kopieren. Der Wert wird nicht noch einmal angezeigt.',
  optional: 'optional',
  choose: 'Auswählen …',
  noMatch: 'Keine Treffer',
  chooseOne: 'Wählen Sie einen Eintrag der Liste.',
  outdated:
    'Ein anderer Benutzer hat dies geändert. Verwerfen Sie Ihre Änderungen, um den jetzigen Stand zu sehen, und ändern Sie ihn dann.',
  wholeNumber: 'Geben Sie eine ganze Zahl ohne Trennzeichen ein.',
  decimalNumber: 'Geben Sie eine Zahl mit Dezimalpunkt ein, etwa 5.5.',
  clearFilters: 'Filter zurücksetzen',
  search: 'Suchen',
  sortBy: (column) => `Nach ${column} sortieren`,
  chartTable: 'Werte als Tabelle anzeigen',
  from: 'Von',
  through: 'Bis',
  range: 'Zeitraum',
  lastHour: 'Letzte Stunde',
  last24Hours: 'Letzte 24 Stunden',
  last7Days: 'Letzte 7 Tage',
  last30Days: 'Letzte 30 Tage',
  custom: 'Andere …',
  apply: 'Anwenden',
  dismiss: 'Ausblenden',
  rowsShown: (count) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
  rowsOf: (shown, count) => `${shown} von ${count} Zeilen`,
  time: 'Zeit',
  timeUnits: { second: 'Sekunden', minute: 'Minuten', hour: 'Stunden', day: 'Tage' },
  unitOf: (field: string) => `Einheit: ${field}`,
  times: {
    second: plural('de', '# Sekunde', '# Sekunden'),
    minute: plural('de', '# Minute', '# Minuten'),
    hour: plural('de', '# Stunde', '# Stunden'),
    day: plural('de', '# Tag', '# Tage'),
  },
  andMore: plural('de', 'und # weitere', 'und # weitere'),
  moreColumns: 'Die Tabelle ist breiter als die Seite: Scrollen Sie seitwärts zu weiteren Spalten.',
}
