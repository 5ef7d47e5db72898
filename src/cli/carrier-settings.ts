/** Reads settings of a carrier from a JSON file, standard input or single values. Never echoes them. */
import { readFile } from 'node:fs/promises'
import { WrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface SettingsSource {
  /** A file; `-` is standard input. */
  readonly settings?: string
  /** `name=value` each; they override the file. */
  readonly set?: readonly string[]
}

/** Throws WrongUsage without any value, or the error of reading the file. */
export async function readCarrierSettings(source: SettingsSource, terminal: Terminal): Promise<object> {
  const fromFile = source.settings === undefined ? {} : await readJsonObject(source.settings, terminal)
  return { ...fromFile, ...Object.fromEntries((source.set ?? []).map(readPair)) }
}

async function readJsonObject(file: string, terminal: Terminal): Promise<object> {
  const text = file === '-' ? await terminal.readInput() : await readFile(file, 'utf8')
  // The parser's own error quotes text around the mistake, which may contain a password.
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new WrongUsage(`--settings: ${file === '-' ? 'standard input' : file} must hold one JSON object`)
}

/** Reads a JSON number, `true`, `false` or JSON string as such; anything else as text. */
function readPair(pair: string): readonly [string, unknown] {
  const cut = pair.indexOf('=')
  if (cut < 1) throw new WrongUsage('--set: must be name=value')
  const text = pair.slice(cut + 1)
  const value = parseJson(text)
  return [pair.slice(0, cut), typeof value === 'object' || value === undefined ? text : value]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
