/**
 * Another version of Posthorn, taken from the history of this checkout into a folder of its own:
 * POSTHORN_UPGRADE_FROM, or the newest release before this one.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Installation, type InstallationSetup } from '../crash/installation.ts'
import type { Place } from '../crash/place.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** While there is no release before this one. */
const BEFORE_THE_FIRST = '3fe2e362'
const LOCK_FILE = 'package-lock.json'
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024

/** The test support of that version. */
interface OtherInstallation {
  readonly Installation: Pick<typeof Installation, 'make'>
}
interface OtherPlaces {
  sqlitePlace(folder: string): Place
  postgresPlace(folder: string, database: { readonly url: string }): Place
}

export class OtherVersion {
  /** For example `v0.2.0`. */
  readonly name: string
  readonly #folder: string

  private constructor(name: string, folder: string) {
    this.name = name
    this.#folder = folder
  }

  /** Returns null, with a line that says why, where that version cannot be had: its tests are skipped. */
  static take(): OtherVersion | null {
    const name = process.env['POSTHORN_UPGRADE_FROM'] ?? newestRelease() ?? BEFORE_THE_FIRST
    if (!isThere(name)) {
      console.warn(`upgrades are not tested: ${name} is not in the history here (a shallow clone?)`)
      return null
    }
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-other-'))
    const archive = execFileSync('git', ['-C', ROOT, 'archive', name], { maxBuffer: MAX_ARCHIVE_BYTES })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const other = new OtherVersion(name, folder)
    const reason = other.#install()
    if (reason === null) return other
    console.warn(`upgrades are not tested: the dependencies of ${name} cannot be installed (${reason})`)
    other.remove()
    return null
  }

  /** Its program. */
  get main(): string {
    return join(this.#folder, 'bin/posthorn.js')
  }

  /** Makes an installation with its data as that version stores them, whose gateways run it at first. */
  async install(setup: InstallationSetup): Promise<Installation> {
    const theirs = (await this.#load('test/crash/installation.ts')) as OtherInstallation
    const { sqlitePlace, postgresPlace } = (await this.#load('test/crash/place.ts')) as OtherPlaces
    const place = (folder: string) => {
      const url = setup.place?.(folder).environment['POSTHORN_DATABASE']
      return url === undefined ? sqlitePlace(folder) : postgresPlace(folder, { url })
    }
    const made = await theirs.Installation.make({ ...setup, gateways: 0, place })
    const installation = await Installation.make({ ...setup, made })
    installation.run(this.main)
    return installation
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #load(path: string): Promise<unknown> {
    return import(/* @vite-ignore */ join(this.#folder, path))
  }

  /** Returns why that is not possible, or null. */
  #install(): string | null {
    const [own, theirs] = [ROOT, this.#folder].map((folder) => readFileSync(join(folder, LOCK_FILE), 'utf8'))
    if (own === theirs) {
      symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'))
      return null
    }
    try {
      const words = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
      execFileSync('npm', words, { cwd: this.#folder, stdio: 'pipe' })
      return null
    } catch (error) {
      return (error as Error).message.split('\n')[0] ?? ''
    }
  }
}

function newestRelease(): string | null {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  } catch {
    return null
  }
}

function isThere(name: string): boolean {
  try {
    git('cat-file', '-e', `${name}^{commit}`)
    return true
  } catch {
    return false
  }
}

function git(...words: readonly string[]): string {
  return execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
