/** German texts of number pools. */
import { plural, type TextsLike } from '../../texts/texts.ts'
import type { POOLS_EN } from './pools-en.ts'

const numbers = plural('de', '# Nummer', '# Nummern')

export const POOLS_DE: TextsLike<typeof POOLS_EN> = {
  title: 'Nummernpools',
  description: 'Anrufe mit Code kommen von den Nummern des Pools ihrer Route. Die letzten Ziffern sind der Code.',
  pool: 'Pool',
  numbers: 'Nummern',
  codeDigits: 'Code-Ziffern',
  usedBy: 'Benutzt von',
  unused: 'keiner Route',
  none: 'Noch keine Nummernpools',
  noneHint: 'Routen für Anrufe brauchen einen: Fügen Sie einen Pool hinzu, und wählen Sie ihn dann in einer Route.',
  add: 'Pool hinzufügen',
  actions: (pool) => `Aktionen für ${pool}`,
  actionsLabel: 'Aktionen',
  show: 'Nummern anzeigen',
  change: 'Nummern ändern',
  remove: 'Pool entfernen',
  id: 'Kennung',
  idHint: 'Kleine Buchstaben, Ziffern und Bindestriche, etwa berlin.',
  codeDigitsHint: 'Wie viele der letzten Ziffern der Code sind: 4 bis 6.',
  text: 'Nummern und Bereiche',
  textHint: 'Je Zeile eine, mit Landesvorwahl: 4930123400000 oder 4930123400000-4930123400999. Höchstens 100.000.',
  file: 'Aus Datei …',
  mode: 'Was geschehen soll',
  modes: {
    add: 'Diese Nummern hinzufügen',
    remove: 'Diese Nummern entfernen',
    replace: 'Alle Nummern durch diese ersetzen',
  },
  saved: (pool, count) => `${pool} hat ${numbers(count)}`,
  changeTitle: (pool) => `Nummern von ${pool} ändern`,
  addTitle: 'Pool hinzufügen',
  noText: 'Geben Sie mindestens eine Nummer oder einen Bereich an.',
  numbersOf: (pool) => `Nummern von ${pool}`,
  find: 'Nummer suchen',
  from: 'Von',
  to: 'Bis',
  noNumber: 'Kein Bereich enthält diese Nummer',
  removeTitle: (pool) => `${pool} entfernen?`,
  removeText: (count) => `${numbers(count)} werden mit ihm entfernt. Laufende Anrufe werden nicht gestört.`,
  inUse: 'Routen benutzen ihn: Ändern Sie diese zuerst.',
  removed: (pool) => `${pool} entfernt`,
}
