/** The settings of a generic HTTP carrier that define how its calls arrive and how they are authenticated. */
import Type, { type StaticDecode } from 'typebox'
import { WrongSetting } from '../../shared/read-settings.ts'
import { choice, group, optionalGroup, parsed, SECRET, text, webhookToken, whole } from '../../shared/setting-kinds.ts'
import { type JsonPath, readJsonPath } from '../places/find-text.ts'
import { NOTIFICATION } from '../proof/notification.ts'
import type { ProofPlace } from '../proof/place.ts'
import { checkCoverage, type GivenSignature, readSignature, SIGNATURE } from '../proof/signature.ts'
import { readSignedTemplate, usesUrl } from '../proof/signed-text.ts'
import { readToken, TOKEN, type Token } from '../proof/token.ts'
import { CHARSETS, FORMATS, type Format } from './call-format.ts'
import { readListPath, readWhen, WHEN } from './call-items.ts'
import { CHALLENGE_SETTING, type WebhookChallenge } from './challenge.ts'

/** Common to receipts and inbound messages. */
export type CallSettings = ReturnType<typeof readCall>
export type CallAuth = StaticDecode<typeof AUTH>

const headerName = () => parsed(text('Name of the header.'), (name) => name.toLowerCase())

const HMAC = group(
  {
    kind: Type.Literal('hmac'),
    name: headerName(),
    algorithm: choice(['sha1', 'sha256', 'sha512'], 'Hash of the HMAC.', 'sha256'),
    encoding: choice(['hex', 'base64'], 'How it is written.', 'hex'),
    prefix: Type.Optional(text('The text before it, such as `sha256=`.')),
    secret: text('Key of the HMAC.', SECRET),
  },
  'A header with the HMAC of the body.',
)

const AUTH = parsed(
  Type.Union(
    [
      group(
        {
          kind: Type.Literal('token'),
          token: webhookToken('A token of your own, which ends the address that the carrier calls.'),
        },
        'The carrier calls an address that ends with `/TOKEN`.',
      ),
      group(
        { kind: Type.Literal('header'), name: headerName(), value: text('Its value.', SECRET) },
        'A header with a secret.',
      ),
      group(
        { kind: Type.Literal('basic'), user: text('User name.'), password: text('Password.', SECRET) },
        'HTTP basic authentication.',
      ),
      HMAC,
      SIGNATURE,
      TOKEN,
      NOTIFICATION,
    ],
    { description: 'How calls prove that they come from the carrier.', title: 'Webhook authentication' },
  ),
  (auth) => {
    switch (auth.kind) {
      case 'basic': {
        const value = `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`
        return { kind: 'header', name: 'authorization', value } as const
      }
      case 'hmac':
        return { ...readSignature(signatureOfBody(auth)), isOfBody: true }
      case 'signature':
        return { ...readSignature(auth), isOfBody: false }
      case 'jwt':
        return readToken(auth)
      default:
        return auth
    }
  },
)

/** `hmac` is a signature that needs few settings. */
function signatureOfBody({
  name,
  algorithm,
  encoding,
  prefix = '',
  secret,
}: StaticDecode<typeof HMAC>): GivenSignature {
  return {
    kind: 'signature',
    at: { from: 'header', name, prefix, separator: null },
    algorithm: `hmac-${algorithm}`,
    encoding,
    keys: [secret],
    keyEncoding: 'text',
    signed: [readSignedTemplate('{{body}}')],
    replace: new Map(),
    unsignedContent: false,
    timestampUnit: 's',
    maxAgeSeconds: 1,
    once: false,
  }
}

/** All but the fields of the items. */
export const CALL_SETTINGS = {
  method: choice(['POST', 'GET'], 'Method of the calls.', 'POST'),
  auth: AUTH,
  format: choice(FORMATS, 'Where the fields are: in a JSON or form body, or in the query of the address.', 'json'),
  list: Type.Optional(
    parsed(
      text(
        'In JSON, the path of the list of items, at most 1,000; by default the body is it or one item. In nested lists such as `results[].statuses[]`, items also have the members of what they are in.',
      ),
      readListPath,
    ),
  ),
  jsonIn: Type.Optional(text('Path or name of a text that contains JSON, in which the items and their fields are.')),
  when: Type.Optional(WHEN),
  charset: choice(CHARSETS, 'Encoding of a form or a query.', 'utf-8'),
  answer: optionalGroup(
    { status: whole(200, 299, 'Its status.', 200), body: Type.Optional(text('Its body; empty by default.')) },
    'The acknowledgement, which is sent once the items are on disk.',
  ),
  challenge: CHALLENGE_SETTING,
}

