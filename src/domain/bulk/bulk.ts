/**
 * A bulk: one send to many recipients. The client uploads lines, starts the run, and the gateway makes a message of
 * each line at the bulk's pace. Pure: the stores apply these functions inside their transactions.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { BulkId } from '../ids/message-id.ts'
import { STATUSES, type Status } from '../message/status.ts'
import { type Micros, NO_MONEY, toMicros } from '../money/money.ts'

/** `uploading` takes lines, `ready` waits for its start time. `stopped` and `finished` are final. */
export const BULK_STATES = ['uploading', 'ready', 'running', 'paused', 'stopped', 'finished'] as const
type BulkState = (typeof BULK_STATES)[number]

/** Why a bulk is paused: the client or an operator, or what its next line was refused for. */
export const PAUSE_REASONS = ['client', 'operator', 'funds', 'daily limit', 'account'] as const
type PauseReason = (typeof PAUSE_REASONS)[number]

/** Lines of one bulk, received and refused ones together. */
export const MAX_BULK_LINES = 1_000_000
/** Lines that are checked, stored and sent together. */
export const BLOCK_LINES = 200
/** Refused lines of one bulk that are stored; more are counted only. */
export const MAX_BULK_ERRORS = 10_000
/** Bulks of an account that have not ended. */
export const MAX_OPEN_BULKS = 50
/** Messages per second. */
export const MAX_PACE = 1_000
export const DEFAULT_PACE = 20
/** How long a bulk is kept after its end, its creation while it takes lines, or its pause, days. */
export const BULKS_KEPT_DAYS = 30

export const BULK_MAKERS = ['operator', 'user', 'key'] as const

/** An operator, a user of the account, or a program with a key. Each kind has names of its own. */
interface BulkMaker {
  readonly kind: (typeof BULK_MAKERS)[number]
  readonly name: string
}

export interface Bulk {
  readonly id: BulkId
  readonly accountId: AccountId
  /** Made with a test key. */
  readonly test: boolean
  readonly state: BulkState
  /** Why it is paused; null in any other state. */
  readonly reason: PauseReason | null
  /** The client's id of the bulk as a JSON token; null without one. */
  readonly clientId: string | null
  /** The send operation without `phone`, as JSON. */
  readonly message: string
  /** Target of its report; null for none. */
  readonly hook: string | null
  /** ISO 4217. */
  readonly currency: string
  /** Messages per second. */
  readonly pace: number
  readonly createdAt: number
  /** Absent of older ones. */
  readonly maker?: BulkMaker
  /** Milliseconds: when the run begins or began; null while it takes lines. */
  readonly startAt: number | null
  /** Milliseconds: since when it is paused; null in any other state. */
  readonly pausedAt: number | null
  /** Milliseconds: when its last message ended after the run; null until then. */
  readonly endedAt: number | null
  /** Lines received, refused ones included. */
  readonly lines: number
  /** Lines refused by a check, at the upload or in the run. */
  readonly refused: number
  /** Whether lines with a phone that the bulk has already, in any form, are dropped at their upload. */
  readonly skipDuplicates?: true
  /** Lines that were dropped for that. */
  readonly duplicates: number
  /** Lines whose recipient was erased before their turn. */
  readonly erased: number
  /** The most that the lines can cost, by the prices at their upload. */
  readonly estimateMicros: Micros
  /** The run has processed all lines below this one. */
  readonly nextLine: number
  /** Lines that became messages. */
  readonly accepted: number
  /** Lines whose unique id was accepted before: nothing was sent again. */
  readonly repeated: number
}

/** Messages of a bulk by their present status, and what they were charged. */
export interface BulkTotals {
  readonly statuses: Readonly<Partial<Record<Status, number>>>
  readonly chargedMicros: Micros
}

export interface BulkView extends Bulk {
  readonly totals: BulkTotals
}

/** What a turn of one message of a bulk changes in its totals. */
export interface BulkMove {
  readonly bulkId: BulkId
  readonly from: Status
  readonly to: Status
  readonly chargedMicros: Micros
}

export type NewBulk = Pick<
  Bulk,
  | 'id'
  | 'accountId'
  | 'test'
  | 'clientId'
  | 'message'
  | 'hook'
  | 'currency'
  | 'pace'
  | 'skipDuplicates'
  | 'createdAt'
  | 'maker'
>

export function newBulk(bulk: NewBulk): Bulk {
  return {
    ...bulk,
    ...{
      state: 'uploading',
      reason: null,
      startAt: null,
      pausedAt: null,
      endedAt: null,
      lines: 0,
      refused: 0,
      duplicates: 0,
      erased: 0,
    },
    estimateMicros: NO_MONEY,
    nextLine: 1,
    accepted: 0,
    repeated: 0,
  }
}

export function hasEnded({ endedAt }: Bulk): boolean {
  return endedAt !== null
}

/** Returns how many lines wait for their turn. */
export function waitingLines({ lines, refused, duplicates, erased, accepted, repeated }: Bulk): number {
  return lines - refused - duplicates - erased - accepted - repeated
}

/** Returns what the waiting lines cost: their share of the estimate, all of it before the start. */
export function waitingCost(bulk: Bulk): Micros {
  const priced = bulk.lines - bulk.refused - bulk.duplicates
  return priced <= 0 ? NO_MONEY : toMicros(Math.round(bulk.estimateMicros * (waitingLines(bulk) / priced)))
}

