/** Reads the ready settings of providers from the files of the package, once, when they are first asked for. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Provider, readProviderFile } from '../../operations/admin/fields/provider-file.ts'

/** Part of the package, beside `src` and `dist`. */
const FOLDER = new URL('../../../providers/', import.meta.url)
const ENDING = '.json'

let read: readonly Provider[] | null = null

/** Throws an Error that names a wrong file. */
export function readyProviders(): readonly Provider[] {
  read ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) => readProviderFile(file.slice(0, -ENDING.length), parse(file)))
  return read
}

function parse(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}
