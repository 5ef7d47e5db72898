/** Writes the answer to a plain POST in one piece. */
import type { Socket } from 'node:net'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about which bytes one character makes.
const ASCII = /^[\x00-\x7f]*$/

/**
 * `head` ends where the length of the text belongs. `onSent` is called when the system has taken all of it or the
 * connection is closed.
 */
export function writeJson(socket: Socket, head: string, text: string, onSent: () => void): void {
  if (ASCII.test(text)) socket.write(`${head}${text.length}\r\n\r\n${text}`, 'latin1', onSent)
  else socket.write(`${head}${Buffer.byteLength(text)}\r\n\r\n${text}`, 'utf8', onSent)
}