/** Returns how many messages have these statuses. Messages are QUEUED first, which no turn has counted. */
function messagesIn({ accepted, totals: { statuses } }: BulkView, wanted: readonly Status[]): number {
  return wanted.reduce((sum, status) => sum + countOf(status, accepted, statuses), 0)
}

function countOf(status: Status, accepted: number, statuses: BulkTotals['statuses']): number {
  return (statuses[status] ?? 0) + (status === 'QUEUED' ? accepted : 0)
}

/** Returns the number of messages by status, without those of which there are none. */
export function messagesByStatus(view: BulkView): Readonly<Partial<Record<Status, number>>> {
  const counts = STATUSES.map((status) => [status, messagesIn(view, [status])] as const)
  return Object.fromEntries(counts.filter(([, count]) => count !== 0))
}

/** Returns how many messages no carrier has yet. */
export function queuedMessages(view: BulkView): number {
  return messagesIn(view, ['QUEUED'])
}

/** Returns how many messages have not reached a final status. */
function openMessages(view: BulkView): number {
  return messagesIn(view, ['QUEUED', 'ACCEPTED'])
}

/** A command of the client, an operator, or the runner. `at`: milliseconds. */
export type BulkCommand =
  /** A past `startAt` is now, as in a send. */
  | { readonly kind: 'start'; readonly at: number; readonly startAt: number }
  /** Its start time has come: applied only if that is so. */
  | { readonly kind: 'begin'; readonly at: number }
  | { readonly kind: 'pause'; readonly at: number; readonly reason: PauseReason }
  | { readonly kind: 'stop'; readonly at: number }
  | { readonly kind: 'set pace'; readonly at: number; readonly pace: number }
  /** Nothing is left to do: applied only if that is so. */
  | { readonly kind: 'end'; readonly at: number }

const FROM: Readonly<Record<BulkCommand['kind'], readonly BulkState[]>> = {
  start: ['uploading', 'ready', 'paused'],
  begin: ['ready'],
  pause: ['ready', 'running'],
  stop: ['uploading', 'ready', 'running', 'paused'],
  'set pace': ['uploading', 'ready', 'running', 'paused'],
  end: ['running', 'stopped'],
}

/** Returns the bulk after the command; null if its state does not allow it. A repeated command changes nothing. */
export function commanded(bulk: BulkView, command: BulkCommand): Bulk | null {
  if (isDone(bulk, command)) return isLater(command) ? null : bulk
  if (!FROM[command.kind].includes(bulk.state)) return null
  switch (command.kind) {
    case 'start':
      return started(bulk, command)
    case 'begin':
      return bulk.startAt !== null && bulk.startAt > command.at ? null : { ...bulk, state: 'running' }
    case 'pause':
      // Nothing is left to pause: the bulk ends with its last message.
      return bulk.state === 'running' && bulk.nextLine > bulk.lines ? bulk : paused(bulk, command)
    case 'stop':
      return {
        ...bulk,
        state: 'stopped',
        reason: null,
        pausedAt: null,
        endedAt: openMessages(bulk) === 0 ? command.at : null,
      }
    case 'set pace':
      return { ...bulk, pace: command.pace }
    case 'end':
      return mayEnd(bulk)
        ? { ...bulk, state: bulk.state === 'stopped' ? 'stopped' : 'finished', endedAt: command.at }
        : null
  }
}

const DONE: Readonly<Record<BulkCommand['kind'], BulkState | null>> = {
  start: 'running',
  begin: 'running',
  pause: 'paused',
  stop: 'stopped',
  'set pace': null,
  end: null,
}

function isDone({ state }: Bulk, { kind }: BulkCommand): boolean {
  return DONE[kind] === state
}

/** A bulk that runs cannot start later. */
function isLater(command: BulkCommand): boolean {
  return command.kind === 'start' && command.startAt > command.at
}

function started(bulk: Bulk, { at, startAt }: Extract<BulkCommand, { kind: 'start' }>): Bulk {
  const unpaused: Bulk = { ...bulk, reason: null, pausedAt: null }
  if (startAt > at) return { ...unpaused, state: 'ready', startAt }
  const hasBegun = bulk.state === 'paused' && bulk.startAt !== null && bulk.startAt <= at
  return { ...unpaused, state: 'running', startAt: hasBegun ? bulk.startAt : at }
}

/** Returns the bulk paused at this time, milliseconds. */
export function paused(bulk: Bulk, { reason, at }: { readonly reason: PauseReason; readonly at: number }): Bulk {
  return { ...bulk, state: 'paused', reason, pausedAt: at }
}

/** Returns whether all lines are processed, or none will be any more, and every message has its final status. */
export function mayEnd(view: BulkView): boolean {
  if (view.endedAt !== null || openMessages(view) > 0) return false
  return view.state === 'stopped' || (view.state === 'running' && view.nextLine > view.lines)
}

/** Returns when the runner has to look at the bulk, milliseconds; null for never. */
export function runnerDueAt({ state, startAt, endedAt }: Bulk): number | null {
  if (endedAt !== null || state === 'uploading' || state === 'paused') return null
  return state === 'ready' ? startAt : 0
}

/** Returns the time from which on BULKS_KEPT_DAYS count, milliseconds; null while it runs or waits. */
export function keptSince({ state, createdAt, pausedAt, endedAt }: Bulk): number | null {
  return endedAt ?? (state === 'uploading' ? createdAt : pausedAt)
}
