/** Errors of the client API, which the console shows for messages and bulks that it sends, in German. */
export const CLIENT_API_DE: Readonly<Record<string, string>> = {
  ignored: 'wird nicht beachtet',
  '{} more ignored': '{1} weitere werden nicht beachtet',
  'Access denied': 'Zugriff verweigert',
  'Operator not supported': 'Für diesen Netzbetreiber gibt es keinen Weg',
  'Service unavailable, try again later': 'Der Dienst ist nicht erreichbar, versuchen Sie es später noch einmal',
  'Error in Alpha-name': 'Der Absender ist nicht freigegeben',
  'Insufficient funds': 'Das Guthaben reicht nicht',
  'Invalid phone number': 'Ungültige Telefonnummer',
  'Call failed': 'Der Anruf ist fehlgeschlagen',
  'Lookup failed, try again later': 'Die Abfrage ist fehlgeschlagen, versuchen Sie es später noch einmal',
  'Too many calls to this phone number, try again later':
    'Zu viele Anrufe bei dieser Nummer, versuchen Sie es später noch einmal',
  'No calling number is free for this phone number, try again later':
    'Keine Rufnummer ist für diese Nummer frei, versuchen Sie es später noch einmal',
  'Inbound message not found': 'Diese Eingangsnachricht gibt es nicht',
  'Message not found': 'Diese Nachricht gibt es nicht',
  'Template not found': 'Diese Vorlage gibt es nicht',
  'Too late to cancel': 'Zum Stornieren ist es zu spät',
  'Verification not found': 'Diese Verifizierung gibt es nicht',
  'The code is on its way to a carrier, try again later':
    'Der Code ist unterwegs zu einem Carrier, versuchen Sie es später noch einmal',
  'The verification has ended, start another one': 'Die Verifizierung ist zu Ende, beginnen Sie eine neue',
  'verify_id: the code of a call cannot be sent again, start another verification':
    'Der Code eines Anrufs kann nicht noch einmal gesendet werden, beginnen Sie eine neue Verifizierung',
  'Daily spending limit reached': 'Die Tagesgrenze des Geldes ist erreicht',
  'Daily message limit reached': 'Die Tagesgrenze der Nachrichten ist erreicht',
  'Hourly call limit reached': 'Die Stundengrenze der Anrufe ist erreicht',
  'Hourly verification limit reached': 'Die Stundengrenze der Verifizierungen ist erreicht',
  'phone: too many messages to this number, try again later':
    'Zu viele Nachrichten an diese Nummer, versuchen Sie es später noch einmal',
  'phone: too many messages to this country, try again later':
    'Zu viele Nachrichten in dieses Land, versuchen Sie es später noch einmal',
  'phone: too many messages to numbers like this, try again later':
    'Zu viele Nachrichten an Nummern wie diese, versuchen Sie es später noch einmal',
  'phone: too many verifications of this number, try again later':
    'Zu viele Verifizierungen dieser Nummer, versuchen Sie es später noch einmal',
  'phone: had an automatic reply within the hour': 'hatte in dieser Stunde schon eine automatische Antwort',
  'account is {}': 'Das Konto ist {1}',
  suspended: 'gesperrt',
  closed: 'geschlossen',
  'phone: a user id is reached by WhatsApp only, and no step is by chat app':
    'Eine Benutzerkennung ist nur mit WhatsApp erreichbar, und kein Schritt ist eine Chat-App',
  'phone: no price for {} to this number': 'Für {1} an diese Nummer gibt es keinen Preis',
  'phone: this country is not allowed': 'Dieses Land ist nicht erlaubt',
  'phone: traffic to numbers like this is stopped for now, ask the operator':
    'Verkehr zu Nummern wie dieser ist zurzeit gestoppt, fragen Sie den Betreiber',
  'phone: quiet hours for this number, try again later':
    'Für diese Nummer ist Ruhezeit, versuchen Sie es später noch einmal',
  'phone: no call to this number is possible': 'Diese Nummer kann nicht angerufen werden',
  'The upload is not UTF-8 after line {}: save the file as UTF-8':
    'Die Datei ist nach Zeile {1} kein UTF-8: Speichern Sie sie als UTF-8',
  'The header has too many columns, at most {}': 'Die Kopfzeile hat zu viele Spalten, höchstens {1}',
  'The header has no column {}': 'Die Kopfzeile hat keine Spalte {1}',
  'The header has the column {} twice': 'Die Kopfzeile hat die Spalte {1} zweimal',
  'The CSV cannot be read: {}': 'Die Datei ist kein lesbares CSV: {1}',
  'A line is too long, at most {} bytes': 'Eine Zeile ist zu lang, höchstens {1} Bytes',
  'The upload has too many lines, at most {}: send the rest with from_line':
    'Die Datei hat zu viele Zeilen, höchstens {1} auf einmal',
  'The bulk has too many lines, at most {}': 'Die Massensendung hat zu viele Zeilen, höchstens {1}',
  'The upload is too large, at most {} bytes: send the rest with from_line':
    'Die Datei ist zu groß, höchstens {1} Bytes auf einmal',
  'Line {} differs from the one stored: to add lines, send them with from_line={}':
    'Zeile {1} ist anders als die gespeicherte: Neue Zeilen beginnen mit {2}',
  'Line {} was refused before and can be sent now: send it as a new line, with from_line={}':
    'Zeile {1} wurde abgelehnt und kann jetzt gesendet werden: Laden Sie sie als neue Zeile {2} hoch',
  'Bulk not found': 'Diese Massensendung gibt es nicht',
  'The bulk takes no lines: it was started or stopped':
    'Die Massensendung nimmt keine Zeilen an: Sie wurde gestartet oder gestoppt',
  'The upload has no lines': 'Die Datei hat keine Zeilen',
  'The bulk is not in a state that allows this': 'Die Massensendung ist in keinem Zustand, der das erlaubt',
  'The bulk has no lines that can be sent': 'Die Massensendung hat keine Zeilen, die gesendet werden können',
  'Too many bulks that have not ended, stop one first':
    'Zu viele Massensendungen sind nicht zu Ende, stoppen Sie zuerst eine',
  'type: not allowed with this key, which lacks the scope {}':
    'Mit diesem Schlüssel nicht erlaubt, ihm fehlt das Recht {1}',
  'type: not allowed with a test key': 'Mit einem Testschlüssel nicht erlaubt',
  'name: already used by another template': 'Eine andere Vorlage hat diesen Namen',
  'template: no room for another template in this account, delete one first':
    'In diesem Konto ist kein Platz für eine weitere Vorlage, löschen Sie zuerst eine',
  'Rate limit exceeded, at most {} lookups a second': 'Zu schnell, höchstens {1} Abfragen pro Sekunde',
  'Rate limit exceeded, at most {} operations a second': 'Zu schnell, höchstens {1} Operationen pro Sekunde',
  'Rate limit exceeded, at most {} bytes a second in requests over 64 KiB':
    'Zu schnell, höchstens {1} Bytes pro Sekunde in Anfragen über 64 KiB',
  'The body is too large, at most {} bytes': 'Die Anfrage ist zu groß, höchstens {1} Bytes',
}
