/** German texts of the list of messages. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LIST_EN } from './texts-en.ts'

export const LIST_DE: TextsLike<typeof LIST_EN> = {
  title: 'Nachrichten',
  compose: 'Testnachricht senden',
  id: 'Nachrichten- oder Kunden-ID',
  phoneTooShort:
    'Geben Sie die ganze Nummer mit Landesvorwahl ein, etwa +49 170 1234505. Die letzten Ziffern allein finden nichts.',
  phone: 'Telefonnummer',
  account: 'Alle Konten',
  accountColumn: 'Konto',
  moreFilters: 'Mehr Filter',
  sender: 'Absender',
  bulk: 'Nummer der Massensendung',
  carrier: 'Carrier',
  channel: 'Kanal',
  status: 'Status',
  anyTime: 'Jederzeit',
  other: 'Von … bis …',
  from: 'Von',
  until: 'Bis',
  refresh: 'Aktualisieren',
  time: 'Angenommen',
  message: 'Nachricht',
  clientId: (id) => `Kunden-ID ${id}`,
  recipient: 'Empfänger',
  price: 'Preis',
  none: 'Keine passende Nachricht',
  noneHint:
    'Prüfen Sie die Schreibweise, erweitern Sie den Zeitraum oder entfernen Sie einen Filter. Telefonnummern brauchen die Landesvorwahl.',
  empty: 'Noch keine Nachrichten',
  emptyHint: 'Nachrichten erscheinen hier, sobald ein Konto eine sendet.',
  found: (id, account) => `Nachricht ${id} von Konto ${account}`,
  open: 'Öffnen',
}
