/**
 * Brings the log of a database to the disk, in a thread of its own, so that the engine can commit the next batch. Each
 * message asks for one sync and gets one answer, null or the reason why it failed.
 */
import { fdatasyncSync, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

export interface DiskWorkerSetup {
  /** The log, which exists: SQLite locks it by another file, so that it may be opened and closed. */
  readonly log: string
}

const log = openSync((workerData as DiskWorkerSetup).log, 'r+')

function sync(): string | null {
  try {
    fdatasyncSync(log)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

parentPort?.on('message', () => parentPort?.postMessage(sync()))
