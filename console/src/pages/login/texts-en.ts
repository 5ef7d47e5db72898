/** English texts of the login page. */
export const LOGIN_EN = {
  title: 'Log in',
  user: 'User',
  password: 'Password',
  code: 'Code from your authenticator app',
  codeHint: 'Six digits',
  action: 'Log in',
  passkey: 'Log in with a passkey',
  or: 'or',
  signingIn: 'Logging in…',
  linkFailed: 'This link was used before or has expired. Ask for a new one, or log in with your password.',
  help: 'No access? An owner creates users and sets them up.',
}
