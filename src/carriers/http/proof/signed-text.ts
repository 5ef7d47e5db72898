/**
 * Templates of what a carrier signs: `{{timestamp}}.{{body}}`. Each is read once and written for every call, in each
 * form in which the carrier may have signed it: the address with and without its port, a repeated field once or as
 * often as it came.
 */
import { createHash } from 'node:crypto'
import { type Call, type CallField, queryOf, withAndWithoutPort, withoutQuery } from './call.ts'
import type { ProofPlace } from './place.ts'

/** What a signature is computed from, in this order. */
export type SignedText = readonly (string | Uint8Array)[]

/** What the parts are written with besides the call. */
export interface SignedValues {
  readonly timestamp: string
  readonly nonce: string
  /** Where the signature is: fields are signed without it. */
  readonly at: ProofPlace
  /** Characters to replace in the values of fields. */
  readonly replace: ReadonlyMap<string, string>
}

interface Form {
  readonly url: string
  /** Null if they cannot be signed. */
  readonly fields: readonly CallField[] | null
}

interface Part {
  readonly name: string
  /** Of a header. */
  readonly detail: string
  /** Returns null if the call cannot have been signed. */
  readonly write: (call: Call, form: Form, values: SignedValues) => string | Uint8Array | null
}

export type SignedTemplate = readonly (string | Part)[]

const HASHES = ['md5', 'sha1', 'sha256', 'sha512']
const BODY_HASH = /^(\w+)(?::(raw|hex|base64))?$/
const MAX_PARTS = 20
const PART_NAMES = [
  ...['method', 'url', 'urlWithoutQuery', 'path', 'query', 'sortedQuery', 'sortedFields:=&', 'body'],
  ...['bodyHash:sha256:hex', 'header:NAME', 'timestamp', 'nonce'],
]

/** What the parts cover, by their names. */
const COVERS_QUERY: readonly string[] = ['url', 'query', 'sortedQuery']
const COVERS_BODY: readonly string[] = ['body', 'bodyHash']
const HAS_URL: readonly string[] = ['url', 'urlWithoutQuery']

/** @throws Error that names an unknown part. */
export function readSignedTemplate(text: string): SignedTemplate {
  const pieces = text.split(/\{\{([^{}]*)\}\}/)
  if (pieces.length > 2 * MAX_PARTS) throw new Error(`should have at most ${MAX_PARTS} parts`)
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : readPart(piece)))
}

function readPart(piece: string): Part {
  const [, name = '', argument] = /^(\w+)(?::(.*))?$/s.exec(piece) ?? []
  const write = argument === undefined ? PLAIN.get(name) : readArgument(name, argument)
  if (write !== undefined) return { name, detail: argument?.toLowerCase() ?? '', write }
  const known = PART_NAMES.map((each) => `{{${each}}}`).join(', ')
  throw new Error(`{{${piece.slice(0, 40)}}} is not a part of a call; parts are ${known}`)
}

const PLAIN: ReadonlyMap<string, Part['write']> = new Map<string, Part['write']>([
  ['method', ({ method }) => method],
  ['url', (_, { url }) => url],
  ['urlWithoutQuery', (_, { url }) => withoutQuery(url)],
  ['path', ({ url }) => withoutQuery(url).replace(/^[a-z]+:\/\/[^/]*/i, '')],
  ['query', ({ url }) => queryOf(url)],
  ['sortedQuery', writeSortedQuery],
  ['sortedFields', (_, form, values) => writeSortedFields(form, values, '')],
  ['body', ({ body }) => body],
  ['timestamp', (_, __, { timestamp }) => timestamp],
  ['nonce', (_, __, { nonce }) => nonce],
])

function readArgument(name: string, argument: string): Part['write'] | undefined {
  if (name === 'header' && argument !== '') {
    const header = argument.toLowerCase()
    return ({ headers }) => headers[header] ?? ''
  }
  if (name === 'sortedFields' && argument.length <= 2) {
    return (_, form, values) => writeSortedFields(form, values, argument)
  }
  const [, hash = '', encoding = 'hex'] = BODY_HASH.exec(argument) ?? []
  if (name !== 'bodyHash' || !HASHES.includes(hash)) return undefined
  return ({ body }) => {
    const digest = createHash(hash).update(body).digest()
    return encoding === 'raw' ? digest : digest.toString(encoding === 'hex' ? 'hex' : 'base64')
  }
}

