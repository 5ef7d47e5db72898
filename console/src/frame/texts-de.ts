/** German texts of the frame. */
import { ROLES_DE } from '../texts/roles.ts'
import { plural, type TextsLike } from '../texts/texts.ts'
import type { FRAME_EN } from './texts-en.ts'

const alarms = plural('de', '# offener Alarm', '# offene Alarme')

export const FRAME_DE: TextsLike<typeof FRAME_EN> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  openMenu: 'Navigation öffnen',
  closeMenu: 'Navigation schließen',
  userMenu: 'Benutzermenü:',
  alarms: (count: number, worst: 'info' | 'warning' | 'critical') =>
    `${alarms(count)}, schlimmster: ${{ info: 'Hinweis', warning: 'Warnung', critical: 'kritisch' }[worst]}`,
  language: 'Sprache',
  theme: 'Darstellung',
  zone: 'Zeitzone',
  zoneHint: 'Für Zeiten, Tage und Monate in diesem Browser.',
  zoneItem: (zone) => `Zeitzone: ${zone}`,
  browserZone: (zone) => `Die des Browsers (${zone})`,
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  logOut: 'Abmelden',
  security: 'Meine Sicherheit',
  keys: 'Tastenkürzel',
  unknownPage: 'Seite nicht gefunden',
  unknownPageHint: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite wurde verschoben.',
  toOverview: 'Zur Übersicht',
  silence: (since) => `Das Gateway antwortet seit ${since} nicht. Was hier steht, kann sich geändert haben.`,
  forbiddenPage: 'Für Ihre Rolle nicht verfügbar',
  forbiddenPageHint: 'Ein Inhaber kann Ihnen eine andere Rolle geben.',
  search: 'Suchen',
  searchHint: 'Seite, Nachricht, Telefonnummer, Konto, Carrier, Preisgruppe oder Absender',
  searchHintOfClient: 'Seite, Nachricht, Telefonnummer oder Absender',
  searchEmpty: 'Keine Treffer',
  searchPage: 'Seite',
  searchMessage: (id) => `Nachricht ${id}`,
  searchAccount: 'Konto',
  searchCarrier: 'Carrier',
  searchGroup: 'Preisgruppe',
  searchSender: 'Absender',
  shortcuts: {
    search: 'Suchen',
    help: 'Tastenkürzel anzeigen',
    close: 'Dialog oder Menü schließen',
  },
  setUpTitle: 'Anmeldung einrichten',
  setUpText:
    'Sie haben sich über einen Link angemeldet, der nur einmal gilt. Richten Sie Passwort und Codes oder einen Passkey ein, damit Sie sich ohne neuen Link wieder anmelden können.',
  setUpNow: 'Jetzt einrichten',
  setUpLater: 'Später',
  failedPage: 'Diese Seite konnte nicht angezeigt werden',
  proofTitle: 'Bitte bestätigen Sie Ihre Identität',
  proofHint: 'Für Änderungen an Geld, Geheimnissen und Rollen geben Sie Ihr Passwort und einen Code erneut ein.',
  password: 'Passwort',
  code: 'Code aus Ihrer Authenticator-App',
  proofPasskey: 'Passkey benutzen',
  proofSsoHint:
    'Für Änderungen an Geld, Geheimnissen und Rollen melden Sie sich neu an; dafür öffnet sich ein eigener Tab.',
  proofSso: 'Neu anmelden',
  proofAction: 'Bestätigen',
  cancel: 'Abbrechen',
  roles: ROLES_DE,
}
