/** Rules of fields, and how texts are put together, in German. */

/** Rules that are words in a sentence: in the nominative. */
export const RULES_DE: Readonly<Record<string, string>> = {
  required: 'ist erforderlich',
  'unknown field': 'ist kein bekanntes Feld',
  'was refused': 'wurde abgelehnt',
  'is refused': 'wurde abgelehnt',
  'true or false': 'true oder false',
  'a whole number': 'eine ganze Zahl',
  'a whole number, at least {}': 'eine ganze Zahl, mindestens {1}',
  'a whole number from any to {}': 'eine ganze Zahl bis {1}',
  'a whole number from {} to {}': 'eine ganze Zahl von {1} bis {2}',
  'a whole number of {…}, at least {}': 'eine ganze Zahl von {1}, mindestens {2}',
  'a whole number of {…} from any to {}': 'eine ganze Zahl von {1}, höchstens {2}',
  'a whole number of {…} from {} to {}': 'eine ganze Zahl von {1}, {2} bis {3}',
  'a whole number of {…}': 'eine ganze Zahl von {1}',
  bytes: 'Bytes',
  seconds: 'Sekunden',
  minutes: 'Minuten',
  hours: 'Stunden',
  days: 'Tagen',
  percent: 'Prozent',
  milliseconds: 'Millisekunden',
  'a number': 'eine Zahl',
  'a number, at least {}': 'eine Zahl, mindestens {1}',
  'a number from any to {}': 'eine Zahl bis {1}',
  'a number from {} to {}': 'eine Zahl von {1} bis {2}',
  'a number greater than {}': 'eine Zahl größer als {1}',
  'a text': 'ein Text',
  'a text of {} to {} characters': 'ein Text mit {1} bis {2} Zeichen',
  'a list': 'eine Liste',
  'a list of at most {} {…}': 'eine Liste mit höchstens {1} {2}',
  'a list of {} to {} {…}': 'eine Liste mit {1} bis {2} {3}',
  'a list of at most {}': 'eine Liste mit höchstens {1} Einträgen',
  'a list of {} to {}': 'eine Liste mit {1} bis {2} Einträgen',
  numbers: 'Nummern',
  topics: 'Themen',
  keys: 'Schlüsseln',
  templates: 'Vorlagen',
  algorithms: 'Verfahren',
  text: 'Text',
  'an object': 'ein Objekt',
  'a value of another form': 'ein Wert anderer Form',
  null: 'leer',
  empty: 'leer',
  'a JSON object': 'ein JSON-Objekt',
  'a host name or an IP address': 'ein Hostname oder eine IP-Adresse',
  'a host such as "b.example" or "b.example:5070"': 'ein Host, etwa "b.example" oder "b.example:5070"',
  'an http or https address without query': 'eine http- oder https-Adresse ohne Query',
  '1 to {} ASCII characters': '1 bis {1} ASCII-Zeichen',
  '16 to 128 letters, digits, _ or -': '16 bis 128 Buchstaben, Ziffern, _ oder -',
  'certificates in PEM': 'Zertifikate in PEM',
  'text of at most 100 characters with {{token}}': 'Text mit {{token}} und höchstens 100 Zeichen',
  'a country such as DE whose national numbers begin with a prefix':
    'ein Land wie DE, dessen nationale Nummern mit einer Verkehrsausscheidungsziffer beginnen',
  'one of {}': 'einer der Werte {1}',
  'must be one of {}, or several of them joined by +, such as {}':
    'muss einer dieser Werte sein: {1}, oder mehrere mit + verbunden, etwa {2}',
  'must be one of {}, a chain such as chatapp+sms, or another operation of the API; did you mean {}?':
    'muss einer dieser Werte sein: {1}, eine Kette wie chatapp+sms oder eine andere Operation des API; meinten Sie {2}?',
  'must be one of {}, a chain such as chatapp+sms, or another operation of the API':
    'muss einer dieser Werte sein: {1}, eine Kette wie chatapp+sms oder eine andere Operation des API',
  'must be one of {} or empty': 'muss einer dieser Werte oder leer sein: {1}',
  'must be one of {}': 'muss einer dieser Werte sein: {1}',
  'must be one or more of {}, separated by commas':
    'muss einer oder mehrere dieser Werte sein, durch Kommas getrennt: {1}',
  'must be none, or one or more of {}, separated by commas':
    'muss leer sein, oder einer oder mehrere dieser Werte, durch Kommas getrennt: {1}',
  'must have one or more of {}': 'braucht mindestens einen dieser Werte: {1}',
  'must be a list of one or more of {}, each once':
    'muss eine Liste mit mindestens einem dieser Werte sein, jeder einmal: {1}',
  'must be a list of {} to {} elements': 'muss eine Liste mit {1} bis {2} Elementen sein',
  'must be a list of countries such as DE, or empty for all':
    'muss eine Liste von Ländern wie DE sein, oder leer für alle',
  'must not name the same twice': 'darf nichts zweimal nennen',
  'must not be empty: leave it out for none': 'darf nicht leer sein: Lassen Sie es für keinen weg',
  'must not be empty': 'darf nicht leer sein',
  'must be given': 'ist erforderlich',
  'must say why': 'muss den Grund nennen',
  'must be 1 to 100 numbers of accounts, separated by commas':
    'müssen 1 bis 100 Nummern von Konten sein, durch Kommas getrennt',
  'must be an ISO 4217 code of three capital letters, such as EUR':
    'muss ein Code nach ISO 4217 aus drei Großbuchstaben sein, etwa EUR',
  'must be a time zone, such as Europe/Berlin': 'muss eine Zeitzone sein, etwa Europe/Berlin',
  'must be an IANA name such as Europe/Berlin or UTC': 'muss ein Name der IANA sein, etwa Europe/Berlin oder UTC',
  'must be a day or an hour in UTC, such as 2026-11-30 or 2026-11-30T14':
    'muss ein Tag oder eine Stunde in UTC sein, etwa 2026-11-30 oder 2026-11-30T14',
  'must be a day such as 2027-01-01, or a time such as 2027-01-01T08:00:00Z':
    'muss ein Tag sein, etwa 2027-01-01, oder ein Zeitpunkt, etwa 2027-01-01T08:00:00Z',
  'must be a time such as 2026-12-31T23:59:59Z, or a day such as 2026-12-31':
    'muss ein Zeitpunkt sein, etwa 2026-12-31T23:59:59Z, oder ein Tag, etwa 2026-12-31',
  'must be a time in the future, such as 2027-12-31T23:59:59Z, or empty for never':
    'muss ein Zeitpunkt in der Zukunft sein, etwa 2027-12-31T23:59:59Z, oder leer für nie',
  'must be a day such as 2026-03-01, or RFC 3339': 'muss ein Tag sein, etwa 2026-03-01, oder RFC 3339',
  'must be a day such as 2026-11-30': 'muss ein Tag sein, etwa 2026-11-30',
  'must be a month such as 2026-11': 'muss ein Monat sein, etwa 2026-11',
  'must be later than from': 'muss später als der Beginn sein',
  'must be later than start': 'muss später als der Beginn sein',
  'must not be later than through': 'darf nicht nach dem letzten Tag liegen',
  'must not be later than this month': 'darf nicht nach diesem Monat liegen',
  'must not be in the future': 'darf nicht in der Zukunft liegen',
  'must not be in the past; leave it out to start now':
    'darf nicht in der Vergangenheit liegen; wählen Sie „Jetzt“, um sofort zu beginnen',
  'must not be in the past; leave it out to move the accounts now':
    'darf nicht in der Vergangenheit liegen; leer wechseln die Konten sofort',
  'must be at most {} visible ASCII characters without a colon, and not . or ..':
    'müssen höchstens {1} sichtbare ASCII-Zeichen ohne Doppelpunkt sein, und nicht . oder ..',
  'must be at most {} months before the end': 'darf höchstens {1} Monate vor dem Ende liegen',
  'must be at most {} days before the end with a resolution of hours':
    'darf bei Stunden höchstens {1} Tage vor dem Ende liegen',
  'must be at most {} days before the end with a zone': 'darf mit Zeitzone höchstens {1} Tage vor dem Ende liegen',
  'must be at most {} days before the end': 'darf höchstens {1} Tage vor dem Ende liegen',
  'must be at most {} days ago with a zone': 'darf mit Zeitzone höchstens {1} Tage zurückliegen',
  'must be {} or later in a time zone other than UTC': 'muss in einer anderen Zeitzone als UTC {1} oder später sein',
  'must be a time with its offset as in RFC 3339, such as 2026-03-01T09:00:00+02:00':
    'muss ein Zeitpunkt mit Zeitzone nach RFC 3339 sein, etwa 2026-03-01T09:00:00+02:00',
  'must have its offset, such as Z or +02:00, because the account has no time zone':
    'braucht eine Zeitzone, etwa Z oder +02:00, weil das Konto keine hat',
  'there is no such day or time': 'diesen Tag oder diese Zeit gibt es nicht',
  'must be from 1970 to 9999, in UTC': 'muss zwischen 1970 und 9999 liegen, in UTC',
  'must be an absolute http(s) address, one with kannel: or jasmin: before it and method get or post behind it, smpp: and the name of a login, feed: or empty':
    'muss eine absolute http(s)-Adresse sein, eine mit kannel: oder jasmin: davor und der Methode get oder post dahinter, smpp: und der Name eines Zugangs, feed: oder leer',
  'must be an absolute http(s) address': 'muss eine absolute http(s)-Adresse sein',
  'must be an absolute http or https address': 'muss eine absolute http- oder https-Adresse sein',
  'must be a public address, private networks are not allowed':
    'muss eine öffentliche Adresse sein, private Netze sind nicht erlaubt',
  'must not have the port of a service other than HTTP': 'darf nicht den Port eines anderen Dienstes als HTTP haben',
  '{…}, except those of POSTHORN_HOOK_ALLOW': '{1}, außer denen von POSTHORN_HOOK_ALLOW',
  'must be an IP address such as 192.0.2.7 or 2001:db8::7':
    'muss eine IP-Adresse sein, etwa 192.0.2.7 oder 2001:db8::7',
  'must be an IPv4 or IPv6 address': 'muss eine IPv4- oder IPv6-Adresse sein',
  'must be 1 to {} networks, or empty to allow all': 'müssen 1 bis {1} Netze sein, oder leer, um alle zu erlauben',
  '{} must be a network such as 192.0.2.0/24 or 2001:db8::/32, without bits beyond its length':
    '{1} muss ein Netz sein, etwa 192.0.2.0/24 oder 2001:db8::/32, ohne Bits hinter seiner Länge',
  'must be 3 to 11 GSM characters, or 3 to 15 digits, or empty':
    'müssen 3 bis 11 GSM-Zeichen oder 3 bis 15 Ziffern sein, oder leer',
  'must be a country such as DE whose national numbers begin with a trunk prefix, or empty':
    'muss ein Land wie DE sein, dessen nationale Nummern mit einer Verkehrsausscheidungsziffer beginnen, oder leer',
  'must be a country such as DE': 'muss ein Land sein, etwa DE',
  'must be two letters, such as DE': 'müssen zwei Buchstaben sein, etwa DE',
  'must be ISO 3166 codes of two letters such as DE, or empty for all':
    'müssen Codes nach ISO 3166 aus zwei Buchstaben sein, etwa DE, oder leer für alle',
  'must be a possible phone number with its country code, such as 37120000000, or a user id, such as {}':
    'muss eine mögliche Telefonnummer mit Landesvorwahl sein, etwa 37120000000, oder eine Benutzerkennung, etwa {1}',
  '{…}, or a user id, such as {}': '{1}, oder eine Benutzerkennung, etwa {2}',
  'must be a possible phone number with its country code, such as 37120000000':
    'muss eine mögliche Telefonnummer mit Landesvorwahl sein, etwa 37120000000',
  'must be a phone number with country code': 'muss eine Telefonnummer mit Landesvorwahl sein',
  'must be up to 15 digits, without the plus': 'müssen bis zu 15 Ziffern sein, ohne Plus',
  'must be 1 to 15 digits, country code first': 'müssen 1 bis 15 Ziffern sein, Landesvorwahl zuerst',
  'must be 1 to 15 digits that begin with a country code, without the plus':
    'müssen 1 bis 15 Ziffern sein, die mit einer Landesvorwahl beginnen, ohne Plus',
  'must begin with a country code, without 0 or 00 before it: 49':
    'muss mit einer Landesvorwahl beginnen, ohne 0 oder 00 davor: 49',
  'must begin with its country code, such as 49, and not with 0':
    'muss mit der Landesvorwahl beginnen, etwa 49, und nicht mit 0',
  'must be MCC and MNC, 5 or 6 digits such as 26201': 'müssen MCC und MNC sein, 5 oder 6 Ziffern, etwa 26201',
  'must be its MCC and MNC, 5 or 6 digits such as 26201': 'müssen MCC und MNC sein, 5 oder 6 Ziffern, etwa 26201',
  'must be MCC and MNC, such as 26202': 'müssen MCC und MNC sein, etwa 26202',
  'must be from {} to {} percent below the share of the week before':
    'muss von {1} bis {2} Prozent unter der Rate der Woche davor liegen',
  'must be from {} to {} seconds that the oldest is due': 'müssen {1} bis {2} Sekunden sein',
  'must be from {} to {} hours between verifications': 'müssen {1} bis {2} Stunden sein',
  'must be from {} to {} percent of the disk that are free': 'müssen {1} bis {2} Prozent des Datenträgers sein',
  'must be from {} to {}, where 110 means 10 % more; to use another percentage, add --confirm (confirm: true)':
    'muss von {1} bis {2} sein, wobei 110 für 10 % mehr steht; für andere Prozente bestätigen Sie',
  'must be from {} to {}': 'muss von {1} bis {2} sein',
  'must be http with a provider': 'muss mit einem Anbieter http sein',
  'must be {} with {}': 'muss mit {2} {1} sein',
  'must be for 1 to {} seconds': 'muss für 1 bis {1} Sekunden gelten',
  'must be a decimal number such as 0.05, with at most six decimal places and below 1000000000':
    'muss eine Dezimalzahl sein, etwa 0.05, mit höchstens sechs Nachkommastellen und kleiner als 1000000000',
  'must be a decimal number such as 0.05, with at most six decimal places; write a decimal point, not a comma':
    'muss eine Dezimalzahl sein, etwa 0.05, mit höchstens sechs Nachkommastellen und einem Punkt statt eines Kommas',
  'must be a decimal number such as 0.05, with at most six decimal places':
    'muss eine Dezimalzahl sein, etwa 0.05, mit höchstens sechs Nachkommastellen',
  'must be a number, such as 5.5': 'muss eine Zahl sein, etwa 5.5',
  'must be a number from 1 to {}, the line after the last one stored':
    'muss eine Zahl von 1 bis {1} sein, der Zeile nach der letzten gespeicherten',
  'must be a number from -{} to {}': 'muss eine Zahl von -{1} bis {2} sein',
  'must be a number of seconds from {} to {}': 'muss eine Zahl von Sekunden sein, {1} bis {2}',
  'must be a positive whole number': 'muss eine positive ganze Zahl sein',
  'must be a whole number from 0': 'muss eine ganze Zahl ab 0 sein',
  'must be whole numbers from 0 to {}': 'müssen ganze Zahlen von 0 bis {1} sein',
  'must be at least 0, or empty for no limit': 'muss mindestens 0 sein, oder leer für keine Grenze',
  'must be at least {}': 'muss mindestens {1} sein',
  'must be at most {}': 'darf höchstens {1} sein',
  'must be greater than 0; 100 copies the prices unchanged':
    'muss größer als 0 sein; 100 kopiert die Preise unverändert',
  'must be greater than 0; 100 takes the amounts': 'muss größer als 0 sein; 100 übernimmt die Beträge',
  'must be greater than 0; posthorn account correct takes money away':
    'muss größer als 0 sein; eine Korrektur nimmt Geld weg',
  'must be greater than 0': 'muss größer als 0 sein',
  'must not be 0': 'darf nicht 0 sein',
  'must leave every price at most {}': 'darf keinen Preis über {1} ergeben',
  'must be another account or group': 'muss ein anderes Konto oder eine andere Gruppe sein',
  'must not be given together with from': 'darf nicht zusammen mit der Quelle angegeben sein',
  'must not be given together with an account': 'darf nicht zusammen mit einem Konto angegeben sein',
  'must not stand beside provider': 'darf nicht neben dem Anbieter stehen',
  'only beside provider': 'nur neben dem Anbieter',
  'required without provider': 'ist ohne Anbieter erforderlich',
  'required for a new target': 'ist für ein neues Ziel erforderlich',
  'required for a new inbound number': 'ist für eine neue Eingangsnummer erforderlich',
  'required: there are several': 'ist erforderlich: Es gibt mehrere',
  'required to accept the login from all networks': 'ist erforderlich, um den Zugang aus allen Netzen anzunehmen',
  'required for a password shorter than {} characters': 'ist erforderlich für ein Passwort mit weniger als {1} Zeichen',
  'required: {}': 'ist erforderlich: {1}',
  'required, or {}': 'ist erforderlich, oder {1}',
  'must be text of at most {} characters without braces, control and invisible characters':
    'muss Text mit höchstens {1} Zeichen sein, ohne geschweifte Klammern, Steuerzeichen und unsichtbare Zeichen',
  'must be text that matches {}': 'muss Text sein, der auf {1} passt',
  'must have at most {} characters and no control or invisible characters':
    'darf höchstens {1} Zeichen und keine Steuerzeichen oder unsichtbaren Zeichen haben',
  'must have 1 to {} characters, no control or invisible characters and no spaces around it':
    'muss 1 bis {1} Zeichen haben, keine Steuerzeichen oder unsichtbaren Zeichen und keine Leerzeichen am Rand',
  'must be 1 to 40 lower-case letters, digits and dashes, and not begin with a dash':
    'müssen 1 bis 40 Kleinbuchstaben, Ziffern und Bindestriche sein, nicht mit einem Bindestrich am Anfang',
  'must be 1 to 64 letters, digits, dashes and underscores, and not free':
    'müssen 1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche sein, und nicht free',
  'must be one word of 1 to {} letters and digits': 'muss ein Wort aus 1 bis {1} Buchstaben und Ziffern sein',
  'must be ASCII characters': 'müssen ASCII-Zeichen sein',
  'must have at least 16 bytes in base64 after whsec_: copy the whole secret':
    'muss nach whsec_ mindestens 16 Bytes in Base64 haben: Kopieren Sie das ganze Geheimnis',
  'must have 1 to {} characters, no control or invisible characters and no spaces around it, and not be . or ..':
    'muss 1 bis {1} Zeichen haben, keine Steuerzeichen oder unsichtbaren Zeichen und keine Leerzeichen am Rand, und nicht . oder ..',
  'must not contain U+0000 or half a surrogate pair': 'darf weder U+0000 noch ein halbes Surrogatpaar enthalten',
  'must be six digits': 'müssen sechs Ziffern sein',
  'must be a string of 4 to 10 digits': 'müssen 4 bis 10 Ziffern sein',
  'must be base64url': 'muss base64url sein',
  'must be 43 characters of base64url': 'müssen 43 Zeichen in base64url sein',
  'must be an issuer and a sub': 'müssen ein Aussteller und ein sub sein',
  'must name languages by codes such as de or pt-BR': 'muss Sprachen mit Codes nennen, etwa de oder pt-BR',
  'must have at most {} words per language': 'darf höchstens {1} Wörter je Sprache haben',
  'a word must have 1 to {} characters, among them a letter or digit':
    'Ein Wort muss 1 bis {1} Zeichen haben, darunter einen Buchstaben oder eine Ziffer',
  'must have, by the code of a language, its lists stop and start':
    'muss je Code einer Sprache deren Listen stop und start haben',
  'must be hours such as 21:00-08:00 or 21:00-08:00 refuse, or empty':
    'müssen Zeiten sein, etwa 21:00-08:00 oder 21:00-08:00 refuse, oder leer',
  'must be hours such as 21:00-08:00 or 21:00-08:00 refuse, or installation, or off':
    'müssen Zeiten sein, etwa 21:00-08:00 oder 21:00-08:00 refuse, oder installation, oder off',
  'must begin and end at different times; no quiet hours are off (account) or none (installation)':
    'müssen zu verschiedenen Zeiten beginnen und enden',
  'must be limits such as 5 per phone in 3600 seconds, 900 per country in 60 seconds or 100 per prefix of 7 in 60 seconds':
    'müssen Grenzen sein, etwa 5 je Nummer in 3600 Sekunden, 900 je Land in 60 Sekunden oder 100 je Vorwahl aus 7 Ziffern in 60 Sekunden',
  'must have a floor, a factor and stop_minutes, or be null': 'braucht floor, factor und stop_minutes, oder ist leer',
  'a prefix must have 1 to 15 digits': 'Eine Vorwahl muss 1 bis 15 Ziffern haben',
  'two have the same scope and time: remove one': 'Zwei haben denselben Umfang und dieselbe Zeit: Entfernen Sie eine',
  'must be sms, or channels in their order, each once, such as rcs+sms':
    'muss sms sein, oder Kanäle in ihrer Reihenfolge, jeder einmal, etwa rcs+sms',
  'must be an approved sender of account {}; approve it first: posthorn sender approve --account {} --channel sms --name {}':
    'muss ein freigegebener Absender des Kontos {1} sein; geben Sie ihn zuerst frei',
  'must be a sender of {}': 'muss ein Absender für {1} sein',
  'must be a sender name of account {}, or empty for all': 'muss ein Absender des Kontos {1} sein, oder leer für alle',
  'must say which column has the price: its head is unknown':
    'muss sagen, welche Spalte den Preis hat: Ihre Überschrift ist unbekannt',
  'must name each column once': 'muss jede Spalte einmal nennen',
  'must say which column has the country, the MCC or the prefix':
    'muss sagen, welche Spalte das Land, die MCC oder die Vorwahl hat',
  'must be later than now; to remove a {}: posthorn {} remove': 'muss später als jetzt sein; zum Beenden entfernen',
  'must be a message from phone': 'muss eine Nachricht von dieser Nummer sein',
  'must be next or a cursor of an earlier answer to this account':
    'muss next oder ein Cursor einer früheren Antwort an dieses Konto sein',
  'must be a string of valid Unicode without the character U+0000':
    'muss ein gültiger Unicode-Text ohne das Zeichen U+0000 sein',
  'must have a visible character': 'muss ein sichtbares Zeichen haben',
  'must be a number or a string of at most {} characters':
    'muss eine Zahl oder ein Text mit höchstens {1} Zeichen sein',
  'must be a send operation without {}': 'muss eine Sendeoperation ohne {1} sein',
  'must have a title, a description, an image or a video':
    'braucht einen Titel, eine Beschreibung, ein Bild oder ein Video',
  'must differ from those before it': 'muss sich von denen davor unterscheiden',
  'must not begin or end with a space': 'darf nicht mit einem Leerzeichen beginnen oder enden',
  'must not have line breaks or control characters': 'darf keine Zeilenumbrüche oder Steuerzeichen haben',
  'must not have invisible characters, nor characters that reverse text':
    'darf keine unsichtbaren Zeichen haben, und keine, die Text umkehren',
  'must have no placeholders': 'darf keine Platzhalter haben',
  'must contain {code}': 'muss {code} enthalten',
  'write {code} in single braces': 'Schreiben Sie {code} in einfache Klammern',
  'must be {…}': 'muss {1} sein',
  'must be a list of {}': 'muss eine Liste dieser Werte sein: {1}',
  'should be one of {}; {}': 'muss einer dieser Werte sein: {1}; {2}',
  'should be one of {}': 'muss einer dieser Werte sein: {1}',
  'should be percent-encoded': 'muss prozentkodiert sein',
  'should be text that is not empty': 'muss Text sein, der nicht leer ist',
  'should be {…}': 'muss {1} sein',
  'at most {} bytes of JSON': 'höchstens {1} Bytes JSON',
  'at most {} placeholders': 'höchstens {1} Platzhalter',
  'at most {} days ahead': 'höchstens {1} Tage im Voraus',
  'at most {} characters with {}': 'höchstens {1} Zeichen mit {2}',
  'at most {} characters': 'höchstens {1} Zeichen',
  'at most {} SMS parts': 'höchstens {1} SMS-Teile',
  'at most {} combining marks in a row': 'höchstens {1} kombinierende Zeichen hintereinander',
  'at most {} addresses in a message': 'höchstens {1} Adressen in einer Nachricht',
  'at most {} with this key': 'höchstens {1} mit diesem Schlüssel',
  'at most {} with {}': 'höchstens {1} mit {2}',
  'at most {} targets': 'höchstens {1} Ziele',
  'not together with {}': 'nicht zusammen mit {1}',
  'needs a text in every message': 'braucht einen Text in jeder Nachricht',
  'needs {}': 'braucht {1}',
  'has the unknown member {}': 'hat den unbekannten Eintrag {1}',
  'is not asked; did you mean {}?': 'wird nicht gefragt; meinten Sie {1}?',
  'is not asked; asked are {}': 'wird nicht gefragt; gefragt werden {1}',
  'is not a setting of this carrier; did you mean {}? Known settings: {}; {} is not a setting: did you mean {}?':
    'ist keine Einstellung dieses Carriers; meinten Sie {1}? Bekannte Einstellungen: {2}; {3} ist keine Einstellung: Meinten Sie {4}?',
  'is not a setting of this carrier. Known settings: {}; {} is not a setting: did you mean {}?':
    'ist keine Einstellung dieses Carriers. Bekannte Einstellungen: {1}; {2} ist keine Einstellung: Meinten Sie {3}?',
  'is not a setting of this carrier; did you mean {}? Known settings: {}':
    'ist keine Einstellung dieses Carriers; meinten Sie {1}? Bekannte Einstellungen: {2}',
  'is not a setting of this carrier. Known settings: {}':
    'ist keine Einstellung dieses Carriers. Bekannte Einstellungen: {1}',
  'is <kept>, but no secret is stored for it: give the secret itself':
    'ist <kept>, aber dafür ist kein Geheimnis gespeichert: Geben Sie das Geheimnis selbst an',
  '{} is not a setting: did you mean {}?': '{1} ist keine Einstellung: Meinten Sie {2}?',
  '{} changed: give the secret itself': '{1} wurde geändert: Geben Sie das Geheimnis selbst an',
  'is {}, a link-local address or a cloud metadata service, which carriers cannot use':
    'ist {1}, eine Link-local-Adresse oder ein Metadatendienst, die Carrier nicht benutzen können',
}
