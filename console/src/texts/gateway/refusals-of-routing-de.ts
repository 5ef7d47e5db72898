/** Why the admin API refuses a request about carriers, routes, senders, messages and hooks, in German. */
export const REFUSALS_OF_ROUTING_DE: Readonly<Record<string, string>> = {
  // Carriers and routes.
  'there is no carrier {}: posthorn carrier list': 'Es gibt keinen Carrier {1}',
  'there is no carrier {} for {}': 'Es gibt keinen Carrier {1} für {2}',
  'there is no carrier {}': 'Es gibt keinen Carrier {1}',
  'there is no provider {}; did you mean {}?': 'Es gibt keinen Anbieter {1}; meinten Sie {2}?',
  'there is no provider {}': 'Es gibt keinen Anbieter {1}',
  'carrier {} has no provider': 'Carrier {1} hat keinen Anbieter',
  'carrier {} has no setting {} to remove': 'Carrier {1} hat keine Einstellung {2}, die entfernt werden könnte',
  'carrier {} has no setting {}': 'Carrier {1} hat keine Einstellung {2}',
  'carrier {} is of kind {}; choose another id for a {} carrier':
    'Carrier {1} ist von der Art {2}; wählen Sie einen anderen Namen für einen der Art {3}',
  'carrier {} does not run in this gateway: {…}': 'Carrier {1} läuft nicht in diesem Gateway: {2}',
  'carrier {} does not run in this gateway: {}': 'Carrier {1} läuft nicht in diesem Gateway: {2}',
  'carrier {} does not run in this gateway': 'Carrier {1} läuft nicht in diesem Gateway',
  '{} does not run in this gateway': '{1} läuft nicht in diesem Gateway',
  '{…}; other parts were taken': '{1}; andere Teile wurden angenommen',
  'invalid settings of carrier {}: {…}': 'Ungültige Einstellungen des Carriers {1}: {2}',
  'this gateway only takes requests: ask one that delivers':
    'Dieses Gateway nimmt nur Anfragen an: Fragen Sie eines, das zustellt',
  'carrier {} is draining and takes no messages: resume it first':
    'Carrier {1} wird stillgelegt und nimmt keine Nachrichten an: Nehmen Sie ihn zuerst wieder in Betrieb',
  'carrier {} was tested just now: wait {} seconds': 'Carrier {1} wurde gerade getestet: Warten Sie {2} Sekunden',
  'carrier {} serves {}: only carriers of {} are tested by a message':
    'Carrier {1} ist für {2}: Nur Carrier für {3} werden mit einer Nachricht getestet',
  'create an account first': 'Legen Sie zuerst ein Konto an',
  'carrier {} has routes for {}: it cannot become a carrier for {}':
    'Carrier {1} hat Routen für {2}: Er kann nicht zu einem für {3} werden',
  'carrier {} has routes ({}): remove them first': 'Carrier {1} hat Routen ({2}): Entfernen Sie sie zuerst',
  'carrier {} is for {}, not for {}': 'Carrier {1} ist für {2}, nicht für {3}',
  'another check was made since': 'Inzwischen gab es eine andere Prüfung',
  'there is no such route': 'Diese Route gibt es nicht',
  'there is no {}: posthorn route list': 'Das gibt es nicht: {1}',
  'operators: must name at least one, or be left out for all':
    'Nennen Sie mindestens einen Netzbetreiber, oder keinen für alle',
  'a route for calls needs a pool of calling numbers': 'Eine Route für Anrufe braucht einen Pool von Rufnummern',
  'a route for calls needs a number pool, others have none':
    'Eine Route für Anrufe braucht einen Nummernpool, andere haben keinen',
  'only a route for calls has a pool of numbers': 'Nur eine Route für Anrufe hat einen Nummernpool',
  'only a route for calls has a ring time': 'Nur eine Route für Anrufe hat eine Klingelzeit',
  'a ring time must be a number of seconds from {} to {}': 'Eine Klingelzeit muss {1} bis {2} Sekunden sein',
  'it has its default rule already': 'Es hat schon die Vorgabe',
  '{} is not demoted there: posthorn quality list': '{1} ist dort nicht zurückgestuft',
  'the carrier was demoted or returned there since':
    'Der Carrier wurde dort inzwischen zurückgestuft oder kehrte zurück',

  // Number pools, mobile operators, inbound numbers.
  'there is no pool {}': 'Es gibt keinen Nummernpool {1}',
  'there is no number pool {}': 'Es gibt keinen Nummernpool {1}',
  'routes call from pool {} ({}): remove them first': 'Routen benutzen den Pool {1} ({2}): Entfernen Sie sie zuerst',
  'a code must have {} to {} digits': 'Ein Code muss {1} bis {2} Ziffern haben',
  'a pool takes at most {} numbers': 'Ein Pool nimmt höchstens {1} Nummern auf',
  'a pool needs at least one number': 'Ein Pool braucht mindestens eine Nummer',
  '{} is neither a number such as 4930123400000 nor a range such as 4930123400000-4930123400999':
    '{1} ist weder eine Nummer, etwa 4930123400000, noch ein Bereich, etwa 4930123400000-4930123400999',
  'the range {} must go from a number to a higher one of the same length':
    'Der Bereich {1} muss von einer Nummer zu einer höheren derselben Länge gehen',
  '{} is not a possible phone number with its country code': '{1} ist keine mögliche Telefonnummer mit Landesvorwahl',
  'the table has no prefix of the operator {}': 'Die Tabelle hat keine Vorwahl des Netzbetreibers {1}',
  'the table has no prefix {}': 'Die Tabelle hat keine Vorwahl {1}',
  'a table takes at most {} prefixes': 'Eine Tabelle nimmt höchstens {1} Vorwahlen auf',
  'there is no such inbound number': 'Diese Eingangsnummer gibt es nicht',
  'carrier {} is of the channel {}, which brings no messages':
    'Carrier {1} ist vom Kanal {2}, der keine Nachrichten bringt',
  '{} is the same number': '{1} ist dieselbe Nummer',
  'the account has no approved sender {} for it': 'Das Konto hat dafür keinen freigegebenen Absender {1}',
  '{} belongs to account {}: to move it, set take_over (--take-over)':
    '{1} gehört zu Konto {2}: Kreuzen Sie an, dass sie wechselt',

  // Senders and templates.
  '{} cannot be a sender: {} takes 3 to 11 characters of the GSM alphabet or 3 to 15 digits':
    '{1} kann kein Absender sein: {2} nimmt 3 bis 11 Zeichen des GSM-Alphabets oder 3 bis 15 Ziffern',
  '{} cannot be a sender: {} takes 1 to {} characters': '{1} kann kein Absender sein: {2} nimmt 1 bis {3} Zeichen',
  '{} cannot be a sender': '{1} kann kein Absender sein',
  'a rejection needs a reason': 'Eine Ablehnung braucht einen Grund',
  'countries must be ISO 3166 codes such as DE, or none for all countries':
    'Länder müssen Codes nach ISO 3166 sein, etwa DE, oder keine für alle Länder',
  '{} is no ISO 3166 code': '{1} ist kein Code nach ISO 3166',
  'sender {} is approved already for {}': 'Der Absender {1} ist für {2} schon freigegeben',
  'a pool has none: set the rates of its members': 'Ein Pool hat keine: Setzen Sie die Raten seiner Mitglieder',
  '{} shows no sender names: use a number': '{1} zeigt keine Namen als Absender: Nehmen Sie eine Nummer',
  '{} shows registered sender names only': '{1} zeigt nur registrierte Namen als Absender',
  'only senders of sms can be pools': 'Nur Absender für SMS können Pools sein',
  '{} is a member of the pool {} itself': '{1} ist selbst Mitglied des Pools {2}',
  '{} is a member of the pool {}': '{1} ist Mitglied des Pools {2}',
  '{} is the pool itself': '{1} ist der Pool selbst',
  '{} is no approved sender of the account': '{1} ist kein freigegebener Absender des Kontos',
  '{} is a pool': '{1} ist ein Pool',
  '{} is an inbound number of account {}': '{1} ist eine Eingangsnummer des Kontos {2}',
  'account {} has no approved sender {} for chatapp': 'Konto {1} hat keinen freigegebenen Absender {2} für Chat-Apps',
  'a chat-app template must have 1 to {} characters': 'Eine Vorlage für Chat-Apps muss 1 bis {1} Zeichen haben',
  'button: a button needs both a caption and a link': 'Ein Button braucht Beschriftung und Link',
  'link: a button needs both a caption and a link': 'Ein Button braucht Beschriftung und Link',
  'link_example: allowed only with a link': 'Ein Beispiel des Links ist nur mit einem Link erlaubt',
  '{} cannot submit templates: have the text approved by its provider, then record it with chat-template approve':
    '{1} kann keine Vorlagen einreichen: Lassen Sie den Text von seinem Anbieter freigeben, und vermerken Sie es dann',
  '{}: {}; submit it again; it is never created twice': '{1}: {2}; reichen Sie sie noch einmal ein',
  '{} is a carrier of {}: only chat-app carriers take templates':
    '{1} ist ein Carrier für {2}: Nur Carrier für Chat-Apps nehmen Vorlagen',
  'template {} belongs to another account': 'Die Vorlage {1} gehört zu einem anderen Konto',
  'there is no such opt-out': 'Diese Abmeldung gibt es nicht',

  // Messages, bulks, hooks.
  'there is no message or report {}': 'Es gibt keine Nachricht und keinen Bericht {1}',
  'there is no report {} of message {}': 'Es gibt keinen Bericht {1} der Nachricht {2}',
  "there is no message {}: if it is a client's id, look for it with posthorn message find --id {}":
    'Es gibt keine Nachricht {1}: Wenn es die Kennung eines Kunden ist, suchen Sie danach',
  'there is no message {}': 'Es gibt keine Nachricht {1}',
  'there is no inbound message {}': 'Es gibt keine Eingangsnachricht {1}',
  'has too many clicks: choose a shorter time or an account':
    'hat zu viele Klicks: Wählen Sie eine kürzere Zeit oder ein Konto',
  'name a carrier or an account': 'Nennen Sie einen Carrier oder ein Konto',
  'it got a receipt in the meantime, or another gateway has it right now: look again':
    'Sie hat inzwischen eine Quittung, oder ein anderes Gateway hat sie gerade: Sehen Sie noch einmal nach',
  'no receipt of the message is awaited: it is {}': 'Keine Quittung der Nachricht steht aus: Sie ist {1}',
  'the account is suspended': 'das Konto ist gesperrt',
  '{} sends at most {} parts a second': '{1} sendet höchstens {2} Teile pro Sekunde',
  'account {} is suspended: its messages wait until it is active':
    'Konto {1} ist gesperrt: Seine Nachrichten warten, bis es aktiv ist',
  'the message waits for no time, but for a carrier':
    'Die Nachricht wartet nicht auf eine Zeit, sondern auf einen Carrier',
  'another gateway has the message right now: try again':
    'Ein anderes Gateway hat die Nachricht gerade: Versuchen Sie es noch einmal',
  'a carrier may have the message: it cannot be cancelled any more':
    'Ein Carrier kann die Nachricht haben: Sie kann nicht mehr storniert werden',
  'the message has ended: it is {}': 'Die Nachricht ist zu Ende: Sie ist {1}',
  'a carrier has the message': 'Ein Carrier hat die Nachricht',
  'no route of the channel lookup leads to a running carrier for this number':
    'Keine Route für Abfragen führt für diese Nummer zu einem laufenden Carrier',
  'no lookup service answered; the log of the gateway says why':
    'Kein Abfragedienst hat geantwortet; warum, steht im Log des Gateways',
  'the store failed before all data was erased: run it again to continue':
    'Die Datenbank fiel aus, bevor alles gelöscht war: Beginnen Sie noch einmal',
  'the phone cannot be erased yet: {}': 'Die Nummer kann noch nicht gelöscht werden: {1}',
  'the bulk is {}': 'Die Massensendung ist im Zustand {1}',
  'account {} has no bulk {}': 'Konto {1} hat keine Massensendung {2}',
  'the hook has been deleted': 'Der Hook wurde gelöscht',
  'the hook is stopped: resume it first': 'Der Hook ist gestoppt: Setzen Sie ihn zuerst fort',
  'this hook is not stopped': 'Dieser Hook ist nicht gestoppt',
  'no reports wait for this hook': 'Für diesen Hook warten keine Berichte',
  'account {} has no old secret': 'Konto {1} hat kein altes Geheimnis',
  'give a message, an account or an address, or all':
    'Geben Sie eine Nachricht, ein Konto oder eine Adresse an, oder alle',
  'Hooks were changed or tested {} times within an hour, try again later':
    'Hooks wurden in einer Stunde {1}-mal geändert oder getestet, versuchen Sie es später noch einmal',
  'hook: at most {} hooks in an account, delete one first':
    'Höchstens {1} Hooks in einem Konto, löschen Sie zuerst einen',
  'hook: another hook of the account has this address': 'Ein anderer Hook des Kontos hat diese Adresse',
  'hook: the account has created {} hooks, update one instead':
    'Das Konto hat schon {1} Hooks angelegt, ändern Sie stattdessen einen',
  'Hook not found': 'Diesen Hook gibt es nicht',

  // Alarms, configuration.
  'there is no alarm {}: see posthorn alarm list': 'Es gibt keinen Alarm {1}',
  'there is no alarm {}': 'Es gibt keinen Alarm {1}',
  'there is no such alarm: see posthorn alarm traffic': 'Diesen Alarm gibt es nicht',
  'alarm {} is already resolved': 'Alarm {1} ist schon erledigt',
  'alarms of the kind {} have none': 'Alarme der Art {1} haben keine',
  'there is no notification target {}': 'Es gibt kein Ziel {1} für Benachrichtigungen',
  'address is <kept>, but none is stored: give the address itself':
    'Die Adresse ist <kept>, aber keine ist gespeichert: Geben Sie die Adresse selbst an',
  '<kept> cannot stand for the path at another host: give the address itself':
    '<kept> kann nicht für den Pfad bei einem anderen Host stehen: Geben Sie die Adresse selbst an',
  'e-mail has recipients instead': 'E-Mail hat stattdessen Empfänger',
  'e-mail is not signed': 'E-Mail wird nicht signiert',
  'at least one e-mail address': 'mindestens eine E-Mail-Adresse',
  '{} is not an e-mail address': '{1} ist keine E-Mail-Adresse',
  'only e-mail has recipients': 'nur E-Mail hat Empfänger',
  'an incoming webhook is not signed': 'ein eingehender Webhook wird nicht signiert',
  'a hook needs a secret: whsec_ and at least 24 bytes in base64':
    'Ein Hook braucht ein Geheimnis: whsec_ und mindestens 24 Bytes in Base64',
  'the differences are no longer those of the review: do a dry run again':
    'Die Unterschiede sind nicht mehr die der Prüfung: Prüfen Sie noch einmal',
  'the configuration was written for another operator table: import that table, or remove the field operators':
    'Die Konfiguration wurde für eine andere Tabelle der Netzbetreiber geschrieben: Importieren Sie diese, oder entfernen Sie das Feld operators',
  'the configuration was changed concurrently: read it again':
    'Die Konfiguration wurde gleichzeitig geändert: Laden Sie sie neu',
  'the configuration: {…}': 'Die Konfiguration: {1}',
  'the {} occurs twice': 'Kommt zweimal vor: {1}',
}
