/** A call of a carrier, as the checks of its proof see it. */

/** Name and value, decoded. */
export type CallField = readonly [name: string, value: string]

export interface Call {
  readonly method: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** The address as the caller saw it, with its query. */
  readonly url: string
  /** Where the fields are. */
  readonly format: 'json' | 'form' | 'query'
  /** Returns null if there are too many, or one of them is not a text, a number or a boolean. */
  fields(): readonly CallField[] | null
  /** Returns the field of a form or a query, or what is at a path in JSON, as text; empty if there is none. */
  field(name: string): string
}

export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** Returns the forms in which a caller may have written the address. */
export function withAndWithoutPort(url: string): readonly string[] {
  const [, host = '', port = '', rest = ''] = /^(https?:\/\/(?:\[[^\]]*\]|[^/:?#]*))(:\d+)?(.*)$/is.exec(url) ?? []
  const standard = /^https:/i.test(host) ? ':443' : ':80'
  return [url, port === '' ? `${host}${standard}${rest}` : `${host}${rest}`]
}
