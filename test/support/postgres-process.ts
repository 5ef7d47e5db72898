/** The process of a PostgreSQL server of tests. It ends with the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { PostgresPrograms } from './postgres-programs.ts'

const MAX_OUTPUT = 20_000
const TRY_AGAIN_MS = 20

const running = new Set<ChildProcess>()

export class ServerProcess {
  readonly #programs: PostgresPrograms
  readonly #words: readonly string[]
  readonly #folder: string
  #child: ChildProcess | null = null
  #ended: Promise<void> = Promise.resolve()
  /** The last of what it printed. */
  #said = ''

  constructor(programs: PostgresPrograms, words: readonly string[], folder: string) {
    this.#programs = programs
    this.#words = words
    this.#folder = folder
  }

  /** Of the process that starts all others. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Resolves once it answers. Rejects with what it said if it ends before. */
  async start(ask: () => Promise<unknown>): Promise<void> {
    endWithThisProcess()
    const { postgres, runner } = this.#programs
    const env = { ...process.env, LC_ALL: 'C' }
    const child = spawn(postgres, this.#words, {
      ...runner,
      env,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.add(child)
    this.#child = child
    child.stderr.on('data', (bytes: Buffer) => {
      this.#said = (this.#said + bytes.toString()).slice(-MAX_OUTPUT)
    })
    let hasEnded = false
    this.#ended = new Promise((resolve) => {
      const end = () => {
        hasEnded = true
        running.delete(child)
        resolve()
      }
      child.once('error', end).once('exit', end)
    })
    while (!(await ask().then(...TRUE_OR_FALSE))) {
      if (hasEnded) throw new Error(`the PostgreSQL server does not start: ${this.#said}`)
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
  }

  /** Resolves once it has ended. */
  async halt(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    this.#child?.kill(signal)
    await this.#ended
  }
}

const TRUE_OR_FALSE = [() => true, () => false] as const

let isListening = false

function endWithThisProcess(): void {
  if (isListening) return
  isListening = true
  process.once('exit', () => {
    for (const child of running) child.kill('SIGQUIT')
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
}
