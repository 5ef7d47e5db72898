/** Imports the costs of a carrier from the sheet that it sent. */
import Type, { type Static } from 'typebox'
import { COST_KIND, type Cost, FREE_CATEGORY, isCategory } from '../../../domain/money/cost.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import type { Price } from '../../../domain/money/price.ts'
import { RateTable } from '../../../domain/money/rate.ts'
import { runInSlices, SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import { COSTS } from '../costs/cost.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { checkCurrency } from '../fields/currency.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, CARRIER, CURRENCY, nullable, whole } from '../fields/shapes.ts'
import { costsSubject } from '../rates/rate-subjects.ts'
import { planSheet, SHEET_BYTES, SHEET_INPUT, SHEET_RESULT } from './import-sheet.ts'
import { oneNumberOf } from './paid-rates.ts'

const MAX_NAMED = 10

const BELOW_COST = Type.Object({
  account: nullable(ACCOUNT, { description: 'null for a general price, and one of a group' }),
  group: nullable(Type.String(), { description: 'price group' }),
  prefix: Type.String(),
  operator: nullable(Type.String()),
  currency: Type.String(),
  price: Type.Number(),
  cost: Type.Number({ description: 'the highest new cost of its numbers' }),
  cost_prefix: Type.String(),
  cost_operator: nullable(Type.String()),
})
type BelowCost = Static<typeof BELOW_COST>

export const COST_SHEET_CHANGES = {
  'set costs': {
    ...COSTS,
    audit: ({ carrierId, costs, facts }, rows) => {
      const before = rows.costs.filter((cost) => cost.carrierId === carrierId)
      return entry(costsSubject(carrierId), { costs: before.length }, { costs: costs.length, ...facts })
    },
  },
} satisfies Changes

export const IMPORT_COSTS = endpoint({
  name: 'importCosts',
  method: 'POST',
  path: '/carriers/{carrier}/cost-sheets',
  ownCommand: 'cost import',
  summary: 'import the costs of a carrier from the sheet that it sent',
  may: COSTS.may,
  params: { carrier: CARRIER },
  body: {
    ...SHEET_INPUT,
    currency: Type.Optional(CURRENCY),
    category: Type.Optional(Type.String({ maxLength: 64, description: 'billing category of the costs' })),
  },
  result: Type.Object({
    ...SHEET_RESULT,
    below_cost: Type.Object(
      { count: whole(), first: Type.Array(BELOW_COST) },
      { description: 'prices that are lower than a new cost of their numbers, the largest loss first' },
    ),
  }),
  maxBytes: SHEET_BYTES,
  run: async ({ store, clock }, { carrier, category = null, currency, ...input }) => {
    const rows = await store.loadDirectory()
    const channel = rows.carriers.find(({ id }) => id === carrier)?.channel
    if (channel === undefined) throw new FieldRefused('carrier', `there is no carrier ${carrier}`)
    if (currency !== undefined) checkCurrency(currency)
    if (category !== null && (!isCategory(category) || category === FREE_CATEGORY)) {
      throw new FieldRefused('category', 'must be 1 to 64 letters, digits, dashes and underscores, and not free')
    }
    const ofCarrier = rows.costs.filter(({ carrierId }) => carrierId === carrier)
    const isNamed = (cost: Cost) => cost.category === category
    const plan = await planSheet(
      input,
      { now: clock.now(), operators: rows.operators, currency: currency ?? null },
      {
        kind: COST_KIND,
        stored: ofCarrier.filter(isNamed),
        wider: category === null ? [] : [ofCarrier.filter((cost) => cost.category === null)],
        make: ({ prefix, operator, priceMicros, currency: own }, from) => {
          const rate = { prefix, operator, priceMicros, from, until: null }
          return { ...rate, carrierId: carrier, category, currency: own ?? currency ?? null }
        },
      },
    )
    const prices = rows.prices.filter((price) => price.channel === channel)
    const changed = plan.changes.flatMap(({ after }) => after ?? [])
    const below = await runInSlices(findBelowCost(changed, prices, rows.operators))
    const view = { ...plan.view, below_cost: { count: below.length, first: below.slice(0, MAX_NAMED).map(viewLoss) } }
    if (input.dry_run === true) return view
    const costs = [...ofCarrier.filter((cost) => !isNamed(cost)), ...plan.rates]
    const change = { kind: 'set costs', carrierId: carrier, costs, facts: plan.facts } as const
    await store.change({ kind: 'all', revision: rows.revision, changes: [change] })
    return { ...view, applied: true }
  },
})

interface Loss {
  readonly price: Price
  /** The highest of its numbers. */
  readonly cost: Cost
}

/** Returns the prices of each owner that numbers of a cost pay and that are lower, the largest loss first. */
function* findBelowCost(costs: readonly Cost[], prices: readonly Price[], operators: string): SlicedWork<Loss[]> {
  const numbers = costs.map(oneNumberOf(operators))
  const losses = new Map<Price, Cost>()
  const owners = Map.groupBy(prices, ({ accountId, group, currency }) => `${accountId} ${group} ${currency}`)
  for (const owned of owners.values()) {
    const rates = new RateTable<Price>()
    for (const price of owned) rates.add(price)
    for (const [index, cost] of costs.entries()) {
      const number = numbers[index]
      const price = number === undefined ? null : rates.find(number, cost.from ?? 0)
      const known = price === null ? undefined : losses.get(price)
      const isHighest = known === undefined || known.priceMicros < cost.priceMicros
      if (price !== null && isBelow(price, cost) && isHighest) losses.set(price, cost)
      if (index % SLICE_ITEMS === 0) yield
    }
  }
  return [...losses].map(([price, cost]) => ({ price, cost })).sort((a, b) => lossOf(b) - lossOf(a))
}

function isBelow(price: Price, cost: Cost): boolean {
  return price.priceMicros < cost.priceMicros && (cost.currency === null || cost.currency === price.currency)
}

function lossOf({ price, cost }: Loss): number {
  return cost.priceMicros - price.priceMicros
}

function viewLoss({ price, cost }: Loss): BelowCost {
  const { accountId: account, group, prefix, operator, currency } = price
  const amounts = { price: toDecimal(price.priceMicros), cost: toDecimal(cost.priceMicros) }
  const numbers = { cost_prefix: cost.prefix, cost_operator: cost.operator }
  return { account, group, prefix, operator, currency, ...amounts, ...numbers }
}
