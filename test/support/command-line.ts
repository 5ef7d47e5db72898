/** Runs the command line in this process over a data folder of its own, with a terminal that records its output. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processTerminal } from '../../src/cli/command/terminal.ts'
import { buildProgram, runProgram } from '../../src/cli/program.ts'
import type { DirectoryRows } from '../../src/domain/directory/directory.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SeededRandom } from './seeded-random.ts'
import { VirtualClock } from './virtual-clock.ts'

// Loads all commands before the first test begins, whose time is limited.
await buildProgram(processTerminal)

export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Of an installation: the key and the database. */
const FILES = ['secret.key', 'posthorn.db']
/** What `init` has written, for further installations: creating one takes longer than most commands. */
let begun: readonly (readonly [name: string, bytes: Buffer])[] | null = null

interface CommandLineOptions {
  readonly initialized?: boolean
  /** That of a gateway that the commands ask, for commands that wait. */
  readonly clock?: VirtualClock
}

export class CommandLine {
  readonly dataDir: string
  readonly clock: VirtualClock
  /** Variables beside the data folder's. */
  environment: Readonly<Record<string, string>> = {}
  isWatched = false
  /** Answers questions of a command; null if no user is at the terminal. */
  onAsked: ((question: string, isHidden: boolean) => Promise<string>) | null = null
  /** Resolves when a running command should stop. */
  stopped: Promise<void> = Promise.resolve()
  /** Called with the output of a running command. */
  onPrinted: (text: string) => void = () => {}
  readonly #folder = mkdtempSync(join(tmpdir(), 'posthorn-cli-'))
  readonly #random = new SeededRandom()
  #initialized: boolean

  /** Creates the installation before the first command, unless `initialized` is false. */
  constructor({ initialized = true, clock = new VirtualClock() }: CommandLineOptions = {}) {
    this.clock = clock
    this.dataDir = join(this.#folder, 'data')
    this.#initialized = !initialized
  }

  /** Creates the installation now, for programs that are started beside the commands. */
  async init(): Promise<void> {
    if (this.#initialized) return
    this.#initialized = true
    // Variables may choose another database or other keys, and a program may have created the installation.
    const isPlain = Object.keys(this.environment).length === 0 && !existsSync(this.dataDir)
    if (isPlain && begun !== null) return this.#copy(begun)
    const { exitCode, err } = await this.#run(['init'], '')
    if (exitCode !== 0) throw new Error(err)
    if (isPlain) begun = FILES.map((name) => [name, readFileSync(join(this.dataDir, name))])
  }

  #copy(files: readonly (readonly [name: string, bytes: Buffer])[]): void {
    mkdirSync(this.dataDir, { mode: 0o700 })
    for (const [name, bytes] of files) writeFileSync(join(this.dataDir, name), bytes, { mode: 0o600 })
  }

  /** A path for a file of the test's own. */
  path(name: string): string {
    return join(this.#folder, name)
  }

  async run(words: readonly string[], input = ''): Promise<Ran> {
    await this.init()
    return this.#run(words, input)
  }

  async #run(words: readonly string[], input: string): Promise<Ran> {
    let out = ''
    let err = ''
    const exitCode = await runProgram(words, {
      out: (text) => {
        out += text
        this.onPrinted(text)
      },
      err: (text) => {
        err += text
      },
      isWatched: this.isWatched,
      ask: this.onAsked,
      readInput: async () => input,
      environment: { POSTHORN_DATA_DIR: this.dataDir, ...this.environment },
      user: 'tester',
      clock: this.clock,
      random: this.#random,
      pause: (milliseconds) => new Promise((resolve) => void this.clock.after(milliseconds, resolve)),
      untilStopped: () => this.stopped,
    })
    return { exitCode, out, err }
  }

  /** Runs a command that must succeed and answers with its JSON. */
  async ask(words: readonly string[], input = ''): Promise<Record<string, unknown>> {
    const ran = await this.run([...words, '--json'], input)
    if (ran.exitCode !== 0) throw new Error(`posthorn ${words.join(' ')}: ${ran.err}`)
    return JSON.parse(ran.out) as Record<string, unknown>
  }

  /** What is set up, read past the command line. */
  async directory(): Promise<DirectoryRows> {
    return this.withStore((store) => store.loadDirectory())
  }

  async withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await this.openStore('tool')
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  openStore(role: 'tool' | 'gateway'): Promise<Store> {
    const keys = { kind: 'file', path: join(this.dataDir, 'secret.key') } as const
    return openSqliteStore({ file: join(this.dataDir, 'posthorn.db'), keys, role, inline: true })
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The words of a line as a shell would split it: spaces, single and double quotes, nothing else. */
export function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  )
}
