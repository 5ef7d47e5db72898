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
  signingIn: 'Anmeldung läuft …',
  help: 'Kein Zugang? Ein Inhaber legt Benutzer an und richtet sie ein.',
}
