/**
 * WebAuthn: options for the browser, and checks of what an authenticator has signed. The library is loaded at the first
 * use. Challenges are valid once, for some minutes, on every node.
 */
import { createHash } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { noEntry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import type { Actor, AdminTools, Site } from '../endpoint/endpoint.ts'

export const CHALLENGE_CHANGES = {
  'add challenge': { ...OWN_ACCESS, audit: noEntry },
  'use one-time token': { ...OWN_ACCESS, audit: noEntry },
} satisfies Changes

const CHALLENGE_MS = 300_000
const CHALLENGE_BYTES = 32

/** EdDSA, ES256 and RS256 (COSE). */
const ALGORITHMS = [-8, -7, -257]

/** Throws ChangeRefused if no page of this gateway sent the request, or its host name cannot have passkeys. */
export function siteOf({ site }: Actor): Site {
  if (site === null) throw new ChangeRefused('passkeys are used by pages of this gateway in a browser')
  if (/^[\d.]+$|^\[/.test(site.host)) {
    throw new ChangeRefused(`passkeys need a host name, not ${site.host}: open the console as localhost or by its name`)
  }
  return site
}

/** Options for `navigator.credentials.create`. */
export async function registrationOptions(tools: AdminTools, actor: Actor, known: readonly Passkey[]): Promise<object> {
  const { host } = siteOf(actor)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Posthorn',
    rpID: host,
    userName: actor.name,
    // Must not identify the user to other sites.
    userID: Uint8Array.from(createHash('sha256').update(`passkeys of ${actor.name}`).digest()),
    challenge: await newChallenge(tools, registration(actor.name)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns what is stored of the new passkey; null if the answer is not valid. */
export async function readRegistration(
  tools: AdminTools,
  actor: Actor,
  credential: object,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | null> {
  const { origin, host } = siteOf(actor)
  if (!(await takeChallenge(tools, registration(actor.name), credential))) return null
  const response = credential as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    if (!(await hasPlainAttestation(response))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      expectedChallenge: () => true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
  } catch {
    // The library throws for every answer that is not valid.
    return null
  }
}

/** Options for `navigator.credentials.get`. They name no user. */
export async function authenticationOptions(tools: AdminTools, actor: Actor): Promise<object> {
  const { host } = siteOf(actor)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const challenge = await newChallenge(tools, authentication(actor))
  return generateAuthenticationOptions({ rpID: host, challenge, timeout: CHALLENGE_MS, userVerification: 'required' })
}

/** Takes the challenge that the answer contains. Returns whether it was valid, which it is once. */
export async function takeChallenge(tools: AdminTools, purpose: string, credential: object): Promise<boolean> {
  const challenge = challengeIn(credential as AuthenticationResponseJSON)
  return challenge !== null && useChallenge(tools, purpose, challenge)
}

/** Returns whether the challenge was valid, which it is once; it is in base64url. */
export async function useChallenge({ store, clock }: AdminTools, purpose: string, challenge: string): Promise<boolean> {
  const hash = hashOneTimeToken(purpose, challenge)
  return (await store.change({ kind: 'use one-time token', hash, at: clock.now() })) === 1
}

/** Returns the counter of the signature; null if the answer is not valid. Its challenge was taken before. */
export async function checkPasskeySignature(
  actor: Actor,
  credential: object,
  passkey: Passkey,
): Promise<number | null> {
  const { origin, host } = siteOf(actor)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, publicKey, counter } = passkey
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      expectedChallenge: () => true,
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    // The library throws for every answer that is not valid.
    return null
  }
}

/** Purpose of challenges that log in, or that prove who uses the actor's session. */
export function authentication({ name, token }: Actor): string {
  return token === null ? 'passkey' : `passkey proof of ${name}`
}

function registration(user: string): string {
  return `passkey of ${user}`
}

/** Returns 32 bytes that are valid for five minutes. */
export async function newChallenge({ store, clock, random }: AdminTools, purpose: string) {
  const challenge = Uint8Array.from(random.bytes(CHALLENGE_BYTES))
  const hash = hashOneTimeToken(purpose, Buffer.from(challenge).toString('base64url'))
  await store.change({ kind: 'add challenge', hash, expiresAt: clock.now() + CHALLENGE_MS })
  return challenge
}

function challengeIn({ response }: AuthenticationResponseJSON): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** Certificates of authenticators are neither asked for nor read: checking them could ask other hosts. */
async function hasPlainAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** `purpose` is part of the hash: a token of one purpose is of no use for another. */
export function hashOneTimeToken(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose} ${token}`).digest('hex')
}
