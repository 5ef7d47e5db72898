/** Programs of a benchmark in processes of their own, spoken to by messages. */
import { type ChildProcess, fork } from 'node:child_process'

export class Child {
  readonly #process: ChildProcess
  #isEnded = false

  /** `execArgv` and `env` are of Node; `env` is added to that of this process. */
  constructor(
    file: string,
    args: readonly string[] = [],
    { execArgv = [], env = {} }: { readonly execArgv?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
  ) {
    this.#process = fork(new URL(file, import.meta.url), args, {
      execArgv: [...execArgv],
      env: { ...process.env, ...env },
    })
    this.#process.on('exit', (code, signal) => {
      if (code === 0 || this.#isEnded) return
      console.error(`${file} ended with ${code ?? signal}`)
      process.exitCode = 1
    })
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** Resolves with the next message that it sends. Rejects if it ends before. */
  receive<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`a program of the benchmark ended with code ${code}`))
      this.#process.once('exit', ended)
      this.#process.once('message', (message) => {
        this.#process.off('exit', ended)
        resolve(message as T)
      })
    })
  }

  ask<T>(question: unknown): Promise<T> {
    const answer = this.receive<T>()
    this.#process.send(question as object)
    return answer
  }

  /** As a crash ends it. */
  async kill(): Promise<void> {
    this.#isEnded = true
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await gone
  }

  async end(): Promise<void> {
    this.#isEnded = true
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.disconnect()
    this.#process.kill('SIGTERM')
    await gone
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
