/** The store's part in delivery: claimed and queued messages, recorded turns, receipts, inbound messages. */
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { Traffic, TrafficCount } from '../../domain/guards/traffic.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Turn } from '../../domain/journey/turn.ts'
import type { Message } from '../../domain/message/message.ts'
import type { CarrierReceipt, InboundArrival, InboundKey, KeptInboundKey, SettledKey } from '../carriers/carrier.ts'
import type { EarlyReceipt, ReceiptAddress, ReceiptCopy } from '../carriers/receipt-address.ts'
import type { BlockedQueue, DueClaim, DueClaimed, QueueOrder } from '../records/due-claim.ts'

export interface DeliveryStore {
  /**
   * Writes turns, each whole: journey, timeline, postings, reports, refs. A turn is refused as stale, alone, unless the
   * stored version is the one before it. A turn that was tried `again` counts as written if it is already stored.
   */
  record(turns: readonly RecordedTurn[]): Promise<RecordOutcome>
  /**
   * Finds the messages that receipts belong to, in the order asked. Returns null for a receipt whose ref is unknown: it
   * is parked, on disk, until a turn brings the ref (then `record` returns it) or PARKED_FOR_MS have passed. A receipt
   * that was returned for one message is never returned for another one.
   */
  matchReceipts(receipts: readonly ReceiptCopy[], now: number): Promise<readonly (ReceiptAddress | null)[]>
  /** As `matchReceipts`, but parks nothing. */
  findAddresses(receipts: readonly CarrierReceipt[]): Promise<readonly (ReceiptAddress | null)[]>
  /**
   * Stores inbound messages, after applying `settled`. Ignores an arrival whose key is stored and not settled since. A
   * part waits until its message is complete, at most INBOUND_PARTS_KEPT_MS; then `sweep` stores the parts that came.
   */
  recordInbound(arrivals: readonly InboundArrival[], settled: readonly SettledKey[]): Promise<void>
  /** Returns the stored ones of these keys, each with the time until which it is stored. */
  keptInboundKeys(keys: readonly InboundKey[]): Promise<readonly KeptInboundKey[]>
  /**
   * Claims up to `limit` open messages that are due by `now` or were held by a dead node, and up to `limit` from queues
   * that this node can serve, fairly by tenant. Returns again the receipts that `record` returned to a dead node and
   * that it may not have recorded.
   */
  claimDue(claim: DueClaim): Promise<DueClaimed>
  /** Returns held messages, unchanged, to wait for their due time: for a node that is full or stops. */
  release(ids: readonly MessageId[]): Promise<void>
  /**
   * Puts messages that this node holds into queues (due-claim.ts). Returns the ids of those that were skipped because
   * they have changed since or are not held by this node.
   */
  enqueue(orders: readonly QueueOrder[]): Promise<readonly MessageId[]>
  /** Returns blocked queues that this node looks after, in a fixed order, and where the next call goes on. */
  blockedQueues(after: string): Promise<{ readonly queues: readonly BlockedQueue[]; readonly next: string | null }>
  /** Moves at most `limit` messages of a blocked queue to the queue of its channel. Returns how many. */
  unblock(queue: BlockedQueue, limit: number): Promise<number>
  loadMessages(ids: readonly MessageId[]): Promise<readonly Message[]>
  /** Returns all opt-outs of these recipients from these accounts, in any order. */
  findOptOuts(recipients: readonly Pick<OptOut, 'accountId' | 'phone'>[]): Promise<readonly OptOut[]>
  /**
   * Adds to the traffic counts of prefixes and returns the traffic of each, in that order. Deletes long unused
   * prefixes.
   */
  countTraffic(counts: readonly TrafficCount[]): Promise<readonly Traffic[]>
}

/** How long a receipt waits for its ref, milliseconds. Carriers answer a submission within seconds. */
export const PARKED_FOR_MS = 3_600_000

/**
 * `held`: this node has the report in memory and sends it. `due`: it waits in the store, and any node may claim it.
 * `parked`: it waits in the store for `claimReportsOf`, due only at its end (report-schedule.ts).
 */
export type ReportPlace = 'held' | 'due' | 'parked'

export interface RecordedTurn {
  readonly turn: Turn
  /**
   * An earlier call with this turn has failed, and may have been written. Absent for a turn that is new to the store:
   * what looks like it there was decided by another node.
   */
  readonly again?: true
  /**
   * True: this node keeps the message in memory for its next attempt. False: it waits in the store for its due time.
   */
  readonly held: boolean
  /** This node did not hold the message. If another node holds it, it stays there, whatever `held` says. */
  readonly fromOtherNode?: boolean
  /** True: this node has all new reports in memory and sends them. False: they wait in the store, or see `places`. */
  readonly reportsHeld: boolean
  /** Where each new report is, in their order; absent if all are where `reportsHeld` says. */
  readonly places?: readonly ReportPlace[]
  /** The code of the short link of a `clicked` turn. */
  readonly clickedCode: string | null
}

export interface RecordOutcome {
  /** The message of each refused turn, once per turn. Of a message, the refused turns are the last ones of the call. */
  readonly stale: readonly MessageId[]
  /** Written, and still held by another node (`fromOtherNode`). */
  readonly elsewhere: readonly MessageId[]
  /** Receipts that arrived before the refs of these turns. */
  readonly earlyReceipts: readonly EarlyReceipt[]
  /** New reports behind an unsettled one of the same message: not to be sent yet, whatever `reportsHeld` said. */
  readonly queuedReports: readonly { readonly messageId: MessageId; readonly number: number }[]
}
