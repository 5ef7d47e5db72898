/** Imports a tariff from a CSV file, completely or not at all. */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { describePrice, type Price, refuseOverlap, searchPriceOverlap } from '../../../domain/money/price.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices, runInSlices } from '../../../ports/system/slices.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { WrongLines } from '../fields/wrong-lines.ts'
import { hasEnded } from './price.ts'
import { compareTariffs, keyOf, type PriceMap, type TariffDifference } from './tariff-difference.ts'
import { type ReadPrice, readTariff, type TariffScope } from './tariff-file.ts'

export interface TariffImport extends TariffScope {
  readonly csv: string
  /** Keeps prices that the file does not name. Otherwise the file is the whole tariff. */
  readonly merge: boolean
  /** Only compares. */
  readonly dryRun?: boolean
  /** Accepts a file without prices, or one that removes more than half of the prices. */
  readonly confirm?: boolean
  /** Milliseconds since 1970: a price that is still valid must not be replaced by one that ended before. */
  readonly now: number
}

export interface ImportedTariff extends TariffDifference {
  /** Number of prices in the tariff afterwards. */
  readonly prices: number
}

/** Returns what the file changes. Throws ChangeRefused, naming the lines if possible. */
export async function importTariff(store: SetupStore, input: TariffImport): Promise<ImportedTariff> {
  const { csv, merge, dryRun = false, confirm = false, now, accountId, currency } = input
  const rows = await store.loadDirectory()
  const scope = { accountId, currency }
  checkScope(rows, scope)
  const read = await readTariff(csv, scope)
  const prices = await mapPrices(read.map(({ price }) => price))
  if (prices.size < read.length) refuseTwice(read)
  const stored = await mapPrices(
    rows.prices.filter((price) => price.accountId === accountId && price.currency === currency),
  )
  await checkEnds(read, stored, now)
  if (merge) {
    await mapInSlices(stored, ([key, price]) => {
      if (!prices.has(key)) prices.set(key, price)
    })
  }
  const all = [...prices.values()]
  await checkOverlap(read, all)
  const difference = await compareTariffs(stored, prices)
  if (dryRun) return { prices: prices.size, ...difference }
  if (!confirm) refuseLoss(read.length, stored.size, difference)
  const change = { kind: 'set tariff', accountId, currency, prices: all } as const
  await store.change({ kind: 'all', revision: rows.revision, changes: [change] })
  return { prices: prices.size, ...difference }
}

function checkScope(rows: DirectoryRows, { accountId, currency }: TariffScope): void {
  checkCurrency(currency)
  if (accountId === null) return
  const { currency: own } = accountRow(rows, accountId)
  if (own !== currency) throw new ChangeRefused(`account ${accountId} pays in ${own}, not in ${currency}`)
}

/** A mistaken file, such as a part of the tariff, would stop traffic. */
function refuseLoss(read: number, stored: number, { removed }: TariffDifference): void {
  const how = 'to do it anyway, add --confirm (confirm: true)'
  if (read === 0) throw new ChangeRefused(`the file has no prices; ${how}`)
  if (removed <= stored / 2) return
  throw new ChangeRefused(
    `the file removes ${removed} of ${stored} prices; to keep prices that it does not name, add --merge ` +
      `(merge: true); ${how}`,
  )
}

async function mapPrices(prices: readonly Price[]): Promise<Map<string, Price>> {
  return new Map(await mapInSlices(prices, (price) => [keyOf(price), price] as const))
}

function refuseTwice(read: readonly ReadPrice[]): void {
  const seen = new Map<string, number>()
  const wrong = new WrongLines()
  for (const { price, line } of read) {
    const before = seen.get(keyOf(price))
    if (before === undefined) seen.set(keyOf(price), line)
    else wrong.add(`line ${line}: has the same key and start as line ${before}`)
  }
  wrong.refuse()
}

/** Ended prices may be imported as history, but must not end one that is still valid without a successor. */
async function checkEnds(read: readonly ReadPrice[], stored: PriceMap, now: number): Promise<void> {
  const ending = read.filter(({ price }) => {
    if (!hasEnded(price, now)) return false
    const before = stored.get(keyOf(price))
    return before !== undefined && !hasEnded(before, now)
  })
  if (ending.length === 0) return
  const names = await mapInSlices(read, ({ price }) => (hasEnded(price, now) ? '' : describePrice(price)))
  const continued = new Set(names)
  const wrong = ending.find(({ price }) => !continued.has(describePrice(price)))
  if (wrong === undefined) return
  throw new ChangeRefused(
    `line ${wrong.line}: until: must be later than now, because the price is still valid; to remove it, leave the line out`,
  )
}

async function checkOverlap(read: readonly ReadPrice[], prices: readonly Price[]): Promise<void> {
  const overlap = await runInSlices(searchPriceOverlap(prices))
  if (overlap === null) return
  const line = read.findLast(({ price }) => overlap.includes(price))?.line
  throw new ChangeRefused(`${line === undefined ? '' : `line ${line}: `}${refuseOverlap(...overlap)}`)
}
