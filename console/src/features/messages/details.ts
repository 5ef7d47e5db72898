/** Phrases that the gateway writes into timelines, in the languages of the console. */
import { DETAILS_DE as DETAIL_PHRASES } from '../../texts/gateway/details-de.ts'

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
    return Object.fromEntries(Object.keys(DETAIL_PHRASES).map((phrase) => [phrase, phrase]))
  },
  quietHours: (until) => `quiet hours until ${until}`,
  failedTries: (count) => `${count} failed ${count === 1 ? 'try' : 'tries'}`,
  link: (code, target, opened) => `${code} for ${target}, ${opened}`,
  openedBy: (humans, robots) =>
    `opened by ${humans} ${humans === 1 ? 'user' : 'users'} and ${robots} ${robots === 1 ? 'robot' : 'robots'}`,
  takenAs: (ref) => `as ${ref}`,
}

export const DETAILS_DE: Details = {
  fixed: DETAIL_PHRASES,
  quietHours: (until) => `Ruhezeit bis ${until}`,
  failedTries: (count) => `${count} ${count === 1 ? 'erfolgloser Versuch' : 'erfolglose Versuche'}`,
  link: (code, target, opened) => `${code} für ${target}, ${opened}`,
  openedBy: (humans, robots) =>
    `geöffnet von ${humans} Nutzer${humans === 1 ? '' : 'n'} und ${robots} Bot${robots === 1 ? '' : 's'}`,
  takenAs: (ref) => `mit der Kennung ${ref}`,
}
