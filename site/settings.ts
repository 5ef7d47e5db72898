/** What a build of the site depends on besides the documents. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

export interface SiteSettings {
  readonly version: string
  readonly description: string
  /** Of the site's first page, such as `https://docs.example.com/v0.2/`; null if it is not known. */
  readonly address: URL | null
  /** The path of the address. */
  readonly base: `/${string}`
  /** Path of the folder of all versions, where `versions.json` is. */
  readonly versionsBase: string
  /** Where the files of this version can be read, such as `https://github.com/…/blob/v0.2.0`; null if nowhere. */
  readonly sources: string | null
}

/** Reads `SITE_ADDRESS` and `SITE_SOURCES`; both are optional. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): SiteSettings {
  const { SITE_ADDRESS: address, SITE_SOURCES: sources } = environment
  const url = address ? new URL(address.endsWith('/') ? address : `${address}/`) : null
  const base = `/${url?.pathname.slice(1) ?? ''}` as const
  const versionsBase = base.replace(/v\d+\.\d+\/$/, '')
  return { version, description, address: url, base, versionsBase, sources: sources?.replace(/\/$/, '') || null }
}

/** Patches of a version replace its documentation: 0.2.1 is in the folder of 0.2. */
export function folderOf(version: string): string {
  return `v${version.split('.', 2).join('.')}`
}
