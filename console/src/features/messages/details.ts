/** Phrases that the gateway writes into timelines, in the languages of the console. */

export interface Details {
  /** Of unknown phrases the words stay: carriers and clients' servers have theirs. */
  readonly fixed: Readonly<Record<string, string>>
  quietHours(until: string): string
  failedTries(count: number): string
  link(code: string, target: string, opened: string): string
  openedBy(humans: number, robots: number): string
  takenAs(ref: string): string
}

export const DETAILS_EN: Details = {
  // Clients read them in other words (texts/client-words.ts).
  get fixed() {
    return Object.fromEntries(Object.keys(DETAILS_DE.fixed).map((phrase) => [phrase, phrase]))
  },
  quietHours: (until) => `quiet hours until ${until}`,
  failedTries: (count) => `${count} failed ${count === 1 ? 'try' : 'tries'}`,
  link: (code, target, opened) => `${code} for ${target}, ${opened}`,
  openedBy: (humans, robots) =>
    `opened by ${humans} ${humans === 1 ? 'user' : 'users'} and ${robots} ${robots === 1 ? 'robot' : 'robots'}`,
  takenAs: (ref) => `as ${ref}`,
}

export const DETAILS_DE: Details = {
  fixed: {
    'not delivered within its lifetime': 'nicht innerhalb der Frist zugestellt',
    'cancelled by the client': 'vom Kunden storniert',
    'cancelled by an operator': 'von einem Operator storniert',
    'discarded by an operator': 'von einem Operator verworfen',
    'its bulk was stopped': 'sein Bulk wurde gestoppt',
    'sent now by an operator': 'von einem Operator sofort gesendet',
    'the quiet hours have changed': 'die Ruhezeiten haben sich geändert',
    'no right code within its lifetime': 'kein richtiger Code innerhalb der Frist',
    'no longer needed: an earlier step was delivered': 'nicht mehr nötig: Ein früherer Schritt wurde zugestellt',
    'no route to this number': 'keine Route zu dieser Nummer',
    'no carrier of its routes can take a call now': 'kein Carrier der Routen kann jetzt einen Anruf annehmen',
    'the number is denied': 'die Nummer ist gesperrt',
    'the sender is no longer approved': 'der Absender ist nicht mehr freigegeben',
    'the recipient has opted out': 'der Empfänger hat sich abgemeldet',
    'the carrier is not running': 'der Carrier läuft nicht',
    'the carrier was stopped': 'der Carrier wurde angehalten',
    'the carrier is stopping': 'der Carrier wird angehalten',
    'the carrier driver gave no verdict': 'der Carrier-Treiber hat nichts entschieden',
    'the templates are not known yet': 'die Vorlagen sind noch nicht bekannt',
    'not bound': 'nicht verbunden',
    'no answer': 'keine Antwort',
    'not answered': 'nicht angenommen',
    'answered without ringing': 'angenommen, ohne zu klingeln',
    'all lines are busy': 'alle Leitungen sind besetzt',
    'a lookup service carries no messages': 'ein Abfragedienst überträgt keine Nachrichten',
    'not read in time': 'nicht rechtzeitig abgeholt',
    'not sent: the hook was deleted': 'nicht gesendet: Der Hook wurde gelöscht',
    'not sent: the hook is gone (HTTP 410)': 'nicht gesendet: Den Hook gibt es nicht mehr (HTTP 410)',
    'not sent: the hook is too new': 'nicht gesendet: Der Hook ist zu neu',
  },
  quietHours: (until) => `Ruhezeit bis ${until}`,
  failedTries: (count) => `${count} ${count === 1 ? 'erfolgloser Versuch' : 'erfolglose Versuche'}`,
  link: (code, target, opened) => `${code} für ${target}, ${opened}`,
  openedBy: (humans, robots) =>
    `geöffnet von ${humans} Nutzer${humans === 1 ? '' : 'n'} und ${robots} Bot${robots === 1 ? '' : 's'}`,
  takenAs: (ref) => `mit der Kennung ${ref}`,
}
