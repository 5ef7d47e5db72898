/** The syncs of SQLite's log, which another thread asks for: awaited by number, and none counts after a failed one. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LogSync } from '../../src/stores/sqlite/engine/worker-runner.ts'

/** A thread that reports what the test sends it, and ends at null, as disk-worker.ts does. */
const REPORTS = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (message) => {
    if (message === null) parentPort.close()
    else parentPort.postMessage(message.reason)
  })`

describe('syncs of the log', () => {
  let worker: Worker
  let syncing: LogSync
  beforeEach(() => {
    worker = new Worker(REPORTS, { eval: true })
    syncing = new LogSync(worker)
  })
  afterEach(() => syncing.end())

  const end = async (reason: string | null = null) => {
    const reported = once(worker, 'message')
    worker.postMessage({ reason })
    await reported
  }

  it('are awaited by number, before they end and afterwards', async () => {
    const reached: number[] = []
    const second = syncing.reached(2).then(() => reached.push(2))
    await end()
    expect(reached).toEqual([])
    await end()
    await second
    await syncing.reached(1)
    await syncing.reached(2)
    expect(reached).toEqual([2])
  })

  it('do not count after a failed one, even if a later one succeeds', async () => {
    await end()
    const second = expect(syncing.reached(2)).rejects.toThrow('the disk has not taken the log: input/output error')
    await end('input/output error')
    await second
    await end()
    await expect(syncing.reached(3)).rejects.toThrow('input/output error')
    await expect(syncing.reached(1)).rejects.toThrow('input/output error')
  })

  it('fail when the thread ends', async () => {
    const first = expect(syncing.reached(1)).rejects.toThrow('a thread of the store has exited')
    await worker.terminate()
    await first
    await expect(syncing.reached(1)).rejects.toThrow('a thread of the store has exited')
  })
})
