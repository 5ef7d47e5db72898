/** Copies a tariff to an account or a price group, at a percentage. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { type Micros, NO_MONEY, toDecimal, writeDecimal } from '../../../domain/money/money.ts'
import { describeOwner, isOwnedBy, type Price, type PriceOwner, scalePrice } from '../../../domain/money/price.ts'
import { MAX_RATE } from '../../../domain/money/rate.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { checkField, FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, CHANNEL, CURRENCY, FINANCE, nullable, readAmount, whole } from '../fields/shapes.ts'
import { DRY_RUN, SIZE } from './import-tariff.ts'
import { checkOwner, GROUP_ID, priceOwnerOf } from './price.ts'

/** Rows of a copied tariff that are shown. */
const MAX_SHOWN = 10

const CopiedRow = {
  channel: CHANNEL,
  prefix: Type.String(),
  operator: nullable(Type.String()),
  old_price: Type.Number({ description: 'the price copied' }),
  new_price: Type.Number({ description: 'the price of the account' }),
}

const COPY_BODY = {
  from: Type.Optional(whole({ minimum: 1, description: 'source account; the general prices by default' })),
  from_group: Type.Optional(
    nullable(GROUP_ID, { default: null, description: 'source price group, instead of an account' }),
  ),
  percent: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'percentage of each price: 110 means 10 % more',
      default: 100,
    }),
  ),
  replace: Type.Optional(Type.Boolean({ description: 'replace the prices of the account or group' })),
  dry_run: DRY_RUN,
  confirm: Type.Optional(Type.Boolean({ description: 'accept a percentage below 10 or above 1000' })),
}
const CopyInput = Type.Object(COPY_BODY)

const Copied = Type.Object({
  applied: Type.Boolean(),
  prices: SIZE,
  first: Type.Array(Type.Object(CopiedRow), { description: 'the first 10 prices' }),
})

export const COPY_TARIFF = endpoint({
  name: 'copyTariff',
  method: 'POST',
  path: '/accounts/{account}/tariff-copies',
  command: 'tariff copy',
  summary: 'copy the general price list, or that of another account or a price group, to an account, scaled by percent',
  may: FINANCE,
  params: { account: ACCOUNT },
  body: COPY_BODY,
  result: Copied,
  run: async ({ store }, { account, ...input }) => {
    const { currency } = accountRow(await store.loadDirectory(), toAccountId(account))
    return await runCopy(store, { to: priceOwnerOf(account), currency }, input)
  },
})

export const COPY_TO_GROUP = endpoint({
  name: 'copyTariffToGroup',
  method: 'POST',
  path: '/price-groups/{group}/tariff-copies',
  command: 'tariff copy-to-group',
  summary: 'copy the general price list, or that of an account or another price group, to a group, scaled by percent',
  may: FINANCE,
  params: { group: GROUP_ID },
  body: { currency: CURRENCY, ...COPY_BODY },
  result: Copied,
  run: async ({ store }, { group, currency, ...input }) => {
    checkCurrency(currency)
    return await runCopy(store, { to: priceOwnerOf(undefined, group), currency }, input)
  },
})

async function runCopy(
  store: SetupStore,
  { to, currency }: Pick<TariffCopy, 'to' | 'currency'>,
  input: Static<typeof CopyInput>,
): Promise<Static<typeof Copied>> {
  const {
    from,
    from_group: group = null,
    percent = 100,
    dry_run: dryRun = false,
    replace = false,
    confirm = false,
  } = input
  checkField('from_group', from === undefined || group === null, 'must not be given together with from')
  const percentMicros = readAmount('percent', percent)
  const copied = await copyTariff(store, {
    from: priceOwnerOf(from, group),
    to,
    currency,
    percentMicros,
    replace,
    dryRun,
    confirm,
  })
  return { applied: !dryRun, prices: copied.length, first: copied.slice(0, MAX_SHOWN).map(viewCopied) }
}

export interface TariffCopy {
  readonly from: PriceOwner
  readonly to: PriceOwner
  readonly currency: string
  /** Millionths of a percent: 100,000,000 copies prices unchanged. */
  readonly percentMicros: Micros
  /** Without it, a target with prices of its own is refused. */
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
 * Returns the prices that the target has afterwards. Copies only the source's own prices, because general prices apply
 * to both anyway. Throws ChangeRefused.
 */
export async function copyTariff(store: SetupStore, input: TariffCopy): Promise<readonly CopiedPrice[]> {
  const { from, to, currency, percentMicros, replace, dryRun = false, confirm = false } = input
  const rows = await store.loadDirectory()
  const target = describeOwner(to)
  if (percentMicros <= NO_MONEY)
    throw new FieldRefused('percent', 'must be greater than 0; 100 copies the prices unchanged')
  for (const owner of [from, to]) checkOwner(rows, owner)
  if (isOwnedBy(from, to)) throw new FieldRefused('from', 'must be another account or group')
  if (from.accountId !== null && accountRow(rows, from.accountId).currency !== currency) {
    throw new ChangeRefused(
      `account ${from.accountId} pays in another currency than ${target}, which pays in ${currency}`,
    )
  }
  if (!replace && rows.prices.some((price) => isOwnedBy(price, to) && price.currency === currency)) {
    throw new ChangeRefused(`${target} has prices of its own: replace them with --replace (replace: true)`)
  }
  const copied = await mapInSlices(
    rows.prices.filter((price) => isOwnedBy(price, from) && price.currency === currency),
    (price) => {
      const priceMicros = scalePrice(price.priceMicros, percentMicros)
      if (priceMicros !== null) return { price, copy: { ...price, ...to, priceMicros } }
      throw new FieldRefused('percent', `must leave every price at most ${writeDecimal(MAX_RATE)}`)
    },
  )
  if (copied.length === 0) throw new ChangeRefused('there are no prices to copy')
  if (dryRun) return copied
  if (!confirm) refuseMistake(percentMicros)
  const change = { kind: 'set tariff', owner: to, currency, prices: copied.map(({ copy }) => copy) } as const
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
