/** The login servers that post a fixed form: how each proves itself, what it sends, and what it reads. */
import {
  type ReadCode,
  readAuth0,
  readAuthentik,
  readAuthgear,
  readFusionAuth,
  readLogto,
  readSupabase,
  readZitadel,
} from './read-code.ts'
import {
  type CheckSignature,
  isAuth0Token,
  isAuthgearSignature,
  isStandardWebhook,
  isZitadelSignature,
} from './signatures.ts'
import { type WriteAnswer, writeAuthentik, writeAuthgear, writeStatus, writeSupabase } from './write-answers.ts'

export interface LoginServer {
  /** Absent if it cannot sign. */
  readonly isSigned?: CheckSignature
  /** Whether it can send the password of the login. */
  readonly sendsPassword: boolean
  readonly read: ReadCode
  readonly write: WriteAnswer
}

export const LOGIN_SERVERS: ReadonlyMap<string, LoginServer> = new Map<string, LoginServer>([
  ['supabase', { isSigned: isStandardWebhook, sendsPassword: false, read: readSupabase, write: writeSupabase }],
  ['zitadel', { isSigned: isZitadelSignature, sendsPassword: false, read: readZitadel, write: writeStatus }],
  ['fusionauth', { sendsPassword: true, read: readFusionAuth, write: writeStatus }],
  ['authentik', { sendsPassword: true, read: readAuthentik, write: writeAuthentik }],
  ['logto', { sendsPassword: true, read: readLogto, write: writeStatus }],
  ['authgear', { isSigned: isAuthgearSignature, sendsPassword: false, read: readAuthgear, write: writeAuthgear }],
  ['auth0', { isSigned: isAuth0Token, sendsPassword: true, read: readAuth0, write: writeStatus }],
])

/**
 * Returns the password in an Authorization header: of Basic with the name of the login, of Bearer, or the whole text as
 * it was configured. Null if there is none, or it is for another login.
 */
export function passwordIn(authorization: string, login: string): string | null {
  const [, scheme = '', value = ''] = /^(Basic|Bearer) +(\S.*)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return value || authorization || null
  const pair = Buffer.from(value, 'base64').toString()
  return pair.startsWith(`${login}:`) ? pair.slice(login.length + 1) || null : null
}
