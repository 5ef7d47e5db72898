/** The settings of a generic HTTP carrier that define how its receipts arrive and how they are authenticated. */
import type { ReceiptOutcome } from '../../domain/journey-event.ts'
import type { SettingReader } from '../setting-reader.ts'
import { type JsonPath, readJsonPath } from './find-text.ts'

export interface ReceiptSettings {
  readonly method: 'GET' | 'POST'
  readonly auth: ReceiptAuth
  /** Where the fields are: in a JSON or form body, or in the query of the address. */
  readonly format: 'json' | 'form' | 'query'
  /** In JSON: the path of the list of receipts; null if the whole body is a receipt or a list of them. */
  readonly list: JsonPath | null
  /** Paths in JSON; names (paths of one step) in forms and queries. */
  readonly id: JsonPath
  readonly status: JsonPath
  /** Additional text for the timeline; null for none. */
  readonly reason: JsonPath | null
  /** The billing category of the part (domain/cost.ts); null if the carrier does not report it. */
  readonly category: JsonPath | null
  /** By status word in lower case; receipts with any other word are acknowledged and ignored. */
  readonly outcomes: ReadonlyMap<string, ReceiptOutcome>
  readonly answer: { readonly status: number; readonly body: string }
}

export type ReceiptAuth =
  /** The carrier calls `/carriers/{id}/{token}`. */
  | { readonly kind: 'token'; readonly token: string }
  /** A header with exactly this value. */
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  /** A header with the HMAC of the body's bytes. */
  | {
      readonly kind: 'hmac'
      readonly name: string
      readonly algorithm: 'sha1' | 'sha256' | 'sha512'
      readonly encoding: 'hex' | 'base64'
      /** The text before the HMAC, such as `sha256=`. */
      readonly prefix: string
      readonly secret: string
    }

const OUTCOMES: readonly ReceiptOutcome[] = [
  'accepted',
  'delivered',
  'read',
  'expired',
  'undeliverable',
  'rejected',
  'unknown',
]

export function readReceiptSettings(receipt: SettingReader): ReceiptSettings {
  const auth = receipt.group('auth')
  const answer = receipt.optionalGroup('answer')
  const format = receipt.oneOf('format', ['json', 'form', 'query'], 'json')
  const read: ReceiptSettings = {
    method: receipt.oneOf('method', ['POST', 'GET'], 'POST'),
    auth: readAuth(auth),
    format,
    list: receipt.has('list') ? readPath(receipt, 'list', 'json') : null,
    id: readPath(receipt, 'id', format),
    status: readPath(receipt, 'status', format),
    reason: receipt.has('reason') ? readPath(receipt, 'reason', format) : null,
    category: receipt.has('category') ? readPath(receipt, 'category', format) : null,
    outcomes: readOutcomes(receipt),
    answer: {
      status: answer.wholeNumber('status', 200, 299, 200),
      body: answer.has('body') ? answer.text('body') : '',
    },
  }
  check(receipt, read)
  answer.end()
  receipt.end()
  return read
}

function check(receipt: SettingReader, { method, format, auth, list }: ReceiptSettings): void {
  if (method === 'GET' && format !== 'query') throw receipt.wrong('format', 'should be query, because GET has no body')
  if (format === 'query' && auth.kind === 'hmac') throw receipt.wrong('auth.kind', 'cannot be hmac without a body')
  if (format !== 'json' && list !== null) throw receipt.wrong('list', 'is only for format json')
}

function readPath(receipt: SettingReader, name: string, format: ReceiptSettings['format']): JsonPath {
  const text = receipt.text(name)
  return format === 'json' ? receipt.check(name, () => readJsonPath(text)) : [text]
}

function readOutcomes(receipt: SettingReader): ReadonlyMap<string, ReceiptOutcome> {
  const outcomes = receipt.map('outcomes', (words, word) => words.oneOf(word, OUTCOMES))
  if (outcomes.size === 0) throw receipt.wrong('outcomes', 'should name at least one word')
  return new Map([...outcomes].map(([word, outcome]) => [word.toLowerCase(), outcome]))
}

function readAuth(auth: SettingReader): ReceiptAuth {
  const read = readAuthOf(auth, auth.oneOf('kind', ['token', 'header', 'basic', 'hmac']))
  auth.end()
  return read
}

function readAuthOf(auth: SettingReader, kind: 'token' | 'header' | 'basic' | 'hmac'): ReceiptAuth {
  switch (kind) {
    case 'token':
      return { kind, token: auth.webhookToken('token') }
    case 'basic': {
      const pair = `${auth.text('user')}:${auth.text('password')}`
      return { kind: 'header', name: 'authorization', value: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
    case 'header':
      return { kind, name: auth.text('name').toLowerCase(), value: auth.text('value') }
    case 'hmac':
      return {
        kind,
        name: auth.text('name').toLowerCase(),
        algorithm: auth.oneOf('algorithm', ['sha1', 'sha256', 'sha512'], 'sha256'),
        encoding: auth.oneOf('encoding', ['hex', 'base64'], 'hex'),
        prefix: auth.has('prefix') ? auth.text('prefix') : '',
        secret: auth.text('secret'),
      }
  }
}