const CALL_GROUP = group(CALL_SETTINGS, 'Calls of the carrier.')

/** Returns the settings of calls among others. */
export function readCall(given: StaticDecode<typeof CALL_GROUP>) {
  const { method, auth, format, list = null, jsonIn, charset, answer, challenge, when } = given
  const inner = jsonIn === undefined ? format : 'json'
  if (method === 'GET' && format !== 'query')
    throw new WrongSetting('format', 'should be query, because GET has no body')
  if (inner !== 'json' && list !== null) throw new WrongSetting('list', 'is only for format json')
  if (format === 'json' && charset !== 'utf-8') throw new WrongSetting('charset', 'is only for format form and query')
  if (auth.kind === 'signature') checkSignedCall(auth, format)
  if (auth.kind === 'jwt') checkTokenCall(auth, format)
  if (auth.kind === 'sns' && format !== 'json') throw new WrongSetting('auth.kind', 'can be sns only for format json')
  const { status, body = '' } = answer
  return {
    ...{ method, auth, format, charset, answer: { status, body } },
    ...{ list, jsonIn: jsonIn === undefined ? null : placesIn(format)('jsonIn', jsonIn) },
    /** Where the fields of the items are. */
    place: placesIn(inner),
    when: when === undefined ? null : readWhen(when, placesIn(inner)),
    challenge: challenge === undefined ? null : readChallenge(challenge, inner),
  }
}

function readChallenge(
  { word, is, value, member }: StaticDecode<typeof CHALLENGE_SETTING>,
  format: Format,
): WebhookChallenge {
  const place = placesIn(format)
  return { word: place('challenge.word', word), is, value: place('challenge.value', value), member: member ?? null }
}

function checkSignedCall(auth: Extract<CallAuth, { kind: 'signature' }>, format: Format): void {
  if (format === 'query' && auth.isOfBody) throw new WrongSetting('auth.kind', 'cannot be hmac without a body')
  const { at, timestamp, nonce, bodySha256 } = auth
  checkPaths({ at, timestamp, nonce, bodySha256 }, format)
  try {
    checkCoverage(auth, format)
  } catch (error) {
    throw error instanceof WrongSetting ? error.within('auth') : error
  }
}

function checkTokenCall({ at, read, bodyHash, urlHash }: Token, format: Format): void {
  checkPaths({ at }, format)
  if (format === 'query' && bodyHash !== null && urlHash === null) {
    throw new WrongSetting('auth.bodyHash', 'covers no query: give urlHash')
  }
  if (read === 'claims' && format !== 'json') throw new WrongSetting('auth.read', 'can be claims only for format json')
}

/** Fields of JSON are named by their paths. */
function checkPaths(places: Readonly<Record<string, ProofPlace | null>>, format: Format): void {
  const readPlace = placesIn(format)
  for (const [name, each] of Object.entries(places)) {
    if (each?.from === 'field') readPlace(`auth.${name}.field`, each.name)
  }
}

/** Returns the setting by which a proof depends on the address of the webhook, and what in it; null if it does not. */
export function urlUseOf(auth: CallAuth): { readonly path: string; readonly what: string } | null {
  if (auth.kind === 'signature' && auth.signed.some(usesUrl)) return { path: 'signed', what: '{{url}} ' }
  return auth.kind === 'jwt' && auth.urlHash !== null ? { path: 'urlHash', what: '' } : null
}

/** Returns a reader of places of items: paths in JSON, or names of fields (paths of one step) in forms and queries. */
function placesIn(format: Format) {
  return (name: string, text: string): JsonPath => {
    if (format !== 'json') return [text]
    try {
      return readJsonPath(text)
    } catch (error) {
      throw new WrongSetting(name, (error as Error).message)
    }
  }
}
