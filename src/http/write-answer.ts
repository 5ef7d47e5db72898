/** Writes the answer to a plain request in one piece. */
import type { Socket } from 'node:net'
import type { PlainAnswer } from './plain-path.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about which bytes one character makes.
const ASCII = /^[\x00-\x7f]*$/

/**
 * `fields` end where the length of the text belongs. The answer is released when the system has taken all of it or the
 * connection is closed.
 */
export function writeAnswer(socket: Socket, fields: string, { head, text, release }: PlainAnswer): void {
  const isAscii = ASCII.test(text)
  const bytes = `${head}${fields}${isAscii ? text.length : Buffer.byteLength(text)}\r\n\r\n${text}`
  socket.write(bytes, isAscii ? 'latin1' : 'utf8', release ?? undefined)
}
