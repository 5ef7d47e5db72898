/**
 * Finds the files of `src` whose functions a process executes for one request, for bench/files-of-request.ts: preloaded
 * with `--import` into every thread, it counts calls by V8's coverage. The main thread stops counting when it writes an
 * answer to a socket, the other threads right after. The answer does not wait for delivery, which begins after it here.
 */
import { Session } from 'node:inspector'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** What the parent process may ask. */
export type FilesQuestion = 'begin to count files' | 'end to count files'

/** What a thread other than the main thread has executed since it was asked before. */
interface Taken {
  readonly thread: number
  readonly files: readonly string[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TAKE = 'take'
const ANSWER_START = 'HTTP/1.1 200'
/** The other threads have answered by then. */
const TAKING_MS = 100

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Returns the files executed since the last call. */
function takeFiles(): readonly string[] {
  const files: string[] = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error
    for (const { url, functions } of coverage.result) {
      const path = url.replace('file://', '').replace(ROOT, '')
      const isExecuted = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))
      if (path.startsWith('src/') && isExecuted) files.push(path)
    }
  })
  return files
}

/** Threads come and go while an installation is set up, so those that answer are counted. */
async function collectFrom(others: BroadcastChannel): Promise<void> {
  const files = new Set<string>()
  const threads = new Set([threadId])
  let isCounting = false
  const take = async () => {
    for (const file of takeFiles()) files.add(file)
    others.postMessage(TAKE)
    await pause(TAKING_MS)
  }
  others.onmessage = (event: MessageEvent) => {
    const { thread, files: executed } = event.data as Taken
    threads.add(thread)
    for (const file of executed) files.add(file)
  }
  let delivery: (() => void)[] = []
  // Of no use to the other threads.
  const { Pump } = await import('../src/delivery/intake/pump.ts')
  const takeMessages = Pump.prototype.take
  Pump.prototype.take = function (this: typeof Pump.prototype, ...args) {
    if (isCounting) delivery.push(() => takeMessages.apply(this, args))
    else takeMessages.apply(this, args)
  }
  const write = Socket.prototype.write as (this: Socket, ...args: unknown[]) => boolean
  Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
    if (isCounting && String(args[0]).startsWith(ANSWER_START)) {
      isCounting = false
      void take()
      for (const begin of delivery) begin()
      delivery = []
    }
    return write.apply(this, args)
  } as never
  process.on('message', async (question: FilesQuestion) => {
    if (question === 'end to count files') process.send?.([...files])
    if (question !== 'begin to count files') return
    await take()
    files.clear()
    isCounting = true
    process.send?.(threads.size)
  })
}

/** Messages of the other threads arrive too. */
function answerTo(main: BroadcastChannel): void {
  main.onmessage = (event: MessageEvent) => {
    if (event.data !== TAKE) return
    main.postMessage({ thread: threadId, files: takeFiles() } satisfies Taken)
  }
}

const channel = new BroadcastChannel('posthorn executed files')
if (isMainThread) await collectFrom(channel)
else answerTo(channel)
channel.unref()
