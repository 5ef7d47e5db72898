/** German texts of the audit log. */
import type { TextsLike } from '../../texts/texts.ts'
import type { AUDIT_EN } from './texts-en.ts'

export const AUDIT_DE: TextsLike<typeof AUDIT_EN> = {
  title: 'Änderungsprotokoll',
  description: 'Wer was wann und von wo geändert hat, mit den Werten davor und danach.',
  list: 'Änderungen',
  none: 'Keine Änderungen',
  noneHere: 'Keine Änderung passt zu diesen Filtern',
  at: 'Zeit',
  actor: 'Von',
  action: 'Aktion',
  subject: 'An',
  via: 'Über',
  changes: 'Änderung',
  actorFilter: 'Von wem',
  subjectFilter: 'Woran, etwa account 1',
  allActions: 'Alle Aktionen',
  from: 'Erster Tag',
  until: 'Letzter Tag',
  download: 'CSV herunterladen',
  cutOff: 'Die Datei hat nur die neuesten 50.000 Änderungen: nach Zeit filtern.',
  endpoint: 'Name in der API',
  details: 'Einzelheiten',
  allOfIt: 'Alle Änderungen daran',
  before: 'Vorher',
  after: 'Nachher',
  field: 'Feld',
}
