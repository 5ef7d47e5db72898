/** English texts of the login page. */
export const LOGIN_EN = {
  title: 'Log in',
  user: 'User',
  password: 'Password',
  code: 'Code from your authenticator app',
  codeHint: 'Six digits',
  action: 'Log in',
  passkey: 'Log in with a passkey',
  sso: (name: string) => `Log in with ${name}`,
  confirmed: 'Confirmed. Close this tab and go on in the other one.',
  again: 'Back to the login',
  or: 'or',
  ended: 'Your session has ended. Log in again.',
  signingIn: 'Logging in…',
  linkFailed: 'This link was used before or has expired. Ask for a new one, or log in with your password.',
  linkOfOther: (owner: string, present: string) =>
    `This link logs you in as ${owner}, and logs ${present} out in this browser. Use it only if you expected it.`,
  continueAs: (owner: string) => `Continue as ${owner}`,
  stay: (present: string) => `Stay logged in as ${present}`,
  help: 'No access? An owner creates users and sets them up.',
}
