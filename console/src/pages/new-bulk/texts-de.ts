/** German texts of the page of a new bulk. */
import type { TextsLike } from '../../texts/texts.ts'
import type { NEW_BULK_EN } from './texts-en.ts'

export const NEW_BULK_DE: TextsLike<typeof NEW_BULK_EN> = {
  title: 'Neue Massensendung',
  description:
    'Schreiben Sie die Nachricht, wählen Sie die Datei mit den Empfängern und prüfen Sie die ersten Zeilen. Vor dem Start wird nichts gesendet.',
  back: 'Massensendungen',
  message: 'Nachricht',
  placeholders: 'Schreiben Sie {{name}}, wo jede Zeile ihren eigenen Text hat: das ist eine Spalte der Datei.',
  recipients: 'Empfänger',
  mode: 'Senden als',
  modes: { test: 'Test: simulierte Telefone, kostenlos', live: 'Echt: dem Konto berechnet' },
  pace: 'Nachrichten je Sekunde',
  paceHint: 'Von 1 bis 1.000. Das Tempo lässt sich während des Laufs ändern.',
  skip: 'Eine Nachricht je Telefon',
  skipHint: 'Weitere Zeilen mit einer Nummer, die die Datei schon hat, entfallen.',
  create: 'Anlegen und hochladen',
  noFile: 'Wählen Sie zuerst eine Datei.',
  needsColumn: (name) =>
    name === 'phone' ? 'Wählen Sie die Spalte mit der Telefonnummer.' : `Wählen Sie eine Spalte für {{${name}}}.`,
  preview: 'Erste Zeilen',
  previewHint: 'So werden sie gesendet',
  noPreview: 'Schreiben Sie einen Text und wählen Sie eine Datei, um die ersten Zeilen zu sehen.',
  row: 'Zeile',
  phone: 'Telefon',
  sent: 'Nachricht',
  parts: 'Teile',
  price: 'Preis',
}
