/** German texts about bulks that several pages show. */
import { plural, type TextsLike } from '../../texts/texts.ts'
import type { BULKS_EN } from './texts-en.ts'

export const BULKS_DE: TextsLike<typeof BULKS_EN> = {
  states: {
    uploading: 'Nimmt Zeilen an',
    ready: 'Geplant',
    running: 'Läuft',
    paused: 'Pausiert',
    stopped: 'Gestoppt',
    finished: 'Beendet',
  },
  reasons: {
    client: 'Vom Konto pausiert.',
    operator: 'Vom Betreiber pausiert.',
    funds: 'Das Guthaben deckt die nächste Zeile nicht. Aufladen, dann fortsetzen.',
    'daily limit': 'Das Konto hat seine Nachrichten oder sein Geld für heute verbraucht.',
    account: 'Das Konto ist gesperrt oder geschlossen.',
  },
  makers: { operator: 'Betreiber', user: 'Benutzer', key: 'Schlüssel' },
  test: 'Test',
  file: 'CSV- oder XLSX-Datei wählen',
  fileHint:
    'Die erste Zeile nennt die Spalten. Nummern brauchen ihre Ländervorwahl, außer das Konto hat ein Land für nationale Nummern.',
  chosen: (name, rows) => `${name}: ${rows}`,
  rows: plural('de', '# Zeile', '# Zeilen'),
  noRows: 'Die Datei hat keine Zeile unter ihrem Kopf.',
  tooManyRows: (most) => `Die Datei hat zu viele Zeilen: höchstens ${most}.`,
  faults: {
    format: 'Das ist keine CSV- oder XLSX-Datei.',
    locked: 'Die Datei ist eine alte XLS-Arbeitsmappe oder hat ein Kennwort. Speichern Sie sie als XLSX ohne Kennwort.',
    empty: 'Die Datei ist leer.',
    broken: 'Die Datei ist beschädigt. Speichern Sie sie neu, oder als CSV.',
    size: 'Die Datei ist zu groß. Speichern Sie sie als CSV, oder teilen Sie sie.',
    rows: 'Das Blatt hat mehr als 200.000 Zeilen. Speichern Sie es als CSV.',
    cells: 'Eine Zeile hat mehr als 100 Zellen, oder eine Zelle zu viel Text.',
    blank: 'Die Tabelle hat mehr als 300.000 leere Zeilen und Zellen. Löschen Sie diese.',
    sheet: 'Die Arbeitsmappe hat kein Tabellenblatt.',
  },
  column: (name) => (name === 'phone' ? 'Spalte mit der Telefonnummer' : `Spalte für {{${name}}}`),
  idColumn: 'Spalte mit Ihrer Kennung',
  noColumn: 'Spalte wählen',
  noId: 'Keine',
}
