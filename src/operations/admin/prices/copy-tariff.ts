/** Copies the general tariff, or another account's, to an account, at a percentage. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { type Micros, NO_MONEY, toDecimal, writeDecimal } from '../../../domain/money/money.ts'
import { type Price, scalePrice } from '../../../domain/money/price.ts'
import { MAX_RATE } from '../../../domain/money/rate.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, CHANNEL, FINANCE, nullable, readAmount, whole } from '../fields/shapes.ts'
import { DRY_RUN, SIZE } from './import-tariff.ts'

/** Rows of a copied tariff that are shown. */
const MAX_SHOWN = 10

const CopiedRow = {
  channel: CHANNEL,
  prefix: Type.String(),
  operator: nullable(Type.String()),
  old_price: Type.Number({ description: 'the price copied' }),
  new_price: Type.Number({ description: 'the price of the account' }),
}

export const COPY_TARIFF = endpoint({
  name: 'copyTariff',
  method: 'POST',
  path: '/accounts/{account}/tariff-copies',
  command: 'tariff copy',
  summary: 'copy the general price list, or that of another account, to an account, scaled by percent',
  may: FINANCE,
  params: { account: ACCOUNT },
  body: {
    from: Type.Optional(whole({ minimum: 1, description: 'source account; the general prices by default' })),
    percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'percentage of each price: 110 means 10 % more',
        default: 100,
      }),
    ),
    replace: Type.Optional(Type.Boolean({ description: 'replace the prices of the account' })),
    dry_run: DRY_RUN,
    confirm: Type.Optional(Type.Boolean({ description: 'accept a percentage below 10 or above 1000' })),
  },
  result: Type.Object({
    applied: Type.Boolean(),
    prices: SIZE,
    first: Type.Array(Type.Object(CopiedRow), { description: 'the first 10 prices' }),
  }),
  run: async (
    { store },
    { account, from, percent = 100, dry_run: dryRun = false, replace = false, confirm = false },
  ) => {
    const percentMicros = readAmount('percent', percent)
    const source = from === undefined ? null : toAccountId(from)
    const copied = await copyTariff(store, {
      from: source,
      to: toAccountId(account),
      percentMicros,
      replace,
      dryRun,
      confirm,
    })
    return { applied: !dryRun, prices: copied.length, first: copied.slice(0, MAX_SHOWN).map(viewCopied) }
  },
})

export interface TariffCopy {
  /** Null copies the general tariff in the account's currency. */
  readonly from: AccountId | null
  readonly to: AccountId
  /** Millionths of a percent: 100,000,000 copies prices unchanged. */
  readonly percentMicros: Micros
  /** Without it, an account with prices of its own is refused. */
  readonly replace: boolean
  /** Only computes the prices. */
  readonly dryRun?: boolean
  /** Accepts a percentage that is probably a mistake. */
  readonly confirm?: boolean
}

/** A price, and its copy. */
export interface CopiedPrice {
  readonly price: Price
  readonly copy: Price
}

/** Percentages from 10 to 1000 need no confirmation. */
const [MIN_PERCENT, MAX_PERCENT] = [10, 1_000]
const ONE_PERCENT = 1_000_000

/**
 * Returns the prices that the account has afterwards. Copies only the other account's own prices, because general
 * prices apply to both accounts anyway. Throws ChangeRefused.
 */
export async function copyTariff(store: SetupStore, input: TariffCopy): Promise<readonly CopiedPrice[]> {
  const { from, to, percentMicros, replace, dryRun = false, confirm = false } = input
  const rows = await store.loadDirectory()
  const { currency } = accountRow(rows, to)
  if (percentMicros <= NO_MONEY)
    throw new FieldRefused('percent', 'must be greater than 0; 100 copies the prices unchanged')
  if (from === to) throw new FieldRefused('from', 'must be another account')
  if (from !== null && accountRow(rows, from).currency !== currency) {
    throw new ChangeRefused(`account ${from} pays in another currency than account ${to}, which pays in ${currency}`)
  }
  if (!replace && rows.prices.some(({ accountId }) => accountId === to)) {
    throw new ChangeRefused(`account ${to} has prices of its own: replace them with --replace (replace: true)`)
  }
  const copied = await mapInSlices(
    rows.prices.filter((price) => price.accountId === from && price.currency === currency),
    (price) => {
      const priceMicros = scalePrice(price.priceMicros, percentMicros)
      if (priceMicros !== null) return { price, copy: { ...price, accountId: to, priceMicros } }
      throw new FieldRefused('percent', `must leave every price at most ${writeDecimal(MAX_RATE)}`)
    },
  )
  if (copied.length === 0) throw new ChangeRefused('there are no prices to copy')
  if (dryRun) return copied
  if (!confirm) refuseMistake(percentMicros)
  const change = { kind: 'set tariff', accountId: to, currency, prices: copied.map(({ copy }) => copy) } as const
  await store.change({ kind: 'all', revision: rows.revision, changes: [change] })
  return copied
}

/** For example 1.1 instead of 110, which makes everything 99 % cheaper. */
function refuseMistake(percentMicros: Micros): void {
  if (percentMicros >= MIN_PERCENT * ONE_PERCENT && percentMicros <= MAX_PERCENT * ONE_PERCENT) return
  throw new FieldRefused(
    'percent',
    `must be from ${MIN_PERCENT} to ${MAX_PERCENT}, where 110 means 10 % more; to use another percentage, add ` +
      '--confirm (confirm: true)',
  )
}

function viewCopied({ price, copy }: CopiedPrice) {
  const { channel, prefix, operator, priceMicros } = price
  return {
    channel,
    prefix,
    operator,
    old_price: toDecimal(priceMicros),
    new_price: toDecimal(copy.priceMicros),
  }
}
