/** Writes the answer to a plain request in one piece. */
import type { Socket } from 'node:net'
import type { PlainAnswer } from './plain-path.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about which bytes one character makes.
const ASCII = /^[\x00-\x7f]*$/

/**
 * `fields` end where the length of the text belongs; both they and the head are ASCII. The answer is released when the
 * system has taken all of it or the connection is closed.
 */
export function writeAnswer(socket: Socket, fields: string, { head, text, release }: PlainAnswer): void {
  const start = head + fields
  const bytes = `${start}${text.length}\r\n\r\n${text}`
  if (ASCII.test(bytes)) socket.write(bytes, 'latin1', release ?? undefined)
  else socket.write(`${start}${Buffer.byteLength(text)}\r\n\r\n${text}`, 'utf8', release ?? undefined)
}
