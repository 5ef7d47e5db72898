/**
 * How often a user and an address may fail to log in. Failures count by user and address together, so that no other
 * address can lock out a user; by address; and by user over all addresses in an hour, above which only networks from
 * which the user signed in lately may try. The counts are stored, so they hold for all nodes and across restarts.
 */

/** Attempts under one key. */
export interface LoginTally {
  readonly failures: number
  /** Milliseconds since 1970: no attempt before then; of an hourly limit, the end of its hour. */
  readonly until: number
}

export interface LoginLimit {
  /** Failures before the first wait. */
  readonly free: number
  /**
   * `growing`: each further failure doubles the wait, and all are forgotten if nothing was tried for `longestWaitMs`
   * after the last one. `fixed`: counts the failures of a period of `longestWaitMs`, and waits until it ends.
   */
  readonly waits: 'growing' | 'fixed'
  /** Milliseconds. */
  readonly longestWaitMs: number
}

/** What an attempt is counted under. */
export interface LoginKey {
  readonly name: string
  readonly limit: LoginLimit
  /** Whether the attempt has to wait under this key, or is only counted. */
  readonly holds: boolean
}

/** An attempt to log in or to prove an identity, by what it is counted under. */
export interface CountedAttempt {
  /** An existing user; null otherwise. */
  readonly user: string | null
  /** What was typed as user; null for links and passkeys, which name no user before they are right. */
  readonly typed: string | null
  /** The client's address, of IPv6 its network; empty if unknown. */
  readonly network: string
  /** Label of the token whose holder proves an identity; null for a login. */
  readonly token: string | null
}

const FIRST_WAIT_MS = 60_000
const HOUR_MS = 3_600_000

/** Of a user from an address: short, because users may share an address with an attacker. */
const PAIR_LIMIT: LoginLimit = { free: 5, waits: 'growing', longestWaitMs: 900_000 }
/** Several users may share an address. */
const ADDRESS_LIMIT: LoginLimit = { free: 20, waits: 'growing', longestWaitMs: HOUR_MS }
/** Of a user, over all addresses. */
const USER_LIMIT: LoginLimit = { free: 50, waits: 'fixed', longestWaitMs: HOUR_MS }

/** How long a network stays known after a user signed in from it. */
export const NETWORK_KNOWN_MS = 30 * 86_400_000
/** Known networks of a user: a further one replaces the oldest. */
export const MAX_KNOWN_NETWORKS = 50

/** Counters that unknown names, addresses, and pairs of both share, which bounds their storage. */
const NAMES = 1_024
const ADDRESSES = 4_096
const PAIRS = 65_536

/** Returns a keyed hash, hexadecimal: without its secret, no names can be found that share a counter. */
export type HashText = (text: string) => string

/** Whether the network of an attempt is known: of its user, or of any user. */
export interface KnownNetwork {
  readonly ofUser: boolean
  readonly ofAny: boolean
}

/**
 * Known networks have counters of their own, so that failures from many other networks do not fill the counters that
 * they would share.
 */
export function loginKeysOf(attempt: CountedAttempt, known: KnownNetwork, hash: HashText): readonly LoginKey[] {
  const { user, typed, network, token } = attempt
  const shared = (text: string, counters: number) => Number.parseInt(hash(text).slice(0, 8), 16) % counters
  if (token !== null) {
    const kind = typed === null ? 'passkey proof' : 'proof'
    const name = `${kind} ${shared(`proof ${JSON.stringify([user, token])}`, PAIRS)}`
    return [{ name, limit: typed === null ? ADDRESS_LIMIT : PAIR_LIMIT, holds: true }]
  }
  const place = networkHash(network, hash)
  const address = { name: `address ${known.ofAny ? place : shared(place, ADDRESSES)}`, limit: ADDRESS_LIMIT }
  if (typed === null) return [{ ...address, holds: true }]
  const pair = known.ofUser ? pairName(user ?? typed, place) : `login ${shared(pairName(typed, place), PAIRS)}`
  const all = user === null ? `hour of unknown user ${shared(`user ${typed}`, NAMES)}` : `hour of user ${user}`
  return [
    { name: pair, limit: PAIR_LIMIT, holds: true },
    { name: all, limit: USER_LIMIT, holds: !known.ofUser },
    ...(known.ofUser ? [] : [{ ...address, holds: true }]),
  ]
}

/** Returns the name of a network in the list of known ones. */
export function networkHash(network: string, hash: HashText): string {
  return hash(`network ${network}`)
}

/** Returns the names of the counters that a known network of a user has. */
export function ownCounters(user: string, place: string): readonly string[] {
  return [pairName(user, place), `address ${place}`]
}

function pairName(user: string, place: string): string {
  return `login ${place} ${user}`
}

/** Returns the milliseconds until an attempt may be made; 0 for now. */
export function waitOf(tally: LoginTally | null, { free, waits, longestWaitMs }: LoginLimit, now: number): number {
  if (tally === null || (waits === 'fixed' && tally.failures < free)) return 0
  // A clock that was set back must not lengthen a wait.
  return Math.min(longestWaitMs, Math.max(0, tally.until - now))
}

/** Counts one more attempt. Called before the password is checked, so that concurrent attempts count too. */
export function countAttempt(tally: LoginTally | null, limit: LoginLimit, now: number): LoginTally {
  const { free, waits, longestWaitMs } = limit
  if (waits === 'fixed') {
    const isOld = tally === null || tally.until <= now || tally.until > now + longestWaitMs
    return isOld ? { failures: 1, until: now + longestWaitMs } : { ...tally, failures: tally.failures + 1 }
  }
  const isOld = tally === null || tally.until + longestWaitMs < now
  const failures = (isOld ? 0 : tally.failures) + 1
  const over = failures - free
  return { failures, until: now + (over < 0 ? 0 : Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** over)) }
}

/** Removes the attempt counted last, which succeeded; of a user from an address, all before it as well. */
export function withdrawAttempt(tally: LoginTally, limit: LoginLimit, now: number): LoginTally {
  const failures = limit === PAIR_LIMIT ? 0 : Math.max(0, tally.failures - 1)
  return { failures, until: limit.waits === 'fixed' ? tally.until : now }
}
