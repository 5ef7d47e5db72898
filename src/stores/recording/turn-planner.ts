/**
 * Decides what turns write, one after the other: whether a turn is new, stored already or stale, the new state of its
 * message, and which of its reports wait behind another one. Moves the money; the caller writes the other rows.
 */
import type { MessageId } from '../../domain/ids/message-id.ts'
import { firstNumberOf } from '../../domain/reports/client-hook.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import { reportLifetimeOf } from '../../domain/reports/report-schedule.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { Ledger } from '../rows/money/ledger.ts'
import { eventRow, type NewReportRow } from '../rows/reports/report-row.ts'
import type { EventRow, TurnOrder } from './turn-order.ts'

/** The stored state, with the changes of earlier turns. */
export interface TurnFacts {
  /**
   * Writes the new version of the message. Returns false without writing if the stored version is not the previous one.
   */
  readonly advance: (order: TurnOrder) => boolean
  /** Returns the stored message with the events of its turn of the order's version; undefined if there is none. */
  readonly find: (order: TurnOrder) => StoredTurn | undefined
  /** Returns whether a report of the message with a number from `first` on and below the other is not settled yet. */
  readonly hasPendingReport: (messageId: number, first: number, below: number) => boolean
}

export interface StoredTurn {
  /** Of the message. */
  readonly version: number
  /** Null if the stored version is older. */
  readonly journey: string | null
  readonly events: readonly EventRow[]
}

export interface PlannerTools {
  readonly facts: TurnFacts
  readonly ledger: Pick<Ledger, 'charge' | 'move'>
  readonly vault: Vault
  readonly node: number
}

/** An open message: held by a node, or waiting with node 0 until it is due. */
export type DueRow = readonly [msgId: number, node: number, channel: string, dueAt: number, tenant: number]

/** The rows that a new turn writes besides its order's own. */
export interface TurnRows {
  /** Null for a message that has ended. */
  readonly due: DueRow | null
  readonly reports: readonly NewReportRow[]
}

/** Returned to the caller of a store's `record`. */
export interface TurnOutcome {
  readonly stale: MessageId[]
  readonly queuedReports: { readonly messageId: MessageId; readonly number: number }[]
}

const NO_NUMBERS: readonly number[] = []

export class TurnPlanner {
  readonly #tools: PlannerTools

  constructor(tools: PlannerTools) {
    this.#tools = tools
  }

  /** Returns the rows of a new turn. `outcome` is that of the whole call. */
  plan(order: TurnOrder, outcome: TurnOutcome): TurnRows | 'stored' | 'stale' {
    const { facts } = this.#tools
    const messageId = order.messageId
    // A turn based on a stale turn is stale, whatever the stored version is.
    const isOnStale = outcome.stale.includes(messageId)
    const isNew = !isOnStale && facts.advance(order)
    if (!isNew && (isOnStale || !order.again || !isStored(facts.find(order), order))) {
      outcome.stale.push(messageId)
      return 'stale'
    }
    const queued = this.#queuedReports(order)
    for (const number of queued) outcome.queuedReports.push({ messageId, number })
    if (!isNew) return 'stored'
    this.#moveMoney(order)
    return { due: this.#dueRow(order), reports: this.#reportRows(order, queued) }
  }

  /**
   * Returns the numbers of reports that wait behind an unsettled one of the message to the same hook of the client.
   * Events are read in any case.
   */
  #queuedReports({ messageId, reports }: TurnOrder): readonly number[] {
    if (reports.length === 0) return NO_NUMBERS
    const numbers = reports.flatMap(([number, address]) => (isFeed(address) ? [] : [number]))
    return numbers.filter((number, index) => {
      const first = firstNumberOf(number)
      const isBehindOwn = numbers.slice(0, index).some((own) => own >= first && own < number)
      return number > first && (isBehindOwn || this.#tools.facts.hasPendingReport(messageId, first, number))
    })
  }

  #moveMoney({ messageId, accountId, at, postings }: TurnOrder): void {
    const { ledger } = this.#tools
    for (const [kind, amountMicros, ...charge] of postings) {
      if (kind === 'charge') ledger.charge(accountId, messageId, amountMicros, at, charge)
      else if (kind === 'release') ledger.move(kind, accountId, messageId, amountMicros, at)
    }
  }

  #dueRow({ messageId, dueAt, channel, tenant, held }: TurnOrder): DueRow | null {
    return dueAt === null ? null : [messageId, held ? this.#tools.node : 0, channel, dueAt, tenant]
  }

  #reportRows(order: TurnOrder, queued: readonly number[]): readonly NewReportRow[] {
    const { messageId, accountId, at, clickedCode, reports } = order
    const { vault, node } = this.#tools
    return reports.map(([number, address, body, place]) => {
      // The target of a clicked link is a text; all other report fields are in the message's row too.
      const kept = clickedCode === null ? body : vault.seal(body)
      if (isFeed(address)) return eventRow([messageId, number, accountId, address, kept, at])
      const stored = vault.addresses.seal(address)
      const isQueued = queued.includes(number)
      const isParked = place === 'parked' && !isQueued
      const dueAt = isQueued ? null : isParked ? at + reportLifetimeOf(address) : at
      const holder = place === 'held' && !isQueued ? node : 0
      return [messageId, number, accountId, stored, kept, at, holder, dueAt, Number(isParked)]
    })
  }
}

/**
 * Whether an earlier try has written the turn. The same journey alone proves nothing: two clicks, or two late receipts,
 * leave the same one. If the message has advanced since, by a later turn of the call or by another node, only the
 * turn's events remain as evidence.
 */
function isStored(stored: StoredTurn | undefined, { version, journey, events }: TurnOrder): boolean {
  if (stored === undefined || stored.version < version) return false
  const isSame = JSON.stringify(stored.events) === JSON.stringify(events)
  if (stored.version > version) return isSame && events.length > 0
  return isSame && stored.journey === journey
}
