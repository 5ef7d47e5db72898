/**
 * Writes gzip copies beside the built files, so that the gateway compresses nothing while it serves. Not brotli ones:
 * browsers read them over TLS alone, and they were 15 % of the package.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Pictures are compressed already, and index.html gets a nonce in every answer. */
const COMPRESSED = /\.(?:js|css|svg)$/
const MIN_BYTES = 1_024

export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'posthorn-compress-files',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir
    },
    closeBundle: () => {
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => COMPRESSED.test(path))
      for (const path of paths) writeCopies(join(folder, path))
    },
  }
}

function writeCopies(path: string): void {
  const bytes = readFileSync(path)
  if (bytes.length < MIN_BYTES) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
