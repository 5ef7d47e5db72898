/** The settings of a generic HTTP carrier that define its requests: address, headers, body and credentials. */
import type { SettingReader } from '../shared/setting-reader.ts'
import { type JsonTemplate, PLAIN_NAMES, readJsonTemplate, readTemplate, type Template } from './template.ts'

export interface RequestSettings {
  readonly method: 'GET' | 'POST'
  /** Scheme, host and port of the address. */
  readonly origin: string
  /** Without its query. Values are percent-encoded. */
  readonly address: Template
  readonly query: readonly Field[]
  /** Lower-case names, credentials included. */
  readonly headers: readonly Field[]
  readonly body: { readonly json: JsonTemplate } | { readonly form: readonly Field[] } | null
}

export type Field = readonly [name: string, value: Template]

/** Headers that Posthorn or HTTP itself sets. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
])

export function readRequestSettings(request: SettingReader): RequestSettings {
  const method = request.oneOf('method', ['POST', 'GET'], 'POST')
  const { origin, address, query } = readAddress(request)
  const headers = [...request.map('headers', readHeader).values(), ...readCredentials(request.optionalGroup('auth'))]
  const body = readBody(request)
  if (method === 'GET' && body !== null) throw request.wrong('method', 'should be POST, because there is a body')
  request.end()
  return { method, origin, address, query, headers, body }
}

function readAddress(request: SettingReader) {
  const source = request.text('address')
  const [place = '', ...query] = source.split('?')
  const isAddress = /^https?:\/\/[^/{}@#\s]+(\/[^#\s]*)?$/.test(place) && URL.canParse(place) && query.length < 2
  if (!isAddress) throw request.wrong('address', 'should be an http or https address, without placeholders in its host')
  return request.check('address', () => ({
    origin: new URL(place).origin,
    address: readTemplate(place, ['phone', '+phone', 'sender', 'ref']),
    query: query.flatMap((text) => text.split('&')).map(readQueryField),
  }))
}

/** A plus stands for a space, except inside a placeholder. */
function readQueryField(text: string): Field {
  const decode = (part: string) =>
    decodeURIComponent(part.replace(/\{\{[^{}]*\}\}|\+/g, (found) => (found === '+' ? ' ' : found)))
  const [name = '', ...value] = text.split('=')
  return [decode(name), readTemplate(decode(value.join('=')))]
}

function readHeader(headers: SettingReader, name: string): Field {
  const value = headers.text(name)
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || RESERVED_HEADERS.has(name.toLowerCase())) {
    throw headers.wrong(name, 'is not a header that can be set')
  }
  return [name.toLowerCase(), headers.check(name, () => readTemplate(checkHeaderText(value), PLAIN_NAMES))]
}

function readCredentials(auth: SettingReader): Field[] {
  const kind = auth.oneOf('kind', ['none', 'basic', 'bearer', 'header'], 'none')
  const fields: Field[] = kind === 'none' ? [] : [readCredential(auth, kind)]
  auth.end()
  return fields
}

function readCredential(auth: SettingReader, kind: 'basic' | 'bearer' | 'header'): Field {
  if (kind === 'basic') {
    const pair = `${auth.text('user')}:${auth.text('password')}`
    return ['authorization', [`Basic ${Buffer.from(pair).toString('base64')}`]]
  }
  const field = kind === 'bearer' ? 'token' : 'value'
  const secret = auth.text(field)
  const text = auth.check(field, () => checkHeaderText(secret))
  if (kind === 'bearer') return ['authorization', [`Bearer ${text}`]]
  const name = auth.text('name')
  if (!/^[\w-]+$/.test(name) || RESERVED_HEADERS.has(name.toLowerCase())) {
    throw auth.wrong('name', 'is not a header that can be set')
  }
  return [name.toLowerCase(), [text]]
}

/** The error does not repeat the text, which may be a secret. */
function checkHeaderText(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text
  throw new Error('should be ASCII text')
}

function readBody(request: SettingReader): RequestSettings['body'] {
  const json = request.value('json')
  if (!request.has('form')) {
    return json === undefined ? null : { json: request.check('json', () => readJsonTemplate(json)) }
  }
  if (json !== undefined) throw request.wrong('form', 'should not stand beside json')
  const fields = request.map('form', (form, name) => form.check(name, () => readTemplate(form.text(name))))
  return { form: [...fields] }
}
