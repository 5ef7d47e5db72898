/** Bulks: one send to many recipients. */
import type { BulkMessage, Id } from './operation.ts'
import type { BulkCounts } from './report.ts'

export interface BulkCreateFields {
  /** Your own identifier of the bulk. It comes back with results and in the report of its end. */
  readonly id?: Id | undefined
  readonly message: BulkMessage
  /** Messages per second: 1 to 1,000, by default 20. */
  readonly pace?: number | string | undefined
  /** Drops lines whose phone, in any form, an earlier line of the bulk has. */
  readonly skip_duplicates?: boolean | undefined
}

export interface BulkNamingFields {
  /** Your own identifier of the operation, which an error brings back. */
  readonly id?: Id | undefined
  readonly bulk_id: number | string
}

export interface BulkStartFields extends BulkNamingFields {
  /** When the run begins, up to 35 days ahead; without it, now. */
  readonly start_at?: Date | string | undefined
  /** Starts although the balance does not cover the estimate; the bulk pauses when the money is used up. */
  readonly ignore_balance?: boolean | undefined
}

export interface BulkErrorsFields extends BulkNamingFields {
  /** Number of a line; the list continues after it. */
  readonly after?: number | string | undefined
  /** Maximum number of lines: 1 to 1,000, by default 100. */
  readonly limit?: number | string | undefined
}

export interface BulkListFields {
  /** `bulk_id` of a bulk; the list continues with older ones. */
  readonly after?: number | string | undefined
  /** Maximum number of bulks: 1 to 50, by default 20. */
  readonly limit?: number | string | undefined
}

export type BulkState = 'uploading' | 'ready' | 'running' | 'paused' | 'stopped' | 'finished'

/** How far a bulk has come. */
export interface Bulk extends BulkCounts {
  /** The `id` of its `bulk/create`; absent if there was none. */
  readonly id?: Id
  readonly bulk_id: number
  readonly state: BulkState
  /** Why it is paused; null in other states. */
  readonly reason: 'client' | 'operator' | 'funds' | 'daily limit' | 'account' | null
  /** Path for its lines. */
  readonly upload: string
  /** Messages per second. */
  readonly pace: number
  /** RFC 3339. */
  readonly created_at: string
  /** When the run begins or began, RFC 3339; null before the start. */
  readonly start_at: string | null
  /** When the last message had its final status, RFC 3339; null before. */
  readonly ended_at: string | null
}

/** A refused line of a bulk. */
export interface BulkError {
  /** The first line after the header is 1. */
  readonly line: number
  readonly error: string
  /** The field that the error is about; null if it is about none. */
  readonly field: string | null
}
