/** Secret settings in files, as container platforms provide them: NAME_FILE has the path of the value of NAME. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Longer than any setting: a wrong path, for example to a database, is refused before it is read. */
const MAX_BYTES = 65_536

/** Returns the text of the file without its last newline. Throws RangeError; the text of the error names no content. */
export function readSecretFile(path: string): string {
  const bytes = readBytes(path)
  if (bytes.length > MAX_BYTES) throw new RangeError(`${path} has more than ${MAX_BYTES} bytes`)
  const text = decode(bytes, path).replace(/\r?\n$/, '')
  if (text === '') throw new RangeError(`${path} is empty`)
  return text
}

function readBytes(path: string): Uint8Array {
  try {
    // Before it is opened: a pipe could block the start without a limit.
    if (!statSync(path).isFile()) throw new RangeError(`${path} is not a file`)
    const file = openSync(path, 'r')
    try {
      const bytes = new Uint8Array(MAX_BYTES + 1)
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof RangeError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    throw new RangeError(REASONS[code]?.(path) ?? `${path} cannot be read: ${code}`)
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}`,
  EACCES: (path) => `this user may not read ${path}`,
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RangeError(`${path} is not UTF-8 text`)
  }
}
