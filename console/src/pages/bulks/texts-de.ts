/** German texts of the list of bulks. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LIST_EN } from './texts-en.ts'

export const LIST_DE: TextsLike<typeof LIST_EN> = {
  title: 'Massensendungen',
  description: 'Eine Nachricht an viele Empfänger, in einem Tempo gesendet.',
  create: 'Neue Massensendung',
  bulk: 'Nummer',
  account: 'Konto',
  message: 'Nachricht',
  state: 'Zustand',
  progress: 'Erledigt',
  lines: 'Zeilen',
  refused: 'Abgelehnt',
  estimate: 'Schätzung',
  price: 'Preis bisher',
  by: 'Angelegt von',
  made: 'Angelegt',
  open: 'Nicht beendet',
  kinds: { live: 'Echte', test: 'Tests' },
  anyKind: 'Echte und Tests',
  all: 'Beendete und laufende',
  none: 'Noch keine Massensendungen',
  noneHint: 'Eine Massensendung sendet eine Nachricht mit Platzhaltern an die Zeilen einer Datei.',
  noMatch: 'Keine passt',
  noMatchHint: 'Entfernen Sie einen Filter.',
}
