/** Programs of a benchmark in processes of their own, spoken to by messages. */
import { type ChildProcess, fork } from 'node:child_process'

export class Child {
  readonly #process: ChildProcess

  constructor(file: string, words: readonly string[] = [], execArgv: readonly string[] = []) {
    this.#process = fork(new URL(file, import.meta.url), words, { execArgv: [...execArgv] })
    this.#process.on('exit', (code) => {
      if (code !== 0 && code !== null) {
        console.error(`${file} ended with code ${code}`)
        process.exitCode = 1
      }
    })
  }

  /** The next message that it sends. */
  hear<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#process.once('message', (message) => resolve(message as T))
      this.#process.once('exit', (code) => reject(new Error(`a program of the benchmark ended with code ${code}`)))
    })
  }

  ask<T>(question: unknown): Promise<T> {
    const answer = this.hear<T>()
    this.#process.send(question as object)
    return answer
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return
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
