/** Parses the head of a plain request (plain-post.ts). */

const MAX_BODY_BYTES = 256 * 1024

const REQUEST_LINE = /^POST ([!-~]+) HTTP\/1\.1\r\n/
/** Values are trimmed separately: two adjacent patterns that match white space would backtrack over a long run. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([ -~\t]*)$/

/** Headers that change how a body is read or which host is addressed. */
const UNUSUAL_HEADERS = ['transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'content-encoding']

export interface PlainHead<Path> {
  readonly path: Path
  readonly length: number
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly forwardedFor: string | null
  readonly forwarded: string | null
}

/** Returns the parsed head; null if the request is not plain. */
export function parsePlainHead<Path extends { readonly maxBodyBytes: number }>(
  text: string,
  paths: ReadonlyMap<string, Path>,
): PlainHead<Path> | null {
  const path = paths.get(REQUEST_LINE.exec(text)?.[1] ?? '')
  if (path === undefined) return null
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n').slice(1)) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '' || headers.has(key)) return null
    headers.set(key, value.trim())
  }
  const length = headers.get('content-length') ?? ''
  const isPlain =
    headers.has('host') &&
    headers.get('content-type')?.toLowerCase() === 'application/json' &&
    /^[1-9]\d{0,8}$/.test(length) &&
    Number(length) <= Math.min(path.maxBodyBytes, MAX_BODY_BYTES) &&
    (headers.get('connection') ?? 'keep-alive').toLowerCase() === 'keep-alive' &&
    UNUSUAL_HEADERS.every((name) => !headers.has(name))
  if (!isPlain) return null
  return {
    path,
    length: Number(length),
    idempotencyKey: headers.get('idempotency-key') || null,
    traceparent: headers.get('traceparent') || null,
    forwardedFor: headers.get('x-forwarded-for') || null,
    forwarded: headers.get('forwarded') || null,
  }
}
