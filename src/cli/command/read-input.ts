/** Reads files that commands are given; `-` is standard input. */
import { readFile } from 'node:fs/promises'
import { CannotDo, WrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Rejects with an error that names the file. */
export async function readInput(file: string, terminal: Terminal): Promise<string> {
  return file === '-' ? terminal.readInput() : readFile(file, 'utf8').catch(nameFault(file))
}

/** Reads a file that may be binary; standard input is text. */
export async function readInputBytes(file: string, terminal: Terminal): Promise<Uint8Array> {
  return file === '-' ? Buffer.from(await terminal.readInput()) : readFile(file).catch(nameFault(file))
}

function nameFault(file: string) {
  return (error: NodeJS.ErrnoException) => {
    // A read error after opening has no path: the file is a folder, or the disk fails.
    throw error.path === undefined ? new CannotDo(`${file}: ${error.message}`) : error
  }
}

/** Reads one JSON object. Throws WrongUsage: the parser's own error quotes the text, which may contain a secret. */
export async function readObjectFile(file: string, terminal: Terminal): Promise<object> {
  const value = parseInput(await readInput(file, terminal))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new WrongUsage(`${nameOfInput(file)}: must hold one JSON object`)
}

/** Returns undefined for a text that is not JSON. */
export function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function nameOfInput(file: string): string {
  return file === '-' ? 'standard input' : file
}
