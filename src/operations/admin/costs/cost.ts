/** Costs: what carriers charge for one part of a message. Among equal routes the cheaper carrier goes first. */
import Type from 'typebox'
import { COST_KIND, type Cost, FREE_CATEGORY, isCategory } from '../../../domain/money/cost.ts'
import { writeDecimal } from '../../../domain/money/money.ts'
import { findOverlap, refuseOverlap } from '../../../domain/money/rate.ts'
import { operatorNames } from '../../../domain/numbers/operator-table.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { resource } from '../endpoint/resource.ts'
import { removeEndpoint } from '../endpoint/resource-endpoints.ts'
import { plainCell, writeCsvPieces } from '../fields/csv.ts'
import { checkCurrency } from '../fields/currency.ts'
import { AMOUNT, field, inputSchemas, readPublicFields, viewOf, viewSchemas, withDefaults } from '../fields/fields.ts'
import { checkRate, checkRateAmount } from '../fields/label.ts'
import { BOOK_READERS, CARRIER, MONEY, nullable, OPERATORS, PAGING, PREFIX, RATED_OPERATOR } from '../fields/shapes.ts'
import { StreamedJson, TextPieces } from '../fields/streamed-json.ts'
import { countryOfNumbers, filterRates, RATE_FILTERS, ratePageOf, takeRates } from '../rates/filter-rates.ts'
import { costSubject } from '../rates/rate-subjects.ts'
import { checkNotEnded, describeStart, endPreviousField, setRate, VALIDITY } from '../rates/set-rate.ts'

export const COST = resource<Cost>({
  section: 'costs',
  key: ['carrierId', 'category', 'prefix', 'operator', 'from'],
  explicit: ['prefix'],
  fields: {
    carrierId: field('carrier', CARRIER),
    category: nullable(Type.String(), {
      default: null,
      description:
        'billing category that the carrier reports, such as utility or marketing; takes precedence over a cost of ' +
        'every category',
    }),
    prefix: PREFIX,
    operator: RATED_OPERATOR,
    ...VALIDITY,
    currency: nullable(Type.String(), {
      default: null,
      description: 'ISO 4217; by default that of the installation',
      examples: ['EUR'],
    }),
    priceMicros: field('price', { ...MONEY, examples: [0.03] }, AMOUNT),
  },
  items: ({ costs }) => costs,
  check: (cost, { carriers }) => {
    const { carrierId, category, currency, priceMicros } = cost
    if (!carriers.some(({ id }) => id === carrierId)) throw new ChangeRefused(`there is no carrier ${carrierId}`)
    if (category !== null && !isCategory(category)) {
      throw new ChangeRefused('a category must be 1 to 64 letters, digits, dashes and underscores, such as utility')
    }
    if (category === FREE_CATEGORY) throw new ChangeRefused('the category free always costs 0: it cannot have a cost')
    checkRate(cost)
    if (currency !== null) checkCurrency(currency)
    checkRateAmount('a cost', priceMicros)
    return cost
  },
  checkTogether: (costs) => {
    const overlap = findOverlap(COST_KIND, costs)
    if (overlap !== null) throw new ChangeRefused(refuseOverlap(COST_KIND, overlap))
  },
  describe: (cost) => `${costSubject(cost)}${describeStart(cost)}`,
  subject: costSubject,
  set: (cost) => ({ kind: 'set cost', cost }),
  remove: (cost) => ({ kind: 'remove cost', cost }),
})

export const COSTS: ChangeRule = { what: 'costs', may: [...OPERATORS, 'finance'] }

export const COST_CHANGES = {
  'set cost': { ...COSTS, audit: ({ cost }, rows) => itemSet(COST, cost, rows) },
  'remove cost': { ...COSTS, audit: ({ cost }, rows) => itemRemoved(COST, cost, rows) },
} satisfies Changes

export const COST_ENDPOINTS = [
  endpoint({
    name: 'listCosts',
    method: 'GET',
    path: '/costs',
    command: 'cost list',
    summary: 'list carrier costs',
    may: BOOK_READERS,
    query: { ...PAGING, carrier: Type.Optional(CARRIER), ...RATE_FILTERS },
    result: ratePageOf(Type.Object(viewSchemas(COST.fields))),
    run: async (tools, { carrier, ...input }) => {
      const { costs, facts } = await costsOf(tools, carrier)
      return await takeRates(costs, input, facts, (cost) => viewOf(COST.fields, cost))
    },
  }),
  endpoint({
    name: 'exportCosts',
    method: 'GET',
    path: '/costs/csv',
    command: 'cost export',
    summary: 'export carrier costs as CSV',
    may: BOOK_READERS,
    query: { carrier: Type.Optional(CARRIER), ...RATE_FILTERS },
    result: Type.Object({ csv: Type.String() }),
    run: async (tools, { carrier, ...filters }) => {
      const { costs, facts } = await costsOf(tools, carrier)
      const found = await filterRates(costs, filters, facts)
      return new StreamedJson({ csv: new TextPieces(writeCsvPieces(writeLines(found, facts.operators))) })
    },
  }),
  endpoint({
    name: 'setCost',
    method: 'PUT',
    path: '/costs',
    command: 'cost set',
    summary:
      'set the cost of one part at a carrier; among equal routes the cheapest carrier is tried first, and charges ' +
      'record their cost',
    may: COSTS.may,
    body: { ...inputSchemas(COST.fields), end_previous: endPreviousField('cost') },
    result: Type.Object(viewSchemas(COST.fields)),
    run: async ({ store, clock }, { end_previous: endPrevious = false, ...shown }) => {
      const cost = readPublicFields(COST.fields, withDefaults(COST.fields, shown)) as Cost
      checkNotEnded('cost', cost, clock.now())
      await setRate({ resource: COST, kind: COST_KIND }, store, cost, { endPrevious })
      return viewOf(COST.fields, cost)
    },
  }),
  removeEndpoint(COST, {
    name: 'removeCost',
    path: '/costs',
    command: 'cost remove',
    summary: 'remove the cost of a carrier with exactly this category, prefix, operator and start',
    may: COSTS.may,
  }),
]

async function costsOf({ store, clock }: Pick<AdminTools, 'store' | 'clock'>, carrier: string | undefined) {
  const { costs, operators } = await store.loadDirectory()
  const namesOf = ({ carrierId, category }: Cost) => [carrierId, category]
  const ofCarrier = carrier === undefined ? costs : costs.filter(({ carrierId }) => carrierId === carrier)
  return { costs: ofCarrier, facts: { operators, now: clock.now(), namesOf } }
}

/** Heads that the import of a sheet knows. */
const HEADS = [
  ...['carrier', 'category', 'country', 'prefix', 'mccmnc', 'network', 'price', 'currency', 'from', 'until'],
] as const

function* writeLines(costs: readonly Cost[], operators: string): Iterable<readonly string[]> {
  const names = operatorNames(operators)
  yield HEADS
  for (const cost of costs) {
    const { carrierId, category, prefix, operator, priceMicros, currency, from, until } = cost
    const network = names.get(operator ?? '') ?? ''
    const [first, end] = [from, until].map((at) => (at === null ? '' : writeMoment(at)))
    yield [
      ...[plainCell(carrierId), plainCell(category ?? ''), countryOfNumbers(cost) ?? '', prefix, operator ?? ''],
      ...[plainCell(network), writeDecimal(priceMicros), currency ?? '', first ?? '', end ?? ''],
    ]
  }
}
