/**
 * A program that is not ours, installed from Debian, as a process of its own in a folder of its own. Tests that want
 * one are skipped with a line that says so where it is not installed or does not start.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { systemClock } from '../../src/app/system/system-clock.ts'

const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin']
/** No test needs such a program for longer. */
const LONGEST_LIFE_MS = 30_000
const PATIENCE_MS = 2_000
/** A compiler without its cache is the slowest. */
const PROBE_MS = 120_000
const MAX_OUTPUT = 20_000

/** What a program is started with to find out whether it does what its tests need. */
export interface Probe {
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** That shows success; 0 unless set. */
  readonly exitCode?: number
}

/**
 * The path of a program; null, and a line on the terminal, when it is not installed, or when the probe ends with a
 * failure, as it does without a library that it needs.
 */
export function findProgram(name: string, debianPackages: string, probe: Probe = {}): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  const path = folders.map((folder) => join(folder, name)).find(isProgram)
  const why = path === undefined ? 'is not installed' : whyUseless(path, probe)
  if (why !== null) console.warn(`${name} ${why} (Debian: ${debianPackages}); its tests are skipped`)
  return why === null ? (path ?? null) : null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function whyUseless(path: string, { words = ['--version'], env = process.env, exitCode = 0 }: Probe): string | null {
  const { error, status, stderr } = spawnSync(path, words, { env, encoding: 'utf8', timeout: PROBE_MS })
  if (error === undefined && status === exitCode) return null
  const said = error?.message ?? stderr.trim().split('\n')[0]
  return `does not do what its tests need: ${said || `${words.join(' ')} failed`}`
}

export class DebianProgram {
  /** Its working folder, gone when it is stopped. */
  readonly folder = mkdtempSync(join(tmpdir(), 'posthorn-interop-'))
  readonly #longestLifeMs: number
  #child: ChildProcess | null = null
  /** The last of what it printed. */
  #said = ''
  #ended: Promise<number | null> = Promise.resolve(null)

  constructor(longestLifeMs = LONGEST_LIFE_MS) {
    this.#longestLifeMs = longestLifeMs
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** The last of what it printed, errors as well. */
  get said(): string {
    return this.#said
  }

  start(path: string, words: readonly string[]): void {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    // Detached: it leads a group of its own, with all the processes that it starts.
    const child = spawn(path, words, {
      cwd: this.folder,
      stdio: [...stdio],
      timeout: this.#longestLifeMs,
      detached: true,
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        this.#said = (this.#said + bytes.toString()).slice(-MAX_OUTPUT)
      })
    }
    this.#ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve(code))
    })
  }

  /** Resolves once it listens. Rejects when it ends before that. */
  async listens(transport: 'udp' | 'tcp', port: number): Promise<void> {
    while (!isListening(transport, port)) {
      const ended = await Promise.race([this.#ended.then(() => true), turn()])
      if (ended) throw new Error(`it ended before it listened: ${this.#said}`)
    }
  }

  /** Resolves with nothing when it ended well. Rejects with what it said otherwise. */
  async endedWell(): Promise<void> {
    const code = await this.#ended
    if (code !== 0) throw new Error(`it ended with ${code}: ${this.#said}`)
  }

  /** Ends it at once, without a wait. */
  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  /**
   * Asks it to end, and does not ask twice: some wait a minute for a process of theirs that has missed the question.
   */
  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM')
    const cancelTimeout = systemClock.after(
      PATIENCE_MS,
      () => this.#child?.pid && process.kill(-this.#child.pid, 'SIGKILL'),
    )
    await this.#ended
    cancelTimeout()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function turn(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)))
}

/** The state of sockets that take connections, in the kernel's tables. */
const LISTENING = { udp: '07', tcp: '0A' } as const

/** Asks the kernel, for to try the port would take it away from whom it is waited for. */
function isListening(transport: 'udp' | 'tcp', port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync(`/proc/net/${transport}`, 'utf8')
    .split('\n')
    .some((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/)
      return local.endsWith(`:${hex}`) && state === LISTENING[transport]
    })
}
