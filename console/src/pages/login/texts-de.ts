/** German texts of the login page. */
import type { TextsLike } from '../../texts/texts.ts'
import type { LOGIN_EN } from './texts-en.ts'

export const LOGIN_DE: TextsLike<typeof LOGIN_EN> = {
  title: 'Anmelden',
  user: 'Benutzer',
  password: 'Passwort',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint: 'Sechs Ziffern',
  action: 'Anmelden',
  passkey: 'Mit Passkey anmelden',
  sso: (name) => `Mit ${name} anmelden`,
  confirmed: 'Bestätigt. Schließen Sie diesen Tab und machen Sie im anderen weiter.',
  again: 'Zurück zur Anmeldung',
  or: 'oder',
  ended: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an.',
  signingIn: 'Anmeldung läuft …',
  linkFailed:
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Lassen Sie sich einen neuen geben, oder melden Sie sich mit dem Passwort an.',
  linkOfOther: (owner, present) =>
    `Dieser Link meldet Sie als ${owner} an und ${present} in diesem Browser ab. Benutzen Sie ihn nur, wenn Sie ihn erwartet haben.`,
  continueAs: (owner) => `Weiter als ${owner}`,
  stay: (present) => `Als ${present} angemeldet bleiben`,
  help: 'Kein Zugang? Ein Inhaber legt Benutzer an und richtet sie ein.',
}
