/** German texts of chat-app templates. */
import type { TextsLike } from '../../texts/texts.ts'
import type { TEMPLATES_EN } from './texts-en.ts'

export const TEMPLATES_DE: TextsLike<typeof TEMPLATES_EN> = {
  title: 'Vorlagen für die Chat-App',
  description:
    'Texte, die der Messenger freigeben muss, bevor sie außerhalb einer Unterhaltung gesendet werden können.',
  add: 'Vorlage eintragen',
  addTitle: 'Eine Vorlage eintragen',
  addHint: 'Trägt einen Text und seinen Status beim Messenger ein; reicht nichts ein.',
  text: 'Text',
  textHint: 'Mit Platzhaltern wie {{1}}.',
  sender: 'Absender',
  status: 'Status',
  statuses: {
    new: 'Neu',
    submitted: 'Eingereicht',
    resubmitted: 'Erneut eingereicht',
    rejected: 'Abgelehnt',
    removed: 'Entfernt',
    approved: 'Freigegeben',
  },
  carrier: 'Carrier',
  byHand: 'Von Hand',
  approve: 'Freigeben',
  approveTitle: 'Eintragen, dass der Messenger diese Vorlage freigegeben hat?',
  saved: 'Die Vorlage ist eingetragen',
  actionsLabel: 'Aktionen',
  none: 'Noch keine Vorlagen',
  noneHint: 'Vorlagen eines Carriers erscheinen hier, sobald er sie listet; andere werden von Hand eingetragen.',
}
