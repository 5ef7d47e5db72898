/** The beginning of a CSV: what separates its columns, by a line `sep=;` or by the header. */

const SEPARATORS = [',', ';', '\t'] as const
const COMMA = ','
const SEP_LINE = /^"?sep=([,;\t])"?\r?$/i

/** Characters of the header that are looked at. */
const MAX_LOOKED_AT = 16 * 1024

export interface BegunCsv {
  readonly delimiter: string
  /** The bytes without the line `sep=`. */
  readonly body: AsyncIterable<Buffer>
}

/** Reads the first lines, and no more. */
export async function beginCsv(bytes: AsyncIterable<Buffer>): Promise<BegunCsv> {
  const source = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isWhole = false
  while (!isWhole && !hasHeader(head) && head.length < MAX_LOOKED_AT) {
    const { value, done } = await source.next()
    if (done === true) isWhole = true
    else head = Buffer.concat([head, value])
  }
  const text = head.toString('latin1')
  const start = beginOf(text)
  const end = text.indexOf('\n', start)
  const first = text.slice(start, end < 0 ? text.length : end)
  const named = SEP_LINE.exec(first)?.[1]
  const rest = named === undefined || end < 0 ? head : head.subarray(end + 1)
  return { delimiter: named ?? separatorIn(first), body: chain(rest, source) }
}

/** Returns where the first line begins: behind a byte order mark and blank lines. Latin-1 has a character per byte. */
function beginOf(text: string): number {
  return /^(?:\u00EF\u00BB\u00BF)?[\r\n ]*/.exec(text)?.[0].length ?? 0
}

function hasHeader(head: Buffer): boolean {
  const text = head.toString('latin1')
  return text.includes('\n', beginOf(text))
}

/** The first separator outside of quotes: names of columns have none. */
function separatorIn(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '')
  return [...bare].find((character) => SEPARATORS.some((each) => each === character)) ?? COMMA
}

async function* chain(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
