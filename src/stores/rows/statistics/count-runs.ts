/**
 * Counts that are not summed up yet (message-total.ts), as the journal of a store keeps them. Most counts of a
 * transaction differ only in their account and its sender, if in anything. Such counts share a run: the cells of the
 * first, and how many each account has.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { CountRow } from './message-total.ts'

/**
 * One account after the other: its id, and how many of these counts it has. A text is the sender of the accounts behind
 * it; those before the first have the sender of the count. An account may come again.
 */
type StoredRun = readonly [count: CountRow, accounts: (number | string)[]]

/** What an account has of the counts of a run. */
type Share = readonly [accountId: AccountId, sender: string, times: number]

/** The account and the sender of the count are any of them. */
export type CountRun = readonly [count: CountRow, shares: readonly Share[]]

/** Runs of an event that a count is compared with. */
const MAX_COMPARED = 32

/** Collects the counts of a transaction. */
export class CountRuns {
  readonly #byEvent = new Map<string, RunWriter[]>()

  count(rows: readonly CountRow[], times = 1): void {
    for (const row of rows) this.#runOf(row).add(row[1], row[7], times)
  }

  /** Returns the text of the counts since the last call; null if there are none. */
  take(): string | null {
    if (this.#byEvent.size === 0) return null
    const runs = [...this.#byEvent.values()].flat().map(({ stored }) => stored)
    this.clear()
    return JSON.stringify(runs)
  }

  clear(): void {
    this.#byEvent.clear()
  }

  #runOf(row: CountRow): RunWriter {
    const runs = this.#byEvent.get(row[2])
    const end = runs?.length ?? 0
    for (let at = end - 1; at >= 0 && at >= end - MAX_COMPARED; at -= 1) {
      const run = runs?.[at]
      if (run !== undefined && isOfRun(run.stored[0], row)) return run
    }
    const run = new RunWriter(row)
    if (runs === undefined) this.#byEvent.set(row[2], [run])
    else runs.push(run)
    return run
  }
}

class RunWriter {
  readonly stored: StoredRun
  #accountId = 0
  #sender: string

  constructor(count: CountRow) {
    this.stored = [count, []]
    this.#sender = count[7]
  }

  add(accountId: AccountId, sender: string, times: number): void {
    const accounts = this.stored[1]
    if (accountId === this.#accountId && sender === this.#sender) {
      accounts.push(Number(accounts.pop()) + times)
      return
    }
    if (sender !== this.#sender) accounts.push(sender)
    accounts.push(accountId, times)
    this.#accountId = accountId
    this.#sender = sender
  }
}

/** Whether the row differs in its account and sender at most. Both have the same event. */
function isOfRun(count: CountRow, row: CountRow): boolean {
  return (
    count[5] === row[5] &&
    count[11] === row[11] &&
    count[4] === row[4] &&
    count[0] === row[0] &&
    count[3] === row[3] &&
    count[6] === row[6] &&
    count[8] === row[8] &&
    count[9] === row[9] &&
    count[10] === row[10] &&
    count[12] === row[12]
  )
}

/** The counts of a run by account. Most accounts have one sender: a map for each would take longer than all else. */
type Shares = Map<AccountId, ShareOfAccount>

interface ShareOfAccount {
  readonly sender: string
  times: number
  /** By sender; null if there are no others. */
  others: Map<string, number> | null
}

/** Returns the runs of these texts, each kind of count and each of its shares once. */
export function mergeRuns(texts: readonly string[]): readonly CountRun[] {
  const runs = new Map<string, readonly [CountRow, Shares]>()
  for (const text of texts) {
    for (const [count, accounts] of JSON.parse(text) as StoredRun[]) {
      const key = keyOf(count)
      const run = runs.get(key) ?? ([count, new Map()] as const)
      runs.set(key, run)
      addShares(run[1], count[7], accounts)
    }
  }
  return [...runs.values()].map(([count, shares]) => [count, listShares(shares)])
}

/** Of all cells but the account and the sender. */
function keyOf([slot, , event, channel, carrier, operator, country, , ...rest]: CountRow): string {
  return [slot, event, channel, carrier, operator, country, ...rest].join('\n')
}

function addShares(shares: Shares, firstSender: string, accounts: readonly (number | string)[]): void {
  let sender = firstSender
  for (let at = 0; at < accounts.length; at += 1) {
    const cell = accounts[at]
    if (typeof cell === 'string') {
      sender = cell
    } else {
      at += 1
      addShare(shares, [cell as AccountId, sender, Number(accounts[at])])
    }
  }
}

function addShare(shares: Shares, [accountId, sender, times]: Share): void {
  const known = shares.get(accountId)
  if (known === undefined) {
    shares.set(accountId, { sender, times, others: null })
  } else if (known.sender === sender) {
    known.times += times
  } else {
    known.others ??= new Map()
    known.others.set(sender, (known.others.get(sender) ?? 0) + times)
  }
}

function listShares(shares: Shares): readonly Share[] {
  const list: Share[] = []
  for (const [accountId, { sender, times, others }] of shares) {
    list.push([accountId, sender, times])
    if (others !== null) for (const [other, itsTimes] of others) list.push([accountId, other, itsTimes])
  }
  return list
}

export function writeRuns(runs: readonly CountRun[]): string {
  const stored = runs.map(([count, shares]) => {
    const writer = new RunWriter(count)
    for (const share of shares) writer.add(...share)
    return writer.stored
  })
  return JSON.stringify(stored)
}

/** Rows of all accounts that a run is added to: of its hour and its day (message-total.ts). */
const ROWS_OF_ALL = 2

function countRows(runs: readonly CountRun[]): number {
  return runs.reduce((sum, [, shares]) => sum + shares.length + ROWS_OF_ALL, 0)
}

/** Divides the runs into parts of about so many rows: ranges of accounts, so that neighbours stay together. */
export function divideRuns(runs: readonly CountRun[], size: number): readonly (readonly CountRun[])[] {
  const all = countRows(runs)
  if (all <= size) return [runs]
  const accounts = Int32Array.from(new Set(runs.flatMap(([, shares]) => shares.map(([accountId]) => accountId)))).sort()
  const perPart = Math.ceil((accounts.length * size) / all)
  const parts: CountRun[][] = []
  for (let at = 0; at < accounts.length; at += perPart) parts.push([])
  const partOf = new Map<number, number>()
  for (const [index, accountId] of accounts.entries()) partOf.set(accountId, Math.floor(index / perPart))
  for (const [count, shares] of runs) {
    for (const [part, of] of Map.groupBy(shares, ([accountId]) => partOf.get(accountId) ?? 0))
      parts[part]?.push([count, of])
  }
  return parts.flatMap((part) => [...cutRuns(part, size)])
}

/** Cuts a part that is much larger: a single account may have more. */
function* cutRuns(runs: readonly CountRun[], size: number): Generator<readonly CountRun[]> {
  const rows = countRows(runs)
  const most = Math.ceil(rows / Math.max(1, Math.round(rows / size))) + ROWS_OF_ALL
  let piece: CountRun[] = []
  let room = most
  for (const [count, shares] of runs) {
    for (let at = 0; at < shares.length; ) {
      const taken = shares.slice(at, at + Math.max(1, room - ROWS_OF_ALL))
      piece.push([count, taken])
      at += taken.length
      room -= taken.length + ROWS_OF_ALL
      if (room > 0) continue
      yield piece
      piece = []
      room = most
    }
  }
  if (piece.length > 0) yield piece
}
