/**
 * The parameters of a request in Kannel's form: a query, headers with a text as body, XML; and as an extension a form
 * or JSON. Values are bytes, because the text may have any charset.
 */
import type { IncomingMessage } from 'node:http'
import { decodeBytes } from '../../wire/percent-bytes.ts'
import { isJson } from '../shared/api-path.ts'
import { readJsonObject, readRawParams } from '../shared/raw-params.ts'
import { type XmlElement, XmlReader } from '../xml/read-xml.ts'

/** By name, in lower case; the first of several counts. */
export type Parameters = ReadonlyMap<string, Buffer>

/** All parameters together are fewer than 30. */
const MAX_PARAMETERS = 64

const TEXT_TYPES: readonly string[] = ['text/plain', 'text/html', 'text/vnd.wap.wml', 'application/octet-stream']

interface Sent {
  readonly request: Pick<IncomingMessage, 'headers' | 'method'>
  readonly query: string
  readonly body: Buffer
}

/** Returns null for a body of a type that is not read, or that is malformed. */
export function readParameters({ request, query, body }: Sent): Parameters | null {
  const found = new Map<string, Buffer>()
  const type = typeOf(request)
  // The text of a POST may be empty; programs name a type with a GET, which has no body.
  const hasBody = body.length > 0 || (request.method === 'POST' && TEXT_TYPES.includes(type))
  if (hasBody && !readBody(request, type, body, found)) return null
  return readPairs(query, found) ? found : null
}

/** Returns a parameter as text. */
export function parameterText(parameters: Parameters, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = parameters.get(name)
    if (value !== undefined) return value.toString()
  }
  return null
}

function typeOf({ headers }: Sent['request']): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Returns false for what is not read. */
function readBody(request: Sent['request'], type: string, body: Buffer, found: Map<string, Buffer>): boolean {
  if (type === 'application/x-www-form-urlencoded') return readPairs(body.toString('latin1'), found)
  if (isJson(request as IncomingMessage)) return readMembers(body, found)
  if (type === 'text/xml') return readDocument(body, found)
  if (!TEXT_TYPES.includes(type)) return false
  readHeaders(request, body, found)
  return true
}

/** `text` has a character for each byte. Returns false for too many. */
function readPairs(text: string, found: Map<string, Buffer>): boolean {
  const params = readRawParams(text, MAX_PARAMETERS)
  for (const [name, value] of params ?? []) keep(found, name, value)
  return params !== null
}

function keep(found: Map<string, Buffer>, name: string, value: Buffer): void {
  const key = name.toLowerCase()
  if (!found.has(key)) found.set(key, value)
}

/** The body is the text, and `X-Kannel-…` headers are the other parameters. */
function readHeaders({ headers }: Sent['request'], body: Buffer, found: Map<string, Buffer>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('x-kannel-') && typeof value === 'string') {
      keep(found, name.slice('x-kannel-'.length), Buffer.from(value, 'latin1'))
    }
  }
  found.set('text', body)
  const [, charset] = /;\s*charset="?([^\s";]{1,40})/i.exec(headers['content-type'] ?? '') ?? []
  if (charset !== undefined) keep(found, 'charset', Buffer.from(charset))
}

function readMembers(body: Buffer, found: Map<string, Buffer>): boolean {
  const members = readJsonObject(body)
  if (members === null) return false
  for (const [name, value] of Object.entries(members)) {
    const values = Array.isArray(value) ? value : [value]
    if (values.some((each) => typeof each === 'object')) return false
    keep(found, name, Buffer.from(values.map(String).join(' ')))
  }
  found.set('charset', UTF_8)
  return true
}

const UTF_8 = Buffer.from('utf-8')

/** Where elements of `message/submit` are parameters. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'oa/number': 'from',
  udh: 'udh',
  smsc: 'smsc',
  to: 'smsc',
  pid: 'pid',
  rpi: 'rpi',
  priority: 'priority',
  'dcs/mclass': 'mclass',
  'dcs/mwi': 'mwi',
  'dcs/coding': 'coding',
  'dcs/compress': 'compress',
  'dcs/alt-dcs': 'alt-dcs',
  'statusrequest/dlr-mask': 'dlr-mask',
  'statusrequest/dlr-url': 'dlr-url',
  'vp/delay': 'validity',
  'timing/delay': 'deferred',
  'from/user': 'username',
  'from/username': 'username',
  'from/pass': 'password',
  'from/password': 'password',
  'from/account': 'account',
}

function readDocument(body: Buffer, found: Map<string, Buffer>): boolean {
  const reader = new XmlReader(body)
  let isLeft = true
  while (isLeft) isLeft = reader.read()
  const submit =
    reader.root?.name === 'message' ? reader.root.children.find(({ name }) => name === 'submit') : undefined
  if (submit === undefined) return false
  for (const [path, name] of Object.entries(ELEMENTS)) {
    const element = at(submit, path)[0]
    if (element !== undefined) keep(found, name, Buffer.from(element.text.trim()))
  }
  const receivers = at(submit, 'da/number')
  if (receivers.length > 0) keep(found, 'to', Buffer.from(receivers.map(({ text }) => text.trim()).join(' ')))
  const text = at(submit, 'ud')[0]?.text
  if (text !== undefined) keep(found, 'text', decodeBytes(Buffer.from(text).toString('latin1')))
  found.set('charset', UTF_8)
  return true
}

function at(element: XmlElement, path: string): readonly XmlElement[] {
  return path
    .split('/')
    .reduce<readonly XmlElement[]>(
      (all, part) => all.flatMap(({ children }) => children.filter(({ name }) => name === part)),
      [element],
    )
}
