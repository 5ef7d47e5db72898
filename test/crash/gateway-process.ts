/**
 * The real program as a process that is killed, frozen, stopped in order and started again. Its ports stay the same
 * over all its lives.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { ChildProgram } from '../support/child-program.ts'
import { turnLoop } from '../support/eventually.ts'
import { within } from './patiently.ts'

/** `GATEWAY_LOG=warn` to debug a failure. */
const WORDS = [
  'serve',
  '--json',
  '--log-level',
  process.env['GATEWAY_LOG'] ?? 'error',
  '--lifetime-min-seconds',
  '1',
  '--hook-allow',
  '127.0.0.0/8',
]

const LAST_LETTERS = 3_000

export class GatewayProcess {
  readonly address: string
  /** The program that the next start runs; this version's when absent. */
  main: string | undefined
  readonly #environment: Readonly<Record<string, string>>
  #program: ChildProgram | null = null
  #isKilled = false
  #isUp = false
  #up: PromiseWithResolvers<void> = Promise.withResolvers()

  private constructor(environment: Readonly<Record<string, string>>, [port, adminPort]: readonly [number, number]) {
    this.address = `http://127.0.0.1:${port}`
    this.#environment = { ...environment, POSTHORN_PORT: String(port), POSTHORN_ADMIN_PORT: String(adminPort) }
  }

  /** `environment` says where the data are. */
  static async make(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
    return new GatewayProcess(environment, await freePorts())
  }

  get pid(): number {
    return this.#program?.pid ?? 0
  }

  /** The end of its log. */
  get lastWords(): string {
    return `${this.address}: ${this.#program?.err.slice(-LAST_LETTERS) ?? 'does not run'}`
  }

  /** Its own state, as far as it answers. */
  async carriers(): Promise<string> {
    const asked = fetch(`http://127.0.0.1:${this.#environment['POSTHORN_ADMIN_PORT']}/carriers`)
    return asked.then(
      (answer) => answer.text(),
      (error: Error) => error.message,
    )
  }

  /** Resolves while the program answers; otherwise once it does again. */
  untilUp(): Promise<void> {
    return this.#up.promise
  }

  /** Starts the program; resolves once it answers, and does nothing more when it is killed before. */
  async start(): Promise<void> {
    const program = new ChildProgram(WORDS, this.#environment, [], this.main)
    this.#program = program
    this.#isKilled = false
    try {
      await within('the gateway to start', program.firstAnswer())
      this.#isUp = true
      this.#up.resolve()
    } catch (error) {
      if (!this.#isKilled) throw error
    }
  }

  /** kill -9, now: when this returns, the signal is on its way. Follow it by `buried`. */
  kill(): void {
    this.#isKilled = true
    this.#goDown()
    this.#program?.end()
  }

  /** Resolves when the killed process is gone and the doubles have read its last words. */
  async buried(): Promise<void> {
    await this.ended()
  }

  /** Asks the process to stop in order; its exit code. */
  async terminate(): Promise<unknown> {
    this.#goDown()
    this.#program?.signal('SIGTERM')
    return this.ended()
  }

  /** Freezes the process without closing its connections, until it is woken. */
  freeze(): void {
    this.#program?.signal('SIGSTOP')
  }

  wake(): void {
    this.#program?.signal('SIGCONT')
  }

  /** Its exit code, once it has ended, by whatever; null when it does not run. */
  async ended(): Promise<unknown> {
    const program = this.#program
    if (program === null) return null
    const exitCode = await within('the gateway to end', program.ended())
    this.#goDown()
    this.#program = null
    await turnLoop()
    return exitCode
  }

  #goDown(): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.#up = Promise.withResolvers()
  }
}

/**
 * Two free ports, below those that the system gives to outgoing connections: while the gateway is
 * down, none of the many that try to reach it may be given its port.
 */
async function freePorts(): Promise<readonly [number, number]> {
  const ports: number[] = []
  while (ports.length < 2) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree && !ports.includes(port)) ports.push(port)
  }
  return [ports[0] ?? 0, ports[1] ?? 0]
}
