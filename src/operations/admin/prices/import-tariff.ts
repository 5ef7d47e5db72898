/** Imports a tariff from a CSV file, completely or not at all. */
import { describePrice, findPriceOverlap, type Price, type PriceKey, refuseOverlap } from '../../../domain/price.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'
import { checkCurrency } from '../currency.ts'
import { hasEnded } from './price.ts'
import { type ReadPrice, readTariff, type TariffScope } from './tariff-file.ts'

export interface TariffImport extends TariffScope {
  readonly csv: string
  /** Keeps prices that the file does not name. Otherwise the file is the whole tariff. */
  readonly merge: boolean
  /** Milliseconds since 1970: a price that is still valid must not be replaced by one that ended before. */
  readonly now: number
}

/** Returns how many prices the tariff has afterwards. Throws ChangeRefused, naming the line if possible. */
export async function importTariff(store: SetupStore, { csv, merge, now, ...scope }: TariffImport): Promise<number> {
  const rows = await store.loadDirectory()
  const { accountId, currency } = scope
  checkCurrency(currency)
  if (accountId !== null) {
    const { currency: own } = accountRow(rows, accountId)
    if (own !== currency) throw new ChangeRefused(`account ${accountId} pays in ${own}, not in ${currency}`)
  }
  const read = await readTariff(csv, scope)
  const prices = new Map(read.map(({ price }) => [keyOf(price), price]))
  if (prices.size < read.length) throw new ChangeRefused(describeTwice(read))
  const stored = rows.prices.filter((price) => price.accountId === accountId && price.currency === currency)
  checkEnds(read, new Map(stored.map((price) => [keyOf(price), price])), now)
  if (merge) {
    for (const price of stored) if (!prices.has(keyOf(price))) prices.set(keyOf(price), price)
  }
  checkOverlap(read, [...prices.values()])
  await store.change({
    kind: 'all',
    revision: rows.revision,
    changes: [{ kind: 'set tariff', accountId, currency, prices: [...prices.values()] }],
  })
  return prices.size
}

function keyOf({ channel, prefix, operator, from }: PriceKey): string {
  return `${channel} ${prefix} ${operator ?? ''} ${from ?? ''}`
}

function describeTwice(read: readonly ReadPrice[]): string {
  const seen = new Map<string, number>()
  for (const { price, line } of read) {
    const before = seen.get(keyOf(price))
    if (before !== undefined) return `line ${line}: has the same key and start as line ${before}`
    seen.set(keyOf(price), line)
  }
  return 'two lines have the same key and start'
}

/** Ended prices may be imported as history, but must not end one that is still valid without a successor. */
function checkEnds(read: readonly ReadPrice[], stored: ReadonlyMap<string, Price>, now: number): void {
  const continued = new Set(read.flatMap(({ price }) => (hasEnded(price, now) ? [] : describePrice(price))))
  const wrong = read.find(({ price }) => {
    const before = stored.get(keyOf(price))
    if (before === undefined || hasEnded(before, now) || !hasEnded(price, now)) return false
    return !continued.has(describePrice(price))
  })
  if (wrong === undefined) return
  throw new ChangeRefused(
    `line ${wrong.line}: until: must be later than now, because the price is still valid; to remove it, leave the line out`,
  )
}

function checkOverlap(read: readonly ReadPrice[], prices: readonly Price[]): void {
  const overlap = findPriceOverlap(prices)
  if (overlap === null) return
  const line = read.findLast(({ price }) => overlap.includes(price))?.line
  throw new ChangeRefused(`${line === undefined ? '' : `line ${line}: `}${refuseOverlap(...overlap)}`)
}
