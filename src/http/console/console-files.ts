/** Reads the built console into memory, once: requests then name entries of a map and never reach the file system. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

export interface ConsoleFile {
  /** Media type, for example `text/css; charset=utf-8`. */
  readonly type: string
  readonly plain: Buffer
  /** Compressed by the build; null if it was not. */
  readonly gzip: Buffer | null
  /** A strong ETag. */
  readonly etag: string
}

/** By path below the folder: `assets/main-1a2b3c.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

/** The page of every address of the console. */
export const INDEX = 'index.html'

const MAX_FILES = 1_000
const MAX_BYTES = 32 * 1024 * 1024

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/** Returns null if the console is not built. Rejects with RangeError if the folder is larger than a console. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  if (paths.length > MAX_FILES) throw new RangeError(`${folder} has more than ${MAX_FILES} files`)
  const contents = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths) {
    const content = await readFile(path)
    bytes += content.length
    if (bytes > MAX_BYTES) throw new RangeError(`${folder} has more than ${MAX_BYTES} bytes`)
    contents.set(relative(folder, path).split(sep).join('/'), content)
  }
  if (!contents.has(INDEX)) return null
  const plain = [...contents].filter(([name]) => !name.endsWith('.gz'))
  return new Map(
    plain.map(([name, content]) => [
      name,
      {
        type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        plain: content,
        gzip: contents.get(`${name}.gz`) ?? null,
        etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      },
    ]),
  )
}
