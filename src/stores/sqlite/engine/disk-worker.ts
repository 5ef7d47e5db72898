/**
 * Works on the files of a database in a thread of its own, so that the engine can commit the next batch: one thread
 * brings the log to the disk, another copies it to the database file (a checkpoint). Each message, of the main thread
 * or the engine's, asks for one run; the main thread gets one answer, null or the reason why it failed. Null as a
 * message ends the thread.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

export interface DiskWorkerSetup {
  /** The database, whose log exists. */
  readonly file: string
  readonly task: 'sync' | 'checkpoint'
  /** The engine asks for runs at the other end. */
  readonly requests?: MessagePort
}

interface Task {
  run(): void
  close(): void
}

/** SQLite locks the database and the shared memory, never the log, so that its descriptor may be closed. */
function syncLog(file: string): Task {
  const log = openSync(`${file}-wal`, 'r+')
  return { run: () => fdatasyncSync(log), close: () => closeSync(log) }
}

/** Copies what no reader still needs to be in the log; waits for none, and syncs log and database itself. */
function copyLog(file: string): Task {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = FULL')
  return { run: () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'), close: () => database.close() }
}

const { file, task, requests } = workerData as DiskWorkerSetup
const { run, close } = task === 'sync' ? syncLog(file) : copyLog(file)

function answer(): string | null {
  try {
    run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function take(message: 'run' | null): void {
  if (message !== null) {
    parentPort?.postMessage(answer())
  } else {
    close()
    requests?.close()
    parentPort?.close()
  }
}

parentPort?.on('message', take)
requests?.on('message', take)
