/**
 * A record of the store's files without strace: they are read after each commit, and what has changed counts as written
 * since the last one, in the order in which SQLite writes: the header of the log, the log, then the database, each
 * synced. That a commit was synced is taken for granted here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEntry } from './read-trace.ts'

const DATABASE = 'posthorn.db'
const WRITE_AHEAD_LOG = 'posthorn.db-wal'
const HEADER_BYTES = 32
const SECTOR_BYTES = 512

export class FileSampler {
  readonly entries: LogEntry[] = []
  readonly #folder: string
  readonly #before = new Map<string, Buffer>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** To be called after each commit. */
  sample(): void {
    this.#create(DATABASE)
    if (this.#exists(WRITE_AHEAD_LOG)) {
      this.#create(WRITE_AHEAD_LOG)
      this.#write(WRITE_AHEAD_LOG, HEADER_BYTES)
      this.#write(WRITE_AHEAD_LOG)
    }
    this.#write(DATABASE)
    if (!this.#exists(WRITE_AHEAD_LOG) && this.#before.delete(WRITE_AHEAD_LOG)) {
      this.entries.push({ kind: 'remove', file: WRITE_AHEAD_LOG })
    }
  }

  #exists(file: string): boolean {
    return existsSync(join(this.#folder, file))
  }

  #create(file: string): void {
    if (this.#before.has(file)) return
    this.#before.set(file, Buffer.alloc(0))
    this.entries.push({ kind: 'create', file }, { kind: 'sync folder' })
  }

  /** The changed sectors of the file, or of its first `length` bytes. */
  #write(file: string, length = Number.POSITIVE_INFINITY): void {
    const before = this.#before.get(file) ?? Buffer.alloc(0)
    const now = readFileSync(join(this.#folder, file))
    const end = Math.min(now.length, length)
    const count = this.entries.length
    for (let at = 0; at < end; at += SECTOR_BYTES) {
      const bytes = now.subarray(at, Math.min(end, at + SECTOR_BYTES))
      if (!bytes.equals(before.subarray(at, at + bytes.length))) this.entries.push({ kind: 'write', file, at, bytes })
    }
    if (now.length < before.length) this.entries.push({ kind: 'truncate', file, size: now.length })
    if (this.entries.length > count) this.entries.push({ kind: 'sync', file, thread: 'the only one' })
    this.#before.set(file, end < now.length ? Buffer.concat([now.subarray(0, end), before.subarray(end)]) : now)
  }
}
