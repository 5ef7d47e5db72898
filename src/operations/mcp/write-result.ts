/** Writes the result of a tool: limited in rows and bytes, without characters that a reader does not see. */
import { hideInAddresses } from '../../domain/accounts/audit.ts'

export const MAX_ROWS = 50
/** 64 KiB, about 16,000 tokens. */
export const MAX_RESULT_BYTES = 65_536
/** Left for the closing of a shortened result. */
const CLOSING_BYTES = 200

interface Page {
  readonly data: readonly unknown[]
  readonly next?: unknown
}

/**
 * Returns JSON; of a list that is too long the first rows, and how many were left out. Addresses have no query, where
 * clients put secrets.
 */
export function writeToolResult(answer: unknown): string {
  const result = hideInAddresses(answer)
  return isPage(result) ? writePage(result) : shorten(writeVisible(result ?? { done: true }))
}

function writePage({ data, ...rest }: Page): string {
  const rows: string[] = []
  let size = Buffer.byteLength(writeVisible(rest)) + CLOSING_BYTES
  for (const row of data.slice(0, MAX_ROWS)) {
    const text = writeVisible(row)
    size += Buffer.byteLength(text) + 1
    if (size > MAX_RESULT_BYTES) break
    rows.push(text)
  }
  const isWhole = rows.length === data.length
  // The next page would begin after rows that were left out.
  const { next: _, ...others } = rest
  const facts = isWhole ? rest : { ...others, left_out: data.length - rows.length, hint: 'ask for less' }
  const members = Object.entries(facts).map(([name, value]) => `,${writeVisible(name)}:${writeVisible(value)}`)
  return `{"data":[${rows.join(',')}]${members.join('')}}`
}

function isPage(result: unknown): result is Page {
  return typeof result === 'object' && result !== null && 'data' in result && Array.isArray(result.data)
}

/** Cuts a text at the limit, between two characters. */
export function shorten(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_RESULT_BYTES) return text
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_RESULT_BYTES - CLOSING_BYTES), { stream: true })
  return `${kept}… cut off: the result is longer than ${MAX_RESULT_BYTES} bytes`
}

/** Writes JSON with every invisible character escaped: texts of others could hide instructions in them. */
export function writeVisible(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
