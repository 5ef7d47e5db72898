/** The program as a process of its own, as an operator starts it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../bin/posthorn.js', import.meta.url))

export class ChildProgram {
  out = ''
  err = ''
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<readonly unknown[]>

  /** @param nodeFlags stand before the program, for Node itself. @param main is the program of another version. */
  constructor(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    nodeFlags: readonly string[] = [],
    main = MAIN,
  ) {
    const env = { ...process.env, POSTHORN_STOP_NOTICE_SECONDS: '0', ...environment }
    this.#child = spawn(process.execPath, [...nodeFlags, main, ...words], { env })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
    })
    this.#closed = once(this.#child, 'close')
  }

  /** The JSON document that it prints once it is ready. Rejects when it ends without one. */
  firstAnswer(): Promise<Record<string, string>> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.out.endsWith('\n}\n')) resolve(JSON.parse(this.out) as Record<string, string>)
      }
      this.#child.stdout.on('data', look)
      void this.#closed.then(() => reject(new Error(`the program ended without an answer: ${this.err}`)))
      look()
    })
  }

  /** Stops reading its output. */
  stopReading(): void {
    this.#child.stdout.destroy()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name)
  }

  /** Its exit code, once it has ended and all its output is here. */
  async ended(): Promise<unknown> {
    const [exitCode] = await this.#closed
    return exitCode
  }

  /** For the end of a test, whatever became of it. */
  end(): void {
    this.#child.kill('SIGKILL')
  }
}
