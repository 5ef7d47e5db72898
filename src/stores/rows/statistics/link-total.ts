/**
 * Clicks by day, bulk and target (link-target.ts). Targets are stored as keyed hashes, by which rows are found,
 * and sealed. A day of an account has a limited number of rows; what exceeds it is summed up in one row without target.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import { DAY_HOURS, hourOf } from '../../../domain/statistics/message-statistics.ts'
import { type ClickCount, type LinkTotal, MAX_DAILY_TARGETS } from '../../../ports/records/short-link.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import type { CellsOf } from '../cells/cells-of.ts'
import { targetOf } from './link-target.ts'
import type { ClickedMessage } from './message-total.ts'

export const LINK_TOTAL_KEY = 'account_id, day, bulk_id, target'
/** In the order of a LinkTotalRow. */
export const LINK_TOTAL_COLUMNS =
  `${LINK_TOTAL_KEY}, address, human_clicks, bot_clicks, links, first_at, last_at` as const

/** The address is sealed, or opened. */
export type LinkTotalRow = CellsOf<'link_total', typeof LINK_TOTAL_COLUMNS, { account_id: AccountId }>

type LinkTotalKey = readonly [accountId: AccountId, day: number, bulkId: number, target: string]

/** A link as it was before these clicks. */
interface ClickedLink {
  readonly url: string
  readonly humanClicks: number
}

/** Sums up the clicks of one transaction. */
export class LinkTotals {
  /** Keyed; of any text. */
  readonly #hash: HashPhone
  readonly #rows = new Map<string, LinkTotalRow>()

  constructor(hash: HashPhone) {
    this.#hash = hash
  }

  add(
    { accountId, journey }: ClickedMessage,
    { humans, robots, at }: ClickCount,
    { url, humanClicks }: ClickedLink,
  ): void {
    const address = targetOf(url)
    const target = address === '' ? '' : this.#hash(address)
    const bulkId = address === '' ? NO_BULK : (journey.bulk ?? NO_BULK)
    const links = humans > 0 && humanClicks === 0 ? 1 : 0
    const day = Math.floor(hourOf(at) / DAY_HOURS)
    addRow(this.#rows, [accountId, day, bulkId, target, address, humans, robots, links, at, at])
  }

  get rows(): readonly LinkTotalRow[] {
    return [...this.#rows.values()]
  }

  /**
   * Returns what to add to the table, sealed.
   * @param known keys of rows that are stored already.
   * @param counts number of stored rows by account and day.
   */
  fitting(known: ReadonlySet<string>, counts: ReadonlyMap<string, number>, vault: Vault): readonly LinkTotalRow[] {
    const fitting = new Map<string, LinkTotalRow>()
    const room = new Map<string, number>()
    for (const row of this.#rows.values()) {
      const [accountId, day, , target] = row
      const of = `${accountId} ${day}`
      const left = room.get(of) ?? MAX_DAILY_TARGETS - (counts.get(of) ?? 0)
      const isNew = target !== '' && !known.has(nameOfTotal(row))
      if (isNew && left <= 0) {
        row[2] = NO_BULK
        row[3] = ''
        row[4] = ''
      } else room.set(of, isNew ? left - 1 : left)
      addRow(fitting, row)
    }
    return [...fitting.values()].map(([accountId, day, bulkId, target, address, ...sums]) => {
      return [accountId, day, bulkId, target, vault.seal(address), ...sums]
    })
  }
}

const NO_BULK = 0 as BulkId

/** Returns the name of a row's key, for a set of keys. */
export function nameOfTotal([accountId, day, bulkId, target]: LinkTotalKey | LinkTotalRow): string {
  return `${accountId} ${day} ${bulkId} ${target}`
}

function addRow(rows: Map<string, LinkTotalRow>, row: LinkTotalRow): void {
  const name = nameOfTotal(row)
  const sum = rows.get(name)
  if (sum === undefined) {
    rows.set(name, row)
    return
  }
  sum[5] += row[5]
  sum[6] += row[6]
  sum[7] += row[7]
  sum[8] = Math.min(sum[8], row[8])
  sum[9] = Math.max(sum[9], row[9])
}

/** Of a row whose address is opened. */
export function readLinkTotal(row: LinkTotalRow): LinkTotal {
  const [accountId, day, bulkId, target, address, humans, robots, links, firstAt, lastAt] = row
  return { accountId, day, bulkId: bulkId as BulkId, target, address, humans, robots, links, firstAt, lastAt }
}
