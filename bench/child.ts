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
      const ended = (code: number | null) => reject(new Error(`a program of the benchmark ended with code ${code}`))
      this.#process.once('exit', ended)
      this.#process.once('message', (message) => {
        this.#process.off('exit', ended)
        resolve(message as T)
      })
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

export interface Usage {
  readonly cpu: NodeJS.CpuUsage
  readonly rss: number
}

/** Microseconds of CPU between two usages, all threads of the process, for each of so many. */
export function cpuEach(before: Usage, after: Usage, count: number): number {
  return (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / count
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
