/** A webhook call of a generic HTTP carrier. Its content is read when it is asked for, and once. */
import type { WebhookHead } from '../../../ports/carriers/carrier.ts'
import { isJsonObject, parseJson } from '../../../wire/json.ts'
import { decodeBytes } from '../../../wire/percent-bytes.ts'
import { readJsonPath, textAt } from '../places/find-text.ts'
import { type Call, type CallField, queryOf } from '../proof/call.ts'
import type { Charset, Format } from './call-format.ts'

/** Fields of a form or a query: more are ignored, and cannot be signed. */
const MAX_FIELDS = 1_000
/** Characters of a field that is part of a proof. */
const MAX_FIELD_LENGTH = 8_192

interface Reading {
  readonly format: Format
  readonly charset: Charset
}

export class ReceivedCall implements Call {
  readonly method: string
  readonly headers: Call['headers']
  readonly body: Uint8Array
  readonly url: string
  readonly format: Format
  readonly #charset: Charset
  #fields: readonly CallField[] | null = null
  #json: { readonly value: unknown } | null = null

  /** @param address where the webhook is, as the carrier knows it. */
  constructor({ method, headers, path }: WebhookHead, body: Uint8Array, { format, charset }: Reading, address: string) {
    this.method = method
    this.headers = headers
    this.body = body
    this.url = address + path
    this.format = format
    this.#charset = charset
  }

  /** Returns undefined if the body is not JSON or has too many members. */
  json(): unknown {
    this.#json ??= { value: parseJson(Buffer.from(this.body).toString()) }
    return this.#json.value
  }

  /** Returns the fields of a form or a query. */
  form(): readonly CallField[] {
    this.#fields ??= readForm(this.#formText(), this.#charset)
    return this.#fields
  }

  /** Returns the last field of the name as it is in the form or the query, percent-encoded. */
  escaped(name: string): string {
    const field = fieldsIn(this.#formText()).findLast((each) => nameOf(each) === name)
    return field?.slice(field.indexOf('=') + 1) ?? ''
  }

  #formText(): string {
    return this.format === 'query' ? queryOf(this.url) : Buffer.from(this.body).toString('latin1')
  }

  fields(): readonly CallField[] | null {
    if (this.format !== 'json') return this.form().length > MAX_FIELDS ? null : this.form()
    const json = this.json()
    const entries = isJsonObject(json) ? Object.entries(json) : null
    const isPlain = entries?.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    return entries !== null && isPlain && entries.length <= MAX_FIELDS
      ? entries.map(([name, value]) => [name, String(value)])
      : null
  }

  field(name: string): string {
    if (this.format === 'json') return textAt(this.json(), readJsonPath(name), MAX_FIELD_LENGTH)
    return this.form().findLast(([each]) => each === name)?.[1] ?? ''
  }
}

/** `text` has a character for each byte. Reads one field more than are allowed. */
function readForm(text: string, charset: Charset): readonly CallField[] {
  const decoder = new TextDecoder(charset)
  return fieldsIn(text).map((field) => {
    const at = field.indexOf('=')
    return at === -1 ? [field, ''] : [nameOf(field), decoder.decode(decodeBytes(field.slice(at + 1)))]
  })
}

function fieldsIn(text: string): readonly string[] {
  return text.split('&', MAX_FIELDS + 1).filter((field) => field !== '')
}

/** Names are ASCII also where values are UTF-16. */
function nameOf(field: string): string {
  return decodeBytes(field.split('=', 1)[0] ?? '').toString('latin1')
}

/** Returns a percent-encoded text in its charset. */
export function decodeEscaped(value: string, charset: Charset): string {
  return new TextDecoder(charset).decode(decodeBytes(value))
}
