/** Rules of attempts to log in: how often they may fail, known networks, and codes that are valid once. */
import {
  countAttempt,
  type HashText,
  type LoginKey,
  type LoginTally,
  loginKeysOf,
  MAX_KNOWN_NETWORKS,
  NETWORK_KNOWN_MS,
  networkHash,
  ownCounters,
  waitOf,
  withdrawAttempt,
} from '../../domain/accounts/login-limits.ts'
import type { Change } from '../../ports/stores/setup-store.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import { exists, find, findOne, put, putAll, type Rule, remove, updateRow } from './row-step.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** Returns the milliseconds to wait; 0 if the attempt is allowed, which is counted. */
export function* countLogin(change: ChangeOf<'count login'>, hashPhone: HashPhone): Rule<number> {
  const { at } = change
  const tallies = yield* findTallies(change, hashPhone)
  const waits = tallies.map(([{ limit, holds }, tally]) => (holds ? waitOf(tally, limit, at) : 0))
  const waitMs = Math.max(0, ...waits)
  if (waitMs > 0) return waitMs
  const rows = tallies.map(([{ name, limit }, tally]) => ({ name, ...countAttempt(tally, limit, at) }))
  yield* putAll('login_tally', rows)
  return 0
}

/** Returns 1; 0 without any change if a code of this or a later time step was used before. */
export function* settleLogin(change: ChangeOf<'settle login'>, hashPhone: HashPhone): Rule<number> {
  const { user, attempt, step, at } = change
  if (step !== null && !(yield* useCode(user, step))) return 0
  const tallies = yield* findTallies(change, hashPhone)
  const rows = tallies.flatMap(([{ name, limit }, tally]) =>
    tally === null ? [] : [{ name, ...withdrawAttempt(tally, limit, at) }],
  )
  yield* putAll('login_tally', rows)
  if (attempt.token === null) yield* noteNetwork(user, networkHash(attempt.network, hasher(hashPhone)), at)
  return 1
}

/** Returns false, without any change, if a code of this or a later time step was used before. */
export function* useCode(user: string, step: number): Rule<boolean> {
  const name = `user ${user}`
  const used = yield* findOne('login_tally', { name }, ['code_step'])
  if (used === null) yield* put('login_tally', { name, failures: 0, until: 0, code_step: step })
  else if (Number(used.code_step) >= step) return false
  else yield* updateRow('login_tally', { code_step: step }, { name })
  return true
}

function* findTallies(
  { attempt, at }: ChangeOf<'count login' | 'settle login'>,
  hashPhone: HashPhone,
): Rule<readonly (readonly [LoginKey, LoginTally | null])[]> {
  const { user, network } = attempt
  const hash = hasher(hashPhone)
  const place = networkHash(network, hash)
  const signedIn = user === null ? null : yield* findOne('login_network', { user, network: place }, ['signed_in_at'])
  const ofUser = signedIn !== null && Number(signedIn.signed_in_at) > at - NETWORK_KNOWN_MS
  const ofAny = ofUser || (yield* exists('login_network', { network: place }))
  const found: (readonly [LoginKey, LoginTally | null])[] = []
  for (const key of loginKeysOf(attempt, { ofUser, ofAny }, hash)) found.push([key, yield* findTally(key.name)])
  return found
}

function* findTally(name: string): Rule<LoginTally | null> {
  const tally = yield* findOne('login_tally', { name }, ['failures', 'until'])
  return tally === null ? null : { failures: Number(tally.failures), until: Number(tally.until) }
}

/** Makes the network known, and forgets those of the user that are too old or too many, with their counters. */
function* noteNetwork(user: string, network: string, at: number): Rule<null> {
  yield* put('login_network', { user, network, signed_in_at: at })
  const known = yield* find('login_network', { user }, ['network', 'signed_in_at'])
  const byAge = known.toSorted((a, b) => Number(b.signed_in_at) - Number(a.signed_in_at))
  for (const [place, { network: other, signed_in_at: signedInAt }] of byAge.entries()) {
    if (place < MAX_KNOWN_NETWORKS && Number(signedInAt) > at - NETWORK_KNOWN_MS) continue
    yield* remove('login_network', { user, network: other })
    for (const name of ownCounters(user, String(other))) yield* remove('login_tally', { name })
  }
  return null
}

/** Hashes of phones begin with a sign of their own. */
function hasher(hashPhone: HashPhone): HashText {
  return (text) => hashPhone(text).slice(1)
}
