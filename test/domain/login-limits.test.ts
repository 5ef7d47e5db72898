/** Which attempts to log in share a counter: by a keyed hash, and never with a known network. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type CountedAttempt, loginKeysOf } from '../../src/domain/accounts/login-limits.ts'

const hashWith = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest('hex')
const STRANGE = { ofUser: false, ofAny: false }
const KNOWN = { ofUser: true, ofAny: true }

const attemptFrom = (network: string, change: Partial<CountedAttempt> = {}): CountedAttempt => {
  return { user: 'anna', typed: 'anna', network, token: null, ...change }
}
const namesOf = (attempt: CountedAttempt, known = STRANGE, secret = 'secret') =>
  loginKeysOf(attempt, known, hashWith(secret)).map(({ name }) => name)
const networks = Array.from({ length: 20_000 }, (_, number) => `10.${number >> 8}.${number & 255}.1`)
const unnamed = { user: null, typed: null }

test('without the secret, no one finds networks that share a counter with another one', () => {
  const [home = ''] = namesOf(attemptFrom('203.0.113.7', unnamed))
  const sharing = networks.filter((network) => namesOf(attemptFrom(network, unnamed))[0] === home)
  expect(sharing.length).toBeGreaterThan(0)
  const [homeElsewhere] = namesOf(attemptFrom('203.0.113.7', unnamed), STRANGE, 'another secret')
  const stillSharing = sharing.filter(
    (network) => namesOf(attemptFrom(network, unnamed), STRANGE, 'another secret')[0] === homeElsewhere,
  )
  expect(stillSharing.length).toBeLessThan(sharing.length)
})

test.each<[string, Partial<CountedAttempt>]>([
  ['a login', {}],
  ['a link or a passkey', unnamed],
])('failures from very many networks fill no counter under which %s from a known network waits', (_what, change) => {
  const waits = loginKeysOf(attemptFrom('203.0.113.7', change), KNOWN, hashWith('secret')).filter(({ holds }) => holds)
  const filled = new Set(networks.flatMap((network) => namesOf(attemptFrom(network, change))))
  expect(waits.length).toBeGreaterThan(0)
  expect(waits.filter(({ name }) => filled.has(name))).toEqual([])
})

test('a proof of a session is counted under nothing that a login is', () => {
  const logins = new Set([STRANGE, KNOWN].flatMap((known) => namesOf(attemptFrom('203.0.113.7'), known)))
  const proofs = namesOf(attemptFrom('203.0.113.7', { token: 'session a' }))
  expect(proofs.filter((name) => logins.has(name))).toEqual([])
  expect(namesOf(attemptFrom('198.51.100.9', { token: 'session a' }))).toEqual(proofs)
})
