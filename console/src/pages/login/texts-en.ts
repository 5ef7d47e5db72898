/** English texts of the login page. */
export const LOGIN_EN = {
  title: 'Log in',
  user: 'User',
  password: 'Password',
  code: 'Code from your authenticator app',
  codeHint: 'Six digits',
  action: 'Log in',
  signingIn: 'Signing in…',
  help: 'No access? An owner creates users and sets them up.',
}
