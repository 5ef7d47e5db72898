/** Calls with a JSON Web Token: the settings, and the check. */
import { type JWTPayload, jwtVerify } from 'jose'
import Type, { type StaticDecode } from 'typebox'
import { type JsonObject, parseJsonObject } from '../../../wire/json.ts'
import { WrongSetting } from '../../shared/read-settings.ts'
import { choice, group, listOf, seconds, standard, text } from '../../shared/setting-kinds.ts'
import { type Call, withAndWithoutPort } from './call.ts'
import { MAX_AGE_SECONDS, ONCE_SETTINGS } from './freshness.ts'
import { PROOF_KEYS, readPublicKeys, readSecrets } from './keys.ts'
import { isInHead, place, valueOfPlace } from './place.ts'
import { isHashOf } from './signature.ts'

const SHARED = ['HS256', 'HS384', 'HS512'] as const
const PUBLIC = ['RS256', 'RS384', 'RS512'] as const
const MAX_ALGORITHMS = 3
const MAX_CLAIMS = 20
/** How long a token without an end is remembered. */
const DAY_SECONDS = 86_400

const BEARER = { header: 'Authorization', prefix: 'Bearer ' }
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

export const TOKEN = group(
  {
    kind: Type.Literal('jwt'),
    at: place('Where the token is.', BEARER),
    algorithms: standard(
      Type.Array(choice([...SHARED, ...PUBLIC], 'An algorithm.'), {
        minItems: 1,
        maxItems: MAX_ALGORITHMS,
        of: 'algorithms',
        default: ['HS256'],
        description:
          'Algorithms, `HS256`, `HS384` and `HS512`, or `RS256`, `RS384` and `RS512` with public keys in PEM.',
      }),
    ),
    ...PROOF_KEYS,
    issuer: Type.Optional(text('What `iss` should be.')),
    audience: Type.Optional(text('What `aud` should be, or contain.')),
    requiredClaims: listOf(text('A claim.'), MAX_CLAIMS, 'claims', 'Claims that a token must have, such as `exp`.'),
    bodyHash: Type.Optional(
      text('Claim with the hexadecimal SHA-256 of the body, which may lack if there is no body.'),
    ),
    urlHash: Type.Optional(text('Claim with the hexadecimal SHA-256 of the address of the call.')),
    maxAgeSeconds: Type.Optional(seconds(1, MAX_AGE_SECONDS, 'How old `iat` may be; required then.')),
    skewSeconds: seconds(0, 300, 'How much the clock of the carrier may differ.', 5),
    read: choice(['body', 'claims'], 'What the items are read from.', 'body'),
    ...ONCE_SETTINGS,
  },
  'A JSON Web Token.',
)

export type Token = ReturnType<typeof readToken>

/** Throws WrongSetting. */
export function readToken({ keys, keyEncoding, keyPrefix, algorithms, ...given }: StaticDecode<typeof TOKEN>) {
  const isShared = isOneOf(SHARED, algorithms[0] ?? '')
  if (algorithms.some((each) => isOneOf(SHARED, each) !== isShared)) {
    throw new WrongSetting('algorithms', 'should be of one kind, HS or RS, because their keys differ')
  }
  const givenKeys = { keys, keyEncoding, ...(keyPrefix === undefined ? {} : { keyPrefix }) }
  const { issuer = null, audience = null, bodyHash = null, urlHash = null, maxAgeSeconds = null, ...rest } = given
  return {
    ...rest,
    algorithms,
    keys: isShared ? readSecrets(givenKeys) : readPublicKeys(givenKeys, 'rsa'),
    ...{ issuer, audience, bodyHash, urlHash, maxAgeSeconds },
  }
}

function isOneOf(list: readonly string[], name: string): boolean {
  return list.includes(name)
}

/** Whether the head of a call has what may be a token. */
export function hasToken(head: Call, { at }: Token): boolean {
  return !isInHead(at) || JWT.test(valueOfPlace(at, head))
}

interface VerifiedToken {
  readonly claims: JsonObject
  /** The same in each repeat of the call. */
  readonly id: string
  /** How long the token is good. */
  readonly seconds: number
}

/** Returns null if the call has no valid token. @param now milliseconds. */
export async function checkToken(call: Call, settings: Token, now: number): Promise<VerifiedToken | null> {
  const token = valueOfPlace(settings.at, call)
  if (!JWT.test(token)) return null
  const payload = await verified(token, settings, now)
  if (payload === null || !coversCall(payload, call, settings)) return null
  // With every digit of long numbers.
  const claims = parseJsonObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  if (claims === null) return null
  const { maxAgeSeconds, skewSeconds } = settings
  const left = payload.exp === undefined ? (maxAgeSeconds ?? DAY_SECONDS) : payload.exp - now / 1_000
  const seconds = Math.min(MAX_AGE_SECONDS, Math.max(0, left) + skewSeconds)
  // The signature itself can be written in several ways.
  const signed = token.slice(0, token.lastIndexOf('.'))
  return { claims, id: typeof claims['jti'] === 'string' ? claims['jti'] : signed, seconds }
}

/** Returns null unless one of the keys signed the token and its claims are as the settings say. */
async function verified(token: string, settings: Token, now: number): Promise<JWTPayload | null> {
  const { algorithms, issuer, audience, requiredClaims, maxAgeSeconds, skewSeconds } = settings
  const options = {
    algorithms,
    requiredClaims,
    clockTolerance: skewSeconds,
    currentDate: new Date(now),
    ...(issuer === null ? {} : { issuer }),
    ...(audience === null ? {} : { audience }),
    ...(maxAgeSeconds === null ? {} : { maxTokenAge: maxAgeSeconds }),
  }
  for (const key of settings.keys) {
    try {
      return (await jwtVerify(token, key, options)).payload
    } catch {
      // Another key may match.
    }
  }
  return null
}

function coversCall(payload: JWTPayload, { body, url }: Call, { bodyHash, urlHash }: Token): boolean {
  if (urlHash !== null && !withAndWithoutPort(url).some((each) => isHashOf(payload[urlHash], each))) return false
  if (bodyHash === null || (body.length === 0 && payload[bodyHash] === undefined)) return true
  return isHashOf(payload[bodyHash], body)
}
