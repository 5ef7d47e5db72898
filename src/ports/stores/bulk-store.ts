/**
 * The store's part in bulks (domain/bulk/bulk.ts): their lines, their state, and the step that makes messages of lines.
 */
import type { Bulk, BulkCommand, BulkView, NewBulk } from '../../domain/bulk/bulk.ts'
import type { BulkLine, LineBlock, LineCause, LineError, LineRange } from '../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId } from '../../domain/ids/message-id.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { AcceptRequest, ItemOutcome } from './intake-store.ts'

export interface BulkStore {
  /** Changes one bulk in one transaction. */
  bulk<O extends BulkOrder>(order: O): Promise<BulkAnswer<O>>
  findBulk(accountId: AccountId, id: BulkId): Promise<BulkView | null>
  /** Returns bulks, the newest first. */
  listBulks(query: BulkQuery): Promise<readonly BulkView[]>
  /** Returns refused lines in the order of their numbers, at most MAX_BULK_ERRORS of a bulk. */
  bulkErrors(query: BulkErrorQuery): Promise<readonly LineError[]>
  /**
   * Returns bulks that the runner of this node looks at, those of an account together; fewer than the limit if no more
   * follow.
   */
  dueBulks(query: DueBulkQuery): Promise<readonly BulkView[]>
  /** Returns the bulks that have stored lines, in any order. */
  bulksWithLines(): Promise<readonly OfBulk[]>
  /** Returns the stored lines that follow, of one block; null if none is left. */
  readBulkLines(bulkId: BulkId, from: number): Promise<StoredLines | null>
}

export interface BulkQuery {
  /** Null for all. */
  readonly accountId: AccountId | null
  /** Only those of test keys, or only the others; both if absent. */
  readonly test?: boolean
  /** Only those that have not ended. */
  readonly isOpen?: boolean
  /** Only bulks with a smaller id; null for all. */
  readonly after: number | null
  readonly limit: number
}

export interface BulkErrorQuery {
  readonly bulkId: BulkId
  /** Only lines with a larger number. */
  readonly after: number
  readonly limit: number
}

export interface DueBulkQuery {
  /** Milliseconds. */
  readonly now: number
  /** Only bulks behind this one in the order of accounts and ids; null for all. */
  readonly after: OfBulk | null
  readonly limit: number
}

/** The rest of a block: lines without a number in between were refused, or their recipients erased. */
export interface StoredLines {
  readonly lines: readonly BulkLine[]
  /** The last line of the block. */
  readonly last: number
}

export interface OfBulk {
  readonly accountId: AccountId
  readonly bulkId: BulkId
}

/** Only for the audit log: an operator changed the bulk. */
export interface BulkNote extends OfBulk {
  readonly kind: 'note bulk'
  readonly action: 'create' | 'upload' | 'start' | 'pause' | 'set pace' | 'stop'
  readonly test: boolean
  /** Further facts. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>
}

export type BulkOrder =
  /** Answered false if the account has `maxOpen` bulks that have not ended, test and live ones apart. */
  | { readonly kind: 'create'; readonly accountId: AccountId; readonly bulk: NewBulk; readonly maxOpen: number }
  /** Answered null if the bulk takes no lines or the block does not follow its last line. */
  | (OfBulk & { readonly kind: 'add lines'; readonly block: LineBlock })
  /** Answered null if there is no such bulk or its state does not allow the command. */
  | (OfBulk & { readonly kind: 'command'; readonly command: BulkCommand })
  /** Erases the waiting lines of a phone, of a few blocks. Answered null if there is no such bulk. */
  | (OfBulk & {
      readonly kind: 'erase lines'
      readonly phone: Phone
      /** Only blocks whose last line is after this one. */
      readonly after: number
    })
  /** Only reads. Answered null if there is no such bulk, otherwise with those of the phones that no line has had. */
  | (OfBulk & { readonly kind: 'find new phones'; readonly phones: readonly Phone[] })
  | LineStep

/** Makes messages of the lines of a range, and advances the bulk by them, all or nothing. */
export interface LineStep extends OfBulk, LineRange {
  readonly kind: 'send lines'
  readonly lines: readonly CheckedLine[]
  /** Its items are those of the lines without a cause, in their order. */
  readonly request: AcceptRequest
}

/** A line that was checked for its turn. */
export interface CheckedLine {
  readonly line: number
  /** Why it is refused; null if it has an item. */
  readonly cause: LineCause | null
}

export interface ErasedLines {
  /** How many were erased. */
  readonly done: number
  /** The `after` of the next blocks; null if there are none. */
  readonly next: number | null
}

export interface SentLines {
  readonly bulk: Bulk
  /** Of the first items of the step: those after them were not processed, because the run pauses. */
  readonly outcomes: readonly ItemOutcome[]
}

/** `send lines` is answered null if the bulk does not run or has advanced: nothing was written. */
export type BulkAnswer<O extends BulkOrder> = O extends { kind: 'create' }
  ? boolean
  : O extends { kind: 'erase lines' }
    ? ErasedLines | null
    : O extends { kind: 'send lines' }
      ? SentLines | null
      : O extends { kind: 'find new phones' }
        ? readonly Phone[] | null
        : Bulk | null
