/**
 * Posts to hooks from a thread of its own, so that signatures, TLS and HTTP take no time of the main thread. The calls
 * of one turn of the event loop cross in one message, and so do their answers. The thread starts with the first call.
 *
 * When the thread ends by a fault, its calls answer `failed`, because their hooks may have got them. The next thread
 * starts after a wait, which doubles with each fault in a row; calls wait for it.
 */
import { Worker } from 'node:worker_threads'
import { IdMap } from '../../domain/structures/id-map.ts'
import type { HookAnswer, HookCall, HookPost } from '../../ports/hooks/hook-post.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { CallBatch, type FlatAnswers, readAnswers } from './flat-calls.ts'

export interface HookThreadSetup {
  /** Of the main thread; the thread itself has the system's clock. */
  readonly clock: Clock
  readonly log: Log
  /** The module that the thread runs: app/hooks/hook-worker.ts. */
  readonly file: URL
  readonly worker: HookWorkerSetup
}

export interface HookWorkerSetup {
  /** Networks in CIDR form in which hooks may be although they are not public. */
  readonly allow: readonly string[]
}

const FIRST_RESTART_MS = 1_000
const MAX_RESTART_MS = 60_000
/** Every call is answered within 10 s (post-hook.ts): a thread that answers none for so long hangs. */
const SILENT_MS = 60_000
/**
 * At most 1,024 calls with 20,000 reports are under way (delivery/reports/call-slots.ts,
 * delivery/reports/held-reports.ts).
 */
const MAX_HEAP_MIB = 256
/** V8 would take 128 MiB on a large machine, and the calls then cost as much CPU. */
const MAX_YOUNG_MIB = 6

export class HookThread implements HookPost {
  readonly #setup: HookThreadSetup
  /** Calls without an answer, by number. */
  #open = new IdMap<number, (answer: HookAnswer) => void>()
  /** Calls that the thread has not got yet. */
  readonly #batch = new CallBatch()
  #lastNumber = 0
  #worker: Worker | null = null
  #restartMs = 0
  #cancelRestart: Cancel | null = null
  #starts = 0
  #batches = 0
  #answers = 0
  #cancelWatch: Cancel | null = null
  #stopped = false

  constructor(setup: HookThreadSetup) {
    this.#setup = setup
  }

  /** Threads started and messages sent to them. */
  get work(): { readonly starts: number; readonly batches: number } {
    return { starts: this.#starts, batches: this.#batches }
  }

  post(call: HookCall): Promise<HookAnswer> {
    if (this.#stopped) return Promise.resolve({ kind: 'failed', reason: 'the gateway is stopping' })
    if (this.#batch.isEmpty) setImmediate(() => this.#pass())
    this.#lastNumber += 1
    this.#batch.add(this.#lastNumber, call)
    return new Promise((resolve) => this.#open.set(this.#lastNumber, resolve))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRestart?.()
    this.#failAll('the gateway is stopping')
    await this.#worker?.terminate()
  }

  #pass(): void {
    if (this.#batch.isEmpty || this.#cancelRestart !== null) return
    this.#worker ??= this.#start()
    this.#worker.postMessage(this.#batch.take())
    this.#batches += 1
    this.#watch()
  }

  #start(): Worker {
    const { file, worker: workerData } = this.#setup
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB }
    const worker = new Worker(file, { name: 'hooks', workerData, resourceLimits })
    this.#starts += 1
    let fault: unknown = null
    worker.on('message', (answers: FlatAnswers) => this.#answered(answers))
    worker.on('error', (error) => {
      fault = error
    })
    worker.on('exit', (code) => this.#exited(fault instanceof Error ? fault : new Error(`exited with code ${code}`)))
    return worker
  }

  #answered(answers: FlatAnswers): void {
    this.#answers += 1
    this.#restartMs = 0
    readAnswers(answers, (number, answer) => {
      this.#open.get(number)?.(answer)
      this.#open.delete(number)
    })
    if (this.#open.size === 0) this.#endWatch()
  }

  #exited(error: Error): void {
    this.#worker = null
    if (this.#stopped) return
    const { clock, log } = this.#setup
    const restartMs = this.#restartMs === 0 ? FIRST_RESTART_MS : Math.min(MAX_RESTART_MS, this.#restartMs * 2)
    this.#restartMs = restartMs
    log.error({ error, calls: this.#open.size, restartMs }, 'the thread that posts reports failed; it is started again')
    this.#cancelRestart = clock.after(restartMs, () => {
      this.#cancelRestart = null
      this.#pass()
    })
    this.#failAll('the thread that posts reports failed')
  }

  #failAll(reason: string): void {
    this.#endWatch()
    const calls = this.#open.values()
    this.#open = new IdMap()
    this.#batch.take()
    for (const answer of calls) answer({ kind: 'failed', reason })
  }

  /** Ends a thread that hangs. */
  #watch(): void {
    if (this.#cancelWatch !== null) return
    const answers = this.#answers
    this.#cancelWatch = this.#setup.clock.after(SILENT_MS, () => {
      this.#cancelWatch = null
      if (this.#answers === answers) void this.#worker?.terminate()
      else this.#watch()
    })
  }

  #endWatch(): void {
    this.#cancelWatch?.()
    this.#cancelWatch = null
  }
}
