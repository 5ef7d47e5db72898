/** Imports general prices, or those of an account or a price group, from a sheet; from one of costs with a margin. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type Micros, NO_MONEY, toMicros, writeDecimal } from '../../../domain/money/money.ts'
import {
  GENERAL_PRICES,
  GroupMemberships,
  isOwnedBy,
  ownersOf,
  PRICE_KIND,
  type Price,
  type PriceOwner,
  scalePrice,
} from '../../../domain/money/price.ts'
import { MAX_RATE } from '../../../domain/money/rate.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { CHANNEL, CURRENCY, FINANCE, readAmount } from '../fields/shapes.ts'
import { checkTariffScope, OF_GROUP, OWN } from '../prices/import-tariff.ts'
import { priceOwnerOf } from '../prices/price.ts'
import { planSheet, SHEET_BYTES, SHEET_INPUT, SHEET_RESULT } from './import-sheet.ts'

export const IMPORT_PRICES = endpoint({
  name: 'importPrices',
  method: 'POST',
  path: '/price-sheets',
  ownCommand: 'price import',
  summary:
    'import general prices, or those of an account or a price group, from a sheet; from one of costs with a margin',
  may: FINANCE,
  body: {
    ...SHEET_INPUT,
    channel: CHANNEL,
    currency: CURRENCY,
    account: OWN,
    group: OF_GROUP,
    percent: Type.Optional(
      Type.Number({ description: 'percentage of each amount: 115 means 15 % more', default: 100 }),
    ),
    min_margin: Type.Optional(Type.Number({ description: 'at least so much more than the amount', default: 0 })),
  },
  result: Type.Object(SHEET_RESULT),
  maxBytes: SHEET_BYTES,
  run: async (
    { store, clock },
    { account, group = null, channel, currency, percent = 100, min_margin: margin = 0, ...input },
  ) => {
    const rows = await store.loadDirectory()
    const owner = priceOwnerOf(account, group)
    checkTariffScope(rows, { ...owner, currency })
    const priceOf = pricing(readAmount('percent', percent), readAmount('min_margin', margin))
    const owned = rows.prices.filter((price) => isOwnedBy(price, owner) && price.currency === currency)
    const isNamed = (price: Price) => price.channel === channel && price.currency === currency
    const priced = rows.prices.filter(isNamed)
    const now = clock.now()
    const plan = await planSheet(
      input,
      { now, operators: rows.operators, currency },
      {
        kind: PRICE_KIND,
        stored: owned.filter(isNamed),
        wider: widerOwners(rows, owner, now).map((each) => priced.filter((price) => isOwnedBy(price, each))),
        make: ({ prefix, operator, priceMicros }, from) => {
          const rate = { prefix, operator, from, until: null, priceMicros: priceOf(priceMicros) }
          return { ...rate, ...owner, currency, channel }
        },
      },
    )
    if (input.dry_run === true) return plan.view
    const prices = [...owned.filter((price) => !isNamed(price)), ...plan.rates]
    const change = { kind: 'set tariff', owner, currency, prices, facts: plan.facts } as const
    await store.change({ kind: 'all', revision: rows.revision, changes: [change] })
    return { ...plan.view, applied: true }
  },
})

/** Returns whose prices are paid where the owner has none, those that win first. */
function widerOwners(
  { groupMemberships }: DirectoryRows,
  { accountId, group }: PriceOwner,
  now: number,
): readonly PriceOwner[] {
  if (accountId !== null)
    return ownersOf(accountId, new GroupMemberships(groupMemberships).groupOf(accountId, now)).slice(1)
  return group === null ? [] : [GENERAL_PRICES]
}

/** Returns the price of an amount: a percentage of it, and at least so much more. */
function pricing(percentMicros: Micros, margin: Micros): (amount: Micros) => Micros {
  if (percentMicros <= NO_MONEY) throw new FieldRefused('percent', 'must be greater than 0; 100 takes the amounts')
  if (margin < NO_MONEY) throw new FieldRefused('min_margin', 'must be at least 0')
  return (amount) => {
    const price = Math.max(scalePrice(amount, percentMicros) ?? MAX_RATE + 1, amount + margin)
    if (price > MAX_RATE) throw new FieldRefused('percent', `must leave every price at most ${writeDecimal(MAX_RATE)}`)
    return toMicros(price)
  }
}
