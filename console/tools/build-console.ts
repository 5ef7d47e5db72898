/** Builds the console unless dist/console was built from the same files. Without Vite it says how to get it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeAdminApi } from './write-admin-api.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = [join(ROOT, 'console'), join(ROOT, 'src/sheets')]
const BUILT = join(ROOT, 'dist/console/index.html')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
const MARK = join(ROOT, 'node_modules/.cache/console-built-from')

export function buildConsole(): void {
  writeAdminApi()
  const sources = hashSources()
  if (existsSync(BUILT) && existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) return
  if (!existsSync(VITE)) {
    console.error('The console is not built: run npm ci with the development dependencies.')
    return
  }
  // A process of its own: React's build for production depends on the environment, which tests set otherwise.
  execFileSync(process.execPath, [VITE, 'build', 'console', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  mkdirSync(dirname(MARK), { recursive: true })
  writeFileSync(MARK, sources)
}

/** Returns a hash of all files that the build reads. */
function hashSources(): string {
  const hash = createHash('sha256')
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [...files.sort(), join(ROOT, 'package-lock.json')]) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

if (import.meta.main) buildConsole()
