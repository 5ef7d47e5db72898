/** Counts the system calls of processes by strace, where it is installed and may trace. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../test/support/debian-program.ts'
import { withDescendants } from './process-usage.ts'

const SYNCS = ['fsync', 'fdatasync', 'sync_file_range']

/** Null, and a line on the terminal, where it is not installed or may not trace. */
const STRACE = findProgram('strace', 'strace', { words: ['-c', '-o', '/dev/null', process.execPath, '--version'] })

/** Returns why nothing can be counted here; null where it can. */
export function whyNoStrace(): string | null {
  return STRACE === null ? 'strace is not installed or may not trace processes here' : null
}

export class SystemCalls {
  readonly #strace: ChildProcess
  readonly #folder: string

  private constructor(strace: ChildProcess, folder: string) {
    this.#strace = strace
    this.#folder = folder
  }

  /** Counts from now on what these processes and those that they have started do. */
  static async of(pids: readonly number[]): Promise<SystemCalls> {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
    for (;;) {
      const all = withDescendants(pids)
      const traced = all.flatMap((pid) => ['-p', String(pid)])
      const strace = spawn(STRACE ?? '', ['-c', '-f', '-o', join(folder, 'calls'), ...traced], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      if (await isAttached(strace, all.length)) return new SystemCalls(strace, folder)
    }
  }

  async end(): Promise<{ readonly 'system calls': number; readonly fsyncs: number }> {
    const ended = once(this.#strace, 'exit')
    this.#strace.kill('SIGINT')
    await ended
    const lines = readFileSync(join(this.#folder, 'calls'), 'utf8').split('\n')
    rmSync(this.#folder, { recursive: true })
    // Columns: share of the time, seconds, microseconds each, calls, errors if any, name.
    const calls = lines.flatMap((line) => {
      const cells = line.trim().split(/\s+/)
      const name = cells.at(-1) ?? ''
      return /^[\d.]+$/.test(cells[0] ?? '') && name !== 'total' ? [{ name, count: Number(cells[3]) }] : []
    })
    const sum = (of: readonly { readonly count: number }[]) => of.reduce((total, { count }) => total + count, 0)
    return { 'system calls': sum(calls), fsyncs: sum(calls.filter(({ name }) => SYNCS.includes(name))) }
  }
}

/** Whether it has attached itself to so many processes, which it reports; false if one of them ended before. */
async function isAttached(strace: ChildProcess, processes: number): Promise<boolean> {
  let reported = ''
  const { promise, resolve } = Promise.withResolvers<boolean>()
  strace.once('exit', () => resolve(false))
  strace.stderr?.on('data', (chunk: Buffer) => {
    reported += chunk.toString()
    if (reported.includes('No such process')) strace.kill('SIGINT')
    else if (reported.split(' attached').length > processes) resolve(true)
  })
  return promise
}
