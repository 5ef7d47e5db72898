/** Login, and what users change themselves: password and one-time codes. */
import { LOG_IN, LOG_OUT, PROVE_SESSION } from './log-in.ts'
import { KEEP_CODES, PROPOSE_CODES, REMOVE_CODES, SET_PASSWORD } from './set-secrets.ts'
import { ISSUE_SIGN_IN_LINK, LOG_IN_BY_LINK } from './sign-in-link.ts'
import { SSO_ENDPOINTS } from './sso.ts'

export const SESSION_ENDPOINTS = [
  LOG_IN,
  LOG_IN_BY_LINK,
  ISSUE_SIGN_IN_LINK,
  PROVE_SESSION,
  LOG_OUT,
  SET_PASSWORD,
  PROPOSE_CODES,
  KEEP_CODES,
  REMOVE_CODES,
  ...SSO_ENDPOINTS,
]
