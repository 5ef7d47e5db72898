/** One round of background maintenance: expired rows of every bucket, messages of the node's share. */
import type { InstallationRetention } from '../../domain/accounts/retention.ts'
import { BUCKETS } from '../../domain/ids/message-id.ts'
import { sweepBulks } from '../commands/bulk/sweep-bulks.ts'
import { booksFromOf } from '../commands/money/close-months.ts'
import { sweepBuckets, sweepInstallation } from '../commands/sweeping/sweep-rows.ts'
import { bucketOfCarrier } from '../rows/cells/bucket-of-ref.ts'
import { SET_UP_BUCKET } from './cluster/node-lease.ts'
import type { Connection } from './connection/connection.ts'
import type { Read } from './connection/reader.ts'
import { findOverdue } from './inbound/record-inbound.ts'
import { dropPartitions, makePartitions } from './partitions/partitions.ts'
import type { StoreParts } from './postgres-reads.ts'
import { runOn } from './session/run-command.ts'
import { bucketsToSweep, readRules } from './sweeping/sweep-messages.ts'

/** Other commands get their turn between two slices. */
const SLICE_ROWS = 100
/** Buckets whose rows are deleted before others on the same connection, such as matched receipts, get their turn. */
const SWEPT_TOGETHER = 4
/** How often partitions are maintained. */
const HOUR_MS = 3_600_000

export class Sweeper {
  readonly #parts: Pick<StoreParts, 'lanes' | 'lease' | 'openReader' | 'vault'>
  readonly #read: Read
  /** Months before this are closed and their totals recorded. */
  #booksClosed = 0
  #partitionsKept = 0

  constructor(parts: Pick<StoreParts, 'lanes' | 'lease' | 'openReader' | 'vault'>, read: Read) {
    this.#parts = parts
    this.#read = read
  }

  async sweep(now: number, keeping: InstallationRetention): Promise<void> {
    const { vault } = this.#parts
    while (await this.#read((connection) => runOn(connection, vault, sweepInstallation(now)))) {
      // Slice by slice.
    }
    for (let first = 0; first < BUCKETS; first += SWEPT_TOGETHER) {
      const buckets = Array.from({ length: SWEPT_TOGETHER }, (_, index) => first + index)
      while (await this.#read((connection) => runOn(connection, vault, sweepBuckets(buckets, now, keeping)))) {
        // Slice by slice.
      }
      while (await this.#read((connection) => this.#sweepBulks(connection, buckets, now))) {
        // Slice by slice.
      }
    }
    await this.#joinOverdue(now)
    await this.#closeMonths(now)
    await this.#sweepMessages(now, keeping)
    await this.#keepPartitions(now, keeping)
  }

  async #sweepBulks(connection: Connection, buckets: readonly number[], now: number): Promise<boolean> {
    const { vault } = this.#parts
    return (await Promise.all(buckets.map((bucket) => runOn(connection, vault, sweepBulks(bucket, now))))).includes(
      true,
    )
  }

  async #closeMonths(now: number): Promise<void> {
    const booksFrom = booksFromOf(now)
    if (booksFrom <= this.#booksClosed) return
    while (await this.#parts.lanes.laneOf(SET_UP_BUCKET).submit(SLICE_ROWS, [SET_UP_BUCKET], 'closeMonths', now)) {
      // Slice by slice.
    }
    this.#booksClosed = booksFrom
  }

  /** Each node sweeps its share. */
  async #sweepMessages(now: number, keeping: InstallationRetention): Promise<void> {
    const { vault } = this.#parts
    const buckets = await this.#read((connection) => bucketsToSweep(connection, this.#parts.lease.share))
    let rules = await this.#read((connection) => readRules(connection, vault, keeping))
    for (const bucket of buckets) {
      const lane = this.#parts.lanes.laneOf(bucket)
      while (await lane.submit(SLICE_ROWS, [bucket], 'sweepTotals', { bucket, now })) {
        // Slice by slice.
      }
      for (;;) {
        const outcome = await lane.submit(SLICE_ROWS, [bucket], 'sweepMessages', { bucket, now, ...rules })
        if (outcome === 'done') break
        if (outcome === 'overtaken') rules = await this.#read((connection) => readRules(connection, vault, keeping))
      }
    }
  }

  async #keepPartitions(now: number, { settledKeptDays }: InstallationRetention): Promise<void> {
    const hour = Math.floor(now / HOUR_MS)
    if (hour === this.#partitionsKept) return
    const reader = this.#parts.openReader()
    try {
      await reader.read(async (connection) => {
        await makePartitions(connection, now)
        await dropPartitions(connection, now, settledKeptDays)
      })
    } finally {
      await reader.close()
    }
    this.#partitionsKept = hour
  }

  async #joinOverdue(now: number): Promise<void> {
    for (;;) {
      const overdue = await this.#read((connection) => findOverdue(connection, now, SLICE_ROWS))
      if (overdue.length === 0) return
      await this.#parts.lanes.share(
        overdue,
        ([carrierId]) => bucketOfCarrier(carrierId),
        (lane, buckets, wholes) => lane.submit(wholes.length, buckets, 'joinOverdue', wholes),
      )
    }
  }
}
