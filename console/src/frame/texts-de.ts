/** German texts of the frame. */
import type { TextsLike } from '../texts/texts.ts'
import type { FRAME_EN } from './texts-en.ts'

export const FRAME_DE: TextsLike<typeof FRAME_EN> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  openMenu: 'Navigation öffnen',
  closeMenu: 'Navigation schließen',
  userMenu: 'Benutzermenü:',
  language: 'Sprache',
  theme: 'Darstellung',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  logOut: 'Abmelden',
  security: 'Meine Sicherheit',
  keys: 'Tastenkürzel',
  unknownPage: 'Seite nicht gefunden',
  unknownPageHint: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.',
  toOverview: 'Zur Übersicht',
  failedPage: 'Diese Seite ist fehlgeschlagen',
  proofTitle: 'Bitte bestätigen Sie Ihre Identität',
  proofHint: 'Änderungen an Geld, Geheimnissen und Rollen brauchen erneut Ihr Passwort und einen Code.',
  password: 'Passwort',
  code: 'Code aus Ihrer Authenticator-App',
  proofAction: 'Bestätigen',
  cancel: 'Abbrechen',
  roles: {
    owner: 'Inhaber',
    operator: 'Betrieb',
    finance: 'Finanzen',
    support: 'Support',
    auditor: 'Prüfer',
    'client-admin': 'Kunde (Verwaltung)',
    'client-reader': 'Kunde (Leser)',
  },
}
