/** Imports a tariff from a CSV file, completely or not at all. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { describePrice, isOwnedBy, PRICE_KIND, type Price } from '../../../domain/money/price.ts'
import { refuseOverlap, searchOverlap } from '../../../domain/money/rate.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices, runInSlices } from '../../../ports/system/slices.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { lossOf } from '../fields/loss-of.ts'
import { CURRENCY, FILE_NAME, FINANCE, nullable, whole } from '../fields/shapes.ts'
import { WrongLines } from '../fields/wrong-lines.ts'
import { tariffSubject } from '../rates/rate-subjects.ts'
import { isPast } from '../rates/set-rate.ts'
import { checkOwner, GROUP_ID, PRICES, priceOwnerOf } from './price.ts'
import { compareTariffs, keyOfPrice, type PriceMap, type TariffDifference } from './tariff-difference.ts'
import { type ReadPrice, readTariff, type TariffScope } from './tariff-file.ts'

export const OWN = Type.Optional(whole({ minimum: 1, description: 'only for this account' }))
export const OF_GROUP = Type.Optional(nullable(GROUP_ID, { default: null, description: 'only for this price group' }))
export const SIZE = whole({ description: 'number of prices in the tariff' })
export const DRY_RUN = Type.Optional(Type.Boolean({ description: 'change nothing, only show what would change' }))
const MAX_BYTES = 64 * 1024 * 1024

export const TARIFF_CHANGES = {
  'set tariff': {
    ...PRICES,
    audit: ({ owner, currency, prices, facts }, rows) => {
      const before = rows.prices.filter((each) => isOwnedBy(each, owner) && each.currency === currency)
      return entry(tariffSubject(owner, currency), { prices: before.length }, { prices: prices.length, ...facts })
    },
  },
} satisfies Changes

export const IMPORT_TARIFF = endpoint({
  name: 'importTariff',
  method: 'PUT',
  path: '/tariff',
  ownCommand: 'tariff import',
  summary: 'replace the prices of an account, of a price group, or the general ones, by a file, or merge it with them',
  may: FINANCE,
  body: {
    currency: CURRENCY,
    account: OWN,
    group: OF_GROUP,
    csv: Type.String({ description: 'channel,prefix,operator,from,until,price; the first line names the columns' }),
    file: FILE_NAME,
    merge: Type.Optional(Type.Boolean({ description: 'keep prices that the file does not name' })),
    dry_run: DRY_RUN,
    confirm: Type.Optional(
      Type.Boolean({ description: 'accept a file without prices, or one that removes more than half of the prices' }),
    ),
  },
  result: Type.Object({
    applied: Type.Boolean(),
    prices: SIZE,
    added: whole(),
    changed: whole(),
    removed: whole(),
    difference: Type.Array(Type.String(), { description: 'the first 20 removed, added and changed prices' }),
  }),
  maxBytes: MAX_BYTES,
  run: async ({ store, clock }, { account, group = null, merge = false, dry_run: dryRun = false, ...input }) => {
    const scope = { ...input, ...priceOwnerOf(account, group) }
    const { lines, ...counts } = await importTariff(store, { ...scope, merge, dryRun, now: clock.now() })
    return { applied: !dryRun, ...counts, difference: [...lines] }
  },
})

export interface TariffImport extends TariffScope {
  readonly csv: string
  /** Its name. */
  readonly file?: string | undefined
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
  const { csv, file, merge, dryRun = false, confirm = false, now, accountId, group, currency } = input
  const rows = await store.loadDirectory()
  const owner = { accountId, group }
  const scope = { ...owner, currency }
  checkTariffScope(rows, scope)
  const read = await readTariff(csv, scope)
  const prices = await mapPrices(read.map(({ price }) => price))
  if (prices.size < read.length) refuseTwice(read)
  const stored = await mapPrices(rows.prices.filter((price) => isOwnedBy(price, owner) && price.currency === currency))
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
  const { added, changed, removed } = difference
  const facts = { ...(file === undefined ? {} : { file }), added, changed, removed }
  const change = { kind: 'set tariff', owner, currency, prices: all, facts } as const
  await store.change({ kind: 'all', revision: rows.revision, changes: [change] })
  return { prices: prices.size, ...difference }
}

export function checkTariffScope(rows: DirectoryRows, { accountId, group, currency }: TariffScope): void {
  checkCurrency(currency)
  checkOwner(rows, { accountId, group })
  if (accountId === null) return
  const { currency: own } = accountRow(rows, accountId)
  if (own !== currency) throw new ChangeRefused(`account ${accountId} pays in ${own}, not in ${currency}`)
}

function refuseLoss(read: number, stored: number, { removed }: TariffDifference): void {
  const how = 'to do it anyway, add --confirm (confirm: true)'
  const loss = lossOf({ read, stored, removed })
  if (loss === null) return
  if (loss === 'all') throw new ChangeRefused(`the file has no prices; ${how}`)
  throw new ChangeRefused(
    `the file removes ${removed} of ${stored} prices; to keep prices that it does not name, add --merge ` +
      `(merge: true); ${how}`,
  )
}

async function mapPrices(prices: readonly Price[]): Promise<Map<string, Price>> {
  return new Map(await mapInSlices(prices, (price) => [keyOfPrice(price), price] as const))
}

function refuseTwice(read: readonly ReadPrice[]): void {
  const seen = new Map<string, number>()
  const wrong = new WrongLines()
  for (const { price, line } of read) {
    const before = seen.get(keyOfPrice(price))
    if (before === undefined) seen.set(keyOfPrice(price), line)
    else wrong.add(`line ${line}: has the same key and start as line ${before}`)
  }
  wrong.refuse()
}

/** Ended prices may be imported as history, but must not end one that is still valid without a successor. */
async function checkEnds(read: readonly ReadPrice[], stored: PriceMap, now: number): Promise<void> {
  const ending = read.filter(({ price }) => {
    if (!isPast(price, now)) return false
    const before = stored.get(keyOfPrice(price))
    return before !== undefined && !isPast(before, now)
  })
  if (ending.length === 0) return
  const names = await mapInSlices(read, ({ price }) => (isPast(price, now) ? '' : describePrice(price)))
  const continued = new Set(names)
  const wrong = ending.find(({ price }) => !continued.has(describePrice(price)))
  if (wrong === undefined) return
  throw new ChangeRefused(
    `line ${wrong.line}: until: must be later than now, because the price is still valid; to remove it, leave the line out`,
  )
}

async function checkOverlap(read: readonly ReadPrice[], prices: readonly Price[]): Promise<void> {
  const overlap = await runInSlices(searchOverlap(PRICE_KIND, prices))
  if (overlap === null) return
  const line = read.findLast(({ price }) => overlap.includes(price))?.line
  throw new ChangeRefused(`${line === undefined ? '' : `line ${line}: `}${refuseOverlap(PRICE_KIND, overlap)}`)
}
