/** German texts of opt-outs. */
import type { TextsLike } from '../../texts/texts.ts'
import type { OPT_OUTS_EN } from './texts-en.ts'

export const OPT_OUTS_DE: TextsLike<typeof OPT_OUTS_EN> = {
  title: 'Abmeldungen',
  description:
    'Empfänger, die keine Nachrichten erhalten dürfen. Nachrichten an sie enden als FILTERED und kosten nichts.',
  phone: 'Telefonnummer',
  phoneHint: 'Mit Landesvorwahl, etwa +49 170 1234505, oder eine Nutzer-ID von WhatsApp.',
  phoneTooShort: 'Geben Sie die ganze Nummer mit Landesvorwahl ein, etwa +49 170 1234505.',
  account: 'Konto',
  sender: 'Absender',
  senderHint: 'Ein Absendername des Kontos; leer für alle.',
  allSenders: 'alle',
  by: 'Veranlasst durch',
  origins: { word: 'Stichwort des Empfängers', link: 'Abmeldelink', carrier: 'Carrier', hand: 'Betreiber oder Konto' },
  at: 'Seit',
  add: 'Abmeldung hinzufügen',
  addHint: 'Der Empfänger kann sie nicht durch die Antwort START aufheben.',
  added: 'Abmeldung hinzugefügt',
  remove: 'Abmeldung entfernen',
  removeOf: (phone) => `Abmeldung von ${phone} entfernen`,
  removeTitle: 'Abmeldung entfernen?',
  removeText: (phone, sender) =>
    `${phone} erhält wieder Nachrichten (Absender: ${sender}). Tun Sie das nur, wenn der Empfänger darum gebeten hat.`,
  removed: 'Abmeldung entfernt',
  none: 'Keine Abmeldungen',
  noneHint: 'Sie erscheinen, wenn Empfänger mit STOP antworten oder einen Abmeldelink benutzen.',
  noneHere: 'Diese Nummer hat sich nicht abgemeldet',
}