/** Writes the parameters of the address as they were sent. */
function writeSortedQuery({ url, format }: Call, _: Form, { at }: SignedValues): string {
  const isSignature = (pair: string) => {
    const isPlace = at.from === 'query' || (at.from === 'field' && format === 'query')
    return isPlace && new URLSearchParams(pair).has(at.name)
  }
  const pairs = queryOf(url)
    .split('&')
    .filter((pair) => pair !== '' && !isSignature(pair))
    .map((pair): CallField => {
      const end = `${pair}=`.indexOf('=')
      return [pair.slice(0, end), pair.slice(end)]
    })
  return pairs
    .sort(byNameAndValue)
    .map(([name, value]) => name + value)
    .join('&')
}

/** `joints` has the character between name and value, and the one between pairs. */
function writeSortedFields({ fields }: Form, { replace }: SignedValues, joints: string): string | null {
  if (fields === null) return null
  const [equals = '', and = ''] = joints
  const write = (value: string) => [...replace].reduce((text, [each, by]) => text.replaceAll(each, by), value)
  return fields.map(([name, value]) => `${name}${equals}${write(value)}`).join(and)
}

function byNameAndValue(one: CallField, other: CallField): number {
  return compare(one[0], other[0]) || compare(one[1], other[1])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Returns every text that the carrier may have signed. */
export function* writeSigned(template: SignedTemplate, call: Call, values: SignedValues): Generator<SignedText> {
  const fields = hasPart(template, ['sortedFields']) ? signedFields(call, values.at) : null
  const unique = fields?.filter(
    (field, index) => index === 0 || byNameAndValue(field, fields[index - 1] ?? field) !== 0,
  )
  const formsOfFields = unique?.length === fields?.length ? [fields] : [fields, unique ?? null]
  for (const url of hasPart(template, HAS_URL) ? withAndWithoutPort(call.url) : [call.url]) {
    for (const each of formsOfFields) {
      const text = template.map((part) =>
        typeof part === 'string' ? part : part.write(call, { url, fields: each }, values),
      )
      if (text.every((part) => part !== null)) yield text
    }
  }
}

/** Returns them sorted. */
function signedFields(call: Call, at: ProofPlace): readonly CallField[] | null {
  const isPlace = at.from === 'field' || (at.from === 'query' && call.format === 'query')
  return (
    call
      .fields()
      ?.filter(([name]) => !isPlace || name !== at.name)
      .toSorted(byNameAndValue) ?? null
  )
}

/** Whether the template has one of the parts. */
function hasPart(template: SignedTemplate, names: readonly string[]): boolean {
  return template.some((part) => typeof part !== 'string' && names.includes(part.name))
}

/** Whether the signature covers the fields of the items. */
export function coversContent(template: SignedTemplate, format: Call['format']): boolean {
  return hasPart(template, ['sortedFields', ...(format === 'query' ? COVERS_QUERY : COVERS_BODY)])
}

/** Whether the signature covers the value at a place, which `part` stands for. */
export function coversPlace(
  template: SignedTemplate,
  { from, name }: ProofPlace,
  part: string,
  format: Call['format'],
): boolean {
  if (hasPart(template, [part])) return true
  if (from === 'query')
    return hasPart(template, COVERS_QUERY) || (format === 'query' && hasPart(template, ['sortedFields']))
  if (from === 'field') return coversContent(template, format)
  return template.some((each) => typeof each !== 'string' && each.name === 'header' && each.detail === name)
}

/** Whether the template has the address of the gateway. */
export function usesUrl(template: SignedTemplate): boolean {
  return hasPart(template, HAS_URL)
}

export function usesPart(template: SignedTemplate, name: string): boolean {
  return hasPart(template, [name])
}
