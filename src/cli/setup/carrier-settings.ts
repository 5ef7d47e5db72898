/** Reads settings of a carrier from a JSON file, standard input or single values. Never echoes them. */
import { WrongUsage } from '../command/failure.ts'
import { parseInput, readObjectFile } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'

export interface SettingsSource {
  /** A file; `-` is standard input. */
  readonly settings?: string
  /** `name=value` each; they override the file. */
  readonly set?: readonly string[]
}

export const SET_HELP =
  'one setting, may be repeated; overrides the file; quote a text of digits: "1"; a list is ["a","b"]; a dot leads into ' +
  'an object'

/** The option that confirms a change of account while receipts are expected. */
export const LOSE_RECEIPTS_FLAG = [
  '--lose-receipts',
  'use another account although receipts of open messages are expected from the present one',
] as const

/** Throws WrongUsage without any value, or the error of reading the file. */
export async function readCarrierSettings(source: SettingsSource, terminal: Terminal): Promise<object> {
  const fromFile = source.settings === undefined ? {} : await readObjectFile(source.settings, terminal)
  return (source.set ?? []).map(readPair).reduce((before, [path, value]) => withSetting(before, path, value), fromFile)
}

/** Reads a JSON number, `true`, `false`, JSON string or list as such; anything else as text. */
function readPair(pair: string): readonly [path: readonly string[], value: unknown] {
  const cut = pair.indexOf('=')
  if (cut < 1) throw new WrongUsage('--set: must be name=value')
  const text = pair.slice(cut + 1)
  const value = parseInput(text)
  const isText = value === undefined || (typeof value === 'object' && !Array.isArray(value))
  return [pair.slice(0, cut).split('.'), isText ? text : value]
}

/** Returns the settings with another value at a path such as `lifetime.most`; what is around it stays. */
export function withSetting(settings: object, [name = '', ...inner]: readonly string[], value: unknown): object {
  if (inner.length === 0) return { ...settings, [name]: value }
  const before = new Map<string, unknown>(Object.entries(settings)).get(name)
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before)
  return { ...settings, [name]: withSetting(isObject ? before : {}, inner, value) }
}

export function hasSetting(settings: unknown, [name, ...inner]: readonly string[]): boolean {
  if (name === undefined) return true
  if (typeof settings !== 'object' || settings === null || !Object.hasOwn(settings, name)) return false
  return hasSetting(new Map<string, unknown>(Object.entries(settings)).get(name), inner)
}

/** Returns a warning about settings with which the carrier sends nothing; empty if there are none. */
export function warnOfStandstill(id: string, settings: object): string {
  if (!('throughput' in settings) || settings.throughput !== 0) return ''
  return (
    `\nWarning: throughput is 0, so this carrier sends nothing. For no limit: posthorn carrier set --id ${id} ` +
    '--unset throughput'
  )
}
