/** Why the admin API refuses a request, in German. */
export const REFUSALS_DE: Readonly<Record<string, string>> = {
  // Of any request.
  'some fields are invalid': 'Einige Felder sind ungültig',
  'too many concurrent changes by other gateways; try again':
    'Zu viele gleichzeitige Änderungen durch andere Gateways; versuchen Sie es noch einmal',
  'it has changed since the ETag of If-Match: read it again': 'Es wurde inzwischen geändert: Laden Sie es neu',
  'the Idempotency-Key was used for another request': 'Der Idempotency-Key wurde für eine andere Anfrage benutzt',
  'a request with this Idempotency-Key was executed or is running; check its effect':
    'Diese Anfrage wurde schon ausgeführt oder läuft noch; prüfen Sie ihre Wirkung',
  'a request with this Idempotency-Key has been executed': 'Diese Anfrage wurde schon ausgeführt',
  'the search reads too many rows: choose an account, a phone number or a shorter time':
    'Die Suche liest zu viele Zeilen: Wählen Sie ein Konto, eine Telefonnummer oder eine kürzere Zeit',
  'reads too many rows: choose a shorter time, an account or other groups':
    'liest zu viele Zeilen: Wählen Sie eine kürzere Zeit, ein Konto oder andere Gruppen',
  'gives more than {} lines: choose a shorter time or fewer groups':
    'ergibt mehr als {1} Zeilen: Wählen Sie eine kürzere Zeit oder weniger Gruppen',
  'the store is unavailable; nothing was changed': 'Die Datenbank ist nicht erreichbar; nichts wurde geändert',
  'the gateway did not answer': 'Das Gateway hat nicht geantwortet',
  'The gateway does not answer. Check that it runs, then try again.':
    'Das Gateway antwortet nicht. Prüfen Sie, ob es läuft, und versuchen Sie es noch einmal.',
  'internal error; see the log': 'Interner Fehler; siehe Log',
  'the gateway stops': 'Das Gateway wird beendet',
  'no endpoint has this path and method': 'Diesen Endpunkt gibt es nicht',
  'send a JSON body with Content-Type: application/json': 'Senden Sie JSON mit Content-Type: application/json',
  'send a valid token: Authorization: Bearer ph_admin_…':
    'Senden Sie ein gültiges Token: Authorization: Bearer ph_admin_…',
  'the session has ended: log in again': 'Die Sitzung ist beendet: Melden Sie sich neu an',
  'at most {} requests per second for an account': 'Höchstens {1} Anfragen pro Sekunde für ein Konto',
  'too many live views are open: close one': 'Zu viele Live-Ansichten sind offen: Schließen Sie eine',
  'host name not allowed: open the console by IP address or localhost, or set POSTHORN_CONSOLE_ORIGIN to its address':
    'Dieser Hostname ist nicht erlaubt: Öffnen Sie die Konsole mit IP-Adresse oder localhost, oder setzen Sie POSTHORN_CONSOLE_ORIGIN auf ihre Adresse',
  'refused: requests of a browser must come from a page of this gateway':
    'Abgelehnt: Anfragen eines Browsers müssen von einer Seite dieses Gateways kommen',
  '{…} may not {}; {…} may': 'Die Rolle {1} darf das nicht; es darf: {3}',
  'to change {}, log in: a token does not prove who uses it':
    'Melden Sie sich dafür an: Ein Token beweist nicht, wer es benutzt',
  'to change {}, prove again who you are: POST {}': 'Bestätigen Sie dafür Ihre Identität',
  'only a running gateway {}: name it with --server or POSTHORN_SERVER': 'Das kann nur ein laufendes Gateway',
  'only operators may send it': 'darf nur ein Betreiber senden',
  'only operators may group by carrier': 'Nur Betreiber dürfen nach Carrier gruppieren',
  'your role may not see this figure': 'Ihre Rolle darf diesen Wert nicht sehen',
  '{} exists already': '{1} gibt es schon',
  'there is no such thing': 'Das gibt es nicht',
  'there is no such {}': 'Das gibt es nicht: {1}',
  'there is no such entry': 'Diesen Eintrag gibt es nicht',
  'there is no such rule': 'Diese Regel gibt es nicht',
  'nothing to change: give {}': 'Nichts zu ändern: Ändern Sie mindestens ein Feld',
  '{} lines are wrong': '{1} Zeilen sind falsch',

  // Accounts, keys and logins.
  'there is no account {}': 'Es gibt kein Konto {1}',
  'there is an account named {} already': 'Es gibt schon ein Konto namens {1}',
  'account {} is {} here and {} in the configuration': 'Konto {1} heißt hier {2} und in der Konfiguration {3}',
  'account {} is not named {}': 'Konto {1} heißt nicht {2}',
  'account {} is closed, and stays so': 'Konto {1} ist geschlossen und bleibt es',
  'account {} is closed: no key opens it': 'Konto {1} ist geschlossen: Kein Schlüssel öffnet es',
  'account {} is closed: no login opens it': 'Konto {1} ist geschlossen: Kein Zugang öffnet es',
  'account {} is closed: its users cannot log in':
    'Konto {1} ist geschlossen: Seine Benutzer können sich nicht anmelden',
  'account {} is closed': 'Konto {1} ist geschlossen',
  'the account is suspended and has messages that wait: discard them (posthorn account discard), or set the account active so that they are sent':
    'Das Konto ist gesperrt und hat Nachrichten, die warten: Verwerfen Sie sie, oder setzen Sie das Konto auf aktiv, damit sie gesendet werden',
  'days of keeping must be whole numbers from 0 to {}': 'Tage der Aufbewahrung müssen ganze Zahlen von 0 bis {1} sein',
  'texts cannot be kept longer than the records of their messages':
    'Texte können nicht länger aufbewahrt werden als die Datensätze ihrer Nachrichten',
  'account {} already has a key named {}: rotate or revoke it, or choose another name':
    'Konto {1} hat schon einen Schlüssel namens {2}: Erneuern oder widerrufen Sie ihn, oder wählen Sie einen anderen Namen',
  'account {} has no key named {}': 'Konto {1} hat keinen Schlüssel namens {2}',
  'account {} has no such key': 'Konto {1} hat diesen Schlüssel nicht',
  'the key {} has expired: issue a new one': 'Der Schlüssel {1} ist abgelaufen: Stellen Sie einen neuen aus',
  'this key exists already': 'Diesen Schlüssel gibt es schon',
  'the key that is to be replaced does not exist': 'Den Schlüssel, der ersetzt werden soll, gibt es nicht',
  'there is a login named {} already: choose another name':
    'Es gibt schon einen Zugang namens {1}: Wählen Sie einen anderen Namen',
  'account {} has no login named {}: add it first (posthorn login add)':
    'Konto {1} hat keinen Zugang namens {2}: Legen Sie ihn zuerst an',
  'account {} has no login named {}': 'Konto {1} hat keinen Zugang namens {2}',
  'account {} has no login {}': 'Konto {1} hat keinen Zugang {2}',
  'the login {} belongs to another account': 'Der Zugang {1} gehört zu einem anderen Konto',
  'reports go to this login: change the hook of {} and {} more first':
    'Berichte gehen an diesen Zugang: Ändern Sie zuerst den Hook von {1} und {2} weiteren',
  'reports go to this login: change the hook of {} first':
    'Berichte gehen an diesen Zugang: Ändern Sie zuerst den Hook von {1}',

  // Users and sessions.
  'there is no user {}': 'Es gibt keinen Benutzer {1}',
  'there is a user {} already': 'Es gibt schon einen Benutzer {1}',
  'user {} exists already': 'Den Benutzer {1} gibt es schon',
  'user {} is disabled': 'Der Benutzer {1} ist gesperrt',
  'user {} cannot be moved between accounts': 'Der Benutzer {1} kann nicht in ein anderes Konto wechseln',
  '{} is the last owner who can log in: create another one first':
    '{1} ist der letzte Inhaber, der sich anmelden kann: Legen Sie zuerst einen anderen an',
  'a {} needs an account': 'Die Rolle {1} braucht ein Konto',
  'a user of an account cannot be {}': 'Ein Benutzer eines Kontos kann nicht {1} sein',
  "users of accounts do not sign in with the firm's account":
    'Benutzer von Konten melden sich nicht mit dem Firmenkonto an',
  'names that end in @ and digits are for users of accounts':
    'Namen, die mit @ und Ziffern enden, sind für Benutzer von Konten',
  'the name of a user of account {} must end in @{}': 'Der Name eines Benutzers von Konto {1} muss mit @{2} enden',
  'account {} has {} users, and may have no more': 'Konto {1} hat {2} Benutzer, mehr sind nicht erlaubt',
  '{} signs in with this account': '{1} meldet sich mit diesem Konto an',
  '{} has a token labelled {} already': '{1} hat schon ein Token mit der Bezeichnung {2}',
  '{} has no token labelled {}': '{1} hat kein Token mit der Bezeichnung {2}',
  'labels like this one are for sessions: choose another label':
    'Bezeichnungen wie diese sind für Sitzungen: Wählen Sie eine andere',
  "you sign in with the firm's account, and with nothing else":
    'Sie melden sich mit dem Firmenkonto an, und mit nichts anderem',
  'the session is not there any more': 'Die Sitzung gibt es nicht mehr',
  'a password must have {} to {} characters': 'Ein Passwort muss {1} bis {2} Zeichen haben',
  'authentication with a token is required': 'Die Anmeldung mit einem Token ist erforderlich',
  'only a session can be proven, not another token': 'Nur eine Sitzung kann bestätigt werden, kein anderes Token',
  'too many failed logins: try again in {} seconds':
    'Zu viele fehlgeschlagene Anmeldungen: Versuchen Sie es in {1} Sekunden noch einmal',
  'the answer of the authenticator is not valid: try again':
    'Die Antwort des Authenticators ist ungültig: Versuchen Sie es noch einmal',
  'this passkey is not known here, or its answer is not valid: try again':
    'Dieser Passkey ist hier unbekannt, oder seine Antwort ist ungültig: Versuchen Sie es noch einmal',
  'this passkey is registered already': 'Dieser Passkey ist schon eingerichtet',
  'a user may have {} passkeys: remove one first': 'Ein Benutzer kann {1} Passkeys haben: Entfernen Sie zuerst einen',
  '{} has a passkey named {} already': '{1} hat schon einen Passkey namens {2}',
  '{} has no passkey named {}': '{1} hat keinen Passkey namens {2}',
  '{} has no passkeys': '{1} hat keine Passkeys',
  'passkeys are used by pages of this gateway in a browser': 'Passkeys gibt es nur auf Seiten dieses Gateways',
  'passkeys need a host name, not {}: open the console as localhost or by its name':
    'Passkeys brauchen einen Hostnamen, nicht {1}: Öffnen Sie die Konsole als localhost oder mit ihrem Namen',
  'user, password or code is wrong, or the user has not set up both':
    'Benutzer, Passwort oder Code ist falsch, oder der Benutzer hat nicht beides eingerichtet',
  'password or code is wrong. A code is valid once and for a short time: wait until the app shows the next one':
    'Passwort oder Code ist falsch. Ein Code gilt einmal und kurze Zeit: Warten Sie, bis die App den nächsten zeigt',
  'the code does not match this secret and time': 'Der Code passt nicht zu diesem Geheimnis und dieser Zeit',
  'set a password before you remove codes': 'Legen Sie ein Passwort fest, bevor Sie Codes entfernen',
  'current_password and current_code are required, if set':
    'Das jetzige Passwort und ein jetziger Code sind erforderlich',
  'this link was used or has expired: get a new one with posthorn console':
    'Dieser Link wurde benutzt oder ist abgelaufen: Holen Sie einen neuen mit posthorn console',
  'POSTHORN_SSO_ISSUER is not set': 'POSTHORN_SSO_ISSUER ist nicht gesetzt',
  "the firm's account is used by pages of this gateway in a browser":
    'Das Firmenkonto gibt es nur auf Seiten dieses Gateways',
  'too many sign-ins from this address: try again in a second':
    'Zu viele Anmeldungen von dieser Adresse: Versuchen Sie es gleich noch einmal',
  'this sign-in has expired, or was used: begin again':
    'Diese Anmeldung ist abgelaufen oder wurde benutzt: Beginnen Sie von vorn',
  'the provider sends neither preferred_username nor email': 'Der Anbieter sendet weder preferred_username noch email',
  'your name at the provider must have 1 to {} characters, no control or invisible characters and no spaces around it, and not be . or ..':
    'Ihr Name beim Anbieter muss 1 bis {1} Zeichen haben, keine Steuerzeichen oder unsichtbaren Zeichen und keine Leerzeichen am Rand, und darf nicht . oder .. sein',
  'there is a user {} already: an owner says that it is you, by posthorn user set --user={} --subject {}':
    'Es gibt schon einen Benutzer {1}: Ein Inhaber bestätigt mit posthorn user set --user={2} --subject {3}, dass Sie es sind',

  // Money and prices.
  'a credit limit must be at least 0': 'Ein Kreditrahmen muss mindestens 0 sein',
  'account {} is closed: it cannot be topped up; for a refund use a correction (account correct)':
    'Konto {1} ist geschlossen: Es kann nicht aufgeladen werden; eine Erstattung ist eine Korrektur',
  'account {} has less than that to spend: what is held or spent cannot be taken away':
    'Konto {1} hat weniger Guthaben: Was reserviert oder ausgegeben ist, kann nicht abgezogen werden',
  'account {} owes more than that: it must pay first, or be suspended':
    'Konto {1} schuldet mehr: Es muss zuerst zahlen oder gesperrt werden',
  'the account cannot hold that much': 'So viel kann das Konto nicht aufnehmen',
  'message {} was not charged': 'Die Nachricht {1} wurde nicht berechnet',
  'the charge of message {} is refunded already': 'Die Nachricht {1} ist schon erstattet',
  'only {} of the charge is left to refund': 'Von der Berechnung kann nur noch {1} erstattet werden',
  'a correction needs a reason': 'Eine Korrektur braucht einen Grund',
  '{} is not an ISO 4217 currency such as EUR': '{1} ist keine Währung nach ISO 4217, etwa EUR',
  'from must not be later than through': 'Der erste Tag darf nicht nach dem letzten liegen',
  'a query covers at most {} days': 'Eine Abfrage umfasst höchstens {1} Tage',
  'too many lines: give an account, or fewer values of by':
    'Zu viele Zeilen: Wählen Sie ein Konto oder weniger Gruppen',
  'there is no such price': 'Diesen Preis gibt es nicht',
  'there is no such cost': 'Diese Kosten gibt es nicht',
  'there is no price group {}': 'Es gibt keine Preisgruppe {1}',
  'a tariff has the prices of one owner in one currency': 'Ein Tarif hat Preise eines Besitzers in einer Währung',
  'a price is for an account or for a group, not for both':
    'Ein Preis gilt für ein Konto oder eine Gruppe, nicht für beide',
  'accounts belong to the price group {}, now or later: {} and {} more; move them first':
    'Konten gehören zur Preisgruppe {1}, jetzt oder später: {2} und {3} weitere; verschieben Sie sie zuerst',
  'accounts belong to the price group {}, now or later: {}; move them first':
    'Konten gehören zur Preisgruppe {1}, jetzt oder später: {2}; verschieben Sie sie zuerst',
  'accounts belong to the price group {} ({}): move them first':
    'Konten gehören zur Preisgruppe {1} ({2}): Verschieben Sie sie zuerst',
  'the account is moved to no group then': 'Das Konto wechselt dann in keine Gruppe',
  'account {} pays in another currency than {}, which pays in {}':
    'Konto {1} zahlt in einer anderen Währung als {2}, das in {3} zahlt',
  'account {} pays in {}, so the price must be in it too, not in {}':
    'Konto {1} zahlt in {2}, also muss auch der Preis darin sein, nicht in {3}',
  'account {} pays in {}, not in {}': 'Konto {1} zahlt in {2}, nicht in {3}',
  '{} has prices of its own: replace them with --replace (replace: true)':
    '{1} hat eigene Preise: Kreuzen Sie an, dass sie ersetzt werden',
  'there are no prices to copy': 'Es gibt keine Preise zum Kopieren',
  'the file has no prices; to do it anyway, add --confirm (confirm: true)': 'Die Datei hat keine Preise',
  'until: must be later than now, because the price is still valid; to remove it, leave the line out':
    'until: muss später als jetzt sein, weil der Preis noch gilt; zum Entfernen lassen Sie die Zeile weg',
  'the first line must name the columns: {}': 'Die erste Zeile muss die Spalten nennen: {1}',
  'the first line names a column twice': 'Die erste Zeile nennt eine Spalte zweimal',
  'has more cells than the first line names': 'hat mehr Zellen, als die erste Zeile nennt',
  'has more than {} cells': 'hat mehr als {1} Zellen',
  'the channel must be one of {}': 'Der Kanal muss einer dieser sein: {1}',
  'the price {…}': 'Der Preis {1}',
  'end_previous requires from': 'Um das Vorige zu beenden, geben Sie einen Beginn an',
  'a category must be 1 to 64 letters, digits, dashes and underscores, such as utility':
    'Eine Kategorie muss 1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche haben, etwa utility',
  'the category free always costs 0: it cannot have a cost':
    'Die Kategorie free kostet immer 0: Sie kann keine Kosten haben',
  'the costs are of another carrier': 'Die Kosten gehören zu einem anderen Carrier',

  // Price sheets.
  'has {} rates, at most {}: a line has one for each network':
    'hat {1} Preise, höchstens {2}: Eine Zeile hat einen je Netz',
  'the sheet has no rates': 'Das Preisblatt hat keine Preise',
  'the sheet ends {} of {} rates': 'Das Preisblatt beendet {1} von {2} Preisen',
  '{} of {} amounts are more than {} times what they were, or that much less':
    '{1} von {2} Beträgen sind mehr als {3}-mal so hoch wie zuvor, oder um so viel niedriger',
  'the file removes {} of {} prices; to keep prices that it does not name, add --merge (merge: true); to do it anyway, add --confirm (confirm: true)':
    'Die Datei entfernt {1} von {2} Preisen; behalten Sie die, die sie nicht nennt, oder bestätigen Sie',
  '{…}; to do it anyway, add --confirm (confirm: true)': '{1}; bestätigen Sie, wenn das so sein soll',
  '{…}; to leave them out, add --skip-wrong (skip_wrong: true)': '{1}; kreuzen Sie an, dass sie ausgelassen werden',
  'the price is not an amount from 0 to 100000000': 'Der Preis ist kein Betrag von 0 bis 100000000',
  'the price may be a thousand or a fraction: say which sign its decimals have':
    'Der Preis kann ein Tausender oder ein Bruchteil sein: Wählen Sie das Dezimalzeichen',
  'the price is in another currency, or in none of ISO 4217':
    'Der Preis ist in einer anderen Währung, oder in keiner nach ISO 4217',
  'the day is not one such as 2027-01-31 or 31.01.2027': 'Der Tag ist keiner wie 2027-01-31 oder 31.01.2027',
  'the country is unknown': 'Das Land ist unbekannt',
  'no country has the MCC': 'Kein Land hat diese MCC',
  'the MNC is not a network code of 2 or 3 digits, or a list of them':
    'Die MNC ist kein Netzcode aus 2 oder 3 Ziffern, und keine Liste davon',
  'the prefix is not 1 to 15 digits with a country code': 'Die Vorwahl sind nicht 1 bis 15 Ziffern mit Landesvorwahl',
  'the line names neither a network, a prefix nor a country': 'Die Zeile nennt weder Netz, Vorwahl noch Land',
  'several countries share the calling code: name the networks (MCC and MNC) or prefixes':
    'Mehrere Länder teilen sich die Vorwahl: Nennen Sie die Netze (MCC und MNC) oder Vorwahlen',
  'the sheet has another price for the same': 'Das Preisblatt hat dafür einen anderen Preis',
}
