/** The settings of a generic HTTP carrier that define how its calls arrive and how they are authenticated. */
import type { SettingReader } from '../shared/setting-reader.ts'
import { type JsonPath, readJsonPath } from './find-text.ts'

/** Common to receipts and inbound messages. */
export interface CallSettings {
  readonly method: 'GET' | 'POST'
  readonly auth: CallAuth
  /** Where the fields are: in a JSON or form body, or in the query of the address. */
  readonly format: 'json' | 'form' | 'query'
  /** In JSON: the path of the list of items; null if the whole body is an item or a list of them. */
  readonly list: JsonPath | null
  /** The encoding of a form or a query, as TextDecoder names it. */
  readonly charset: Charset
  readonly answer: { readonly status: number; readonly body: string }
}

const CHARSETS = ['utf-8', 'iso-8859-1', 'utf-16be'] as const
type Charset = (typeof CHARSETS)[number]

export type CallAuth =
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

/** Reads all but the fields of the items. */
export function readCallSettings(group: SettingReader): CallSettings {
  const auth = group.group('auth')
  const answer = group.optionalGroup('answer')
  const format = group.oneOf('format', ['json', 'form', 'query'], 'json')
  const read: CallSettings = {
    method: group.oneOf('method', ['POST', 'GET'], 'POST'),
    auth: readAuth(auth),
    format,
    list: group.has('list') ? readPath(group, 'list', 'json') : null,
    charset: group.oneOf('charset', CHARSETS, 'utf-8'),
    answer: {
      status: answer.wholeNumber('status', 200, 299, 200),
      body: answer.has('body') ? answer.text('body') : '',
    },
  }
  check(group, read)
  answer.end()
  return read
}

function check(group: SettingReader, { method, format, auth, list, charset }: CallSettings): void {
  if (method === 'GET' && format !== 'query') throw group.wrong('format', 'should be query, because GET has no body')
  if (format === 'query' && auth.kind === 'hmac') throw group.wrong('auth.kind', 'cannot be hmac without a body')
  if (format !== 'json' && list !== null) throw group.wrong('list', 'is only for format json')
  if (format === 'json' && charset !== 'utf-8') throw group.wrong('charset', 'is only for format form and query')
}

/** Returns a path in JSON, or the name of a field (a path of one step) in forms and queries. */
export function readPath(group: SettingReader, name: string, format: CallSettings['format']): JsonPath {
  const text = group.text(name)
  return format === 'json' ? group.check(name, () => readJsonPath(text)) : [text]
}

function readAuth(auth: SettingReader): CallAuth {
  const read = readAuthOf(auth, auth.oneOf('kind', ['token', 'header', 'basic', 'hmac']))
  auth.end()
  return read
}

function readAuthOf(auth: SettingReader, kind: 'token' | 'header' | 'basic' | 'hmac'): CallAuth {
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
