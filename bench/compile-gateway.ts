/**
 * The gateway of the benchmarks, compiled as in the package. A checkout also holds its sources and the compiler that
 * removes their types, which takes some 40 MiB.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface CompiledGateway {
  /** Of its program. */
  readonly file: string
  end(): Promise<void>
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TYPESCRIPT = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** Takes some seconds. */
export function compileGateway(): CompiledGateway {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
  execFileSync(process.execPath, [TYPESCRIPT, '-p', join(ROOT, 'bench'), '--outDir', folder], { stdio: 'inherit' })
  const made = new Set(readdirSync(folder))
  for (const name of readdirSync(ROOT)) if (!made.has(name)) symlinkSync(join(ROOT, name), join(folder, name))
  return {
    file: new URL(`file://${join(folder, 'bench', 'gateway-under-load.js')}`).href,
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
