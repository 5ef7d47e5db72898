/**
 * A login: the name and password with which programs that exist send, as system id and password of SMPP or user name of
 * HTTP interfaces. It acts for one account, and says how that sends what the program's protocol cannot say.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { TrafficClass } from '../message/traffic-class.ts'
import { isPathPart } from '../text/path-part.ts'

export interface Login {
  /** Unique over the installation; case counts. */
  readonly name: string
  readonly accountId: AccountId
  readonly secrets: LoginSecrets
  /** Networks in CIDR form from which it is accepted, within those of the account; null for all. */
  readonly networks: readonly string[] | null
  /** The type of its sends: a channel, or several in the order in which they are tried, `rcs+sms`. */
  readonly type: string
  /** Sender of messages that name none; null for the default of the account. */
  readonly sender: string | null
  /** SMPP: maximum of connections at a time, over all nodes. */
  readonly maxBinds: number
  /** Messages per second, over all nodes; null for the limit of the account alone. */
  readonly perSecond: number | null
  /** SMPP: maximum of requests of a connection that are not answered yet. */
  readonly window: number
  /** SMPP: takes messages of the same user_message_reference once within a day. */
  readonly onceByReference: boolean
  /** As the priority of a key. */
  readonly priority: TrafficClass | null
  /** Its messages reach only simulated phones and cost nothing. */
  readonly test: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** Stored sealed. */
export interface LoginSecrets {
  /** Random, hexadecimal. */
  readonly salt: string
  /** SHA-256 of salt and password, hexadecimal. */
  readonly passwordHash: string
  /** The key with which a login server signs its requests; null for none. */
  readonly signingKey: string | null
}

/** What a login has unless it is given. */
export const LOGIN_DEFAULTS = {
  networks: null,
  type: 'sms',
  sender: null,
  maxBinds: 4,
  perSecond: null,
  window: 100,
  onceByReference: false,
  priority: null,
  test: false,
} as const satisfies Partial<Login>

/** Shorter ones can be guessed, and need networks. Those of SMPP have at most 8 characters by its standard. */
export const LONG_PASSWORD = 12
export const MAX_LOGIN_NAME = 64
export const MAX_PASSWORD = 128
export const LOGIN_NAME_RULE = `at most ${MAX_LOGIN_NAME} visible ASCII characters without a colon, and not . or ..`
/** ASCII. */
export const PASSWORD_FORM = /^[\x20-\x7e]+$/

/** The colon ends a name in an Authorization header. */
export function isLoginName(name: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]+$/.test(name) && name.length <= MAX_LOGIN_NAME && isPathPart(name)
}
