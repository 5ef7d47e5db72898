/** The operators of the table, by MCC and MNC: their names and prefixes, changed one by one. */
import Type from 'typebox'
import { countryOf } from '../../../domain/numbers/country.ts'
import { type OperatorPrefix, readOperators, writeOperators } from '../../../domain/numbers/operator-table.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { nullable, OPERATORS, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { faultOf, LONGEST_NAME, MAX_PREFIXES, TOO_MANY_PREFIXES } from './operators.ts'

const MCCMNC = Type.String({ maxLength: 6, description: 'MCC and MNC of the operator', examples: ['26202'] })
const NAME = Type.String({ maxLength: LONGEST_NAME, description: 'name of the operator', examples: ['Vodafone'] })
const PREFIX = Type.String({ maxLength: 16, description: 'leading digits of numbers', examples: ['49172'] })
const SEARCH = Type.Optional(
  Type.String({ maxLength: 100, description: 'a part of the name, or leading digits of MCC and MNC' }),
)
const Operator = Type.Object({
  mccmnc: MCCMNC,
  name: nullable(Type.String()),
  countries: Type.Array(Type.String(), { description: 'countries of its prefixes, ISO 3166' }),
  prefixes: whole(),
})
const Prefix = Type.Object({ prefix: PREFIX, mccmnc: MCCMNC, name: nullable(Type.String()) })

export const OPERATOR_LIST_ENDPOINTS = [
  endpoint({
    name: 'listOperators',
    method: 'GET',
    path: '/operators/list',
    command: 'operator list',
    summary: 'list the operators of the table',
    may: READERS,
    query: { ...PAGING, search: SEARCH },
    result: pageOf(Operator),
    run: async ({ store }, { search = '', ...paging }) => {
      const wanted = search.trim().toLowerCase()
      const groups = groupByOperator(readOperators((await store.loadDirectory()).operators))
      const found = groups.filter(({ operator, name }) => {
        return operator.startsWith(wanted) || name.toLowerCase().includes(wanted)
      })
      return takePage(found, paging, viewOperator)
    },
  }),
  endpoint({
    name: 'nameOperator',
    method: 'PUT',
    path: '/operators/names',
    command: 'operator name',
    summary: 'name an operator; its name is shown wherever the operator is',
    may: OPERATORS,
    body: { mccmnc: MCCMNC, name: NAME },
    result: Operator,
    run: async ({ store }, { mccmnc, name }) => {
      checkFields({ prefix: '1', operator: mccmnc, name })
      const table = await changeTable(store, (prefixes) => {
        if (prefixes.every(({ operator }) => operator !== mccmnc)) {
          throw new UnknownThing(`the table has no prefix of the operator ${mccmnc}`)
        }
        return prefixes.map((each) => (each.operator === mccmnc ? { ...each, name } : each))
      })
      return viewOperator(groupByOperator(table.filter(({ operator }) => operator === mccmnc))[0] as OperatorGroup)
    },
  }),
  endpoint({
    name: 'listOperatorPrefixes',
    method: 'GET',
    path: '/operators/prefixes',
    command: 'operator prefixes',
    summary: 'list prefixes of numbers and their operators',
    may: READERS,
    query: {
      ...PAGING,
      mccmnc: Type.Optional(MCCMNC),
      prefix: Type.Optional(Type.String({ maxLength: 16, description: 'only those that begin with these digits' })),
    },
    result: pageOf(Prefix),
    run: async ({ store }, { mccmnc, prefix: digits = '', ...paging }) => {
      const found = readOperators((await store.loadDirectory()).operators).filter(({ prefix, operator }) => {
        return (mccmnc === undefined || operator === mccmnc) && prefix.startsWith(digits)
      })
      return takePage(found, paging, viewPrefix)
    },
  }),
  endpoint({
    name: 'setOperatorPrefix',
    method: 'PUT',
    path: '/operators/prefixes',
    command: 'operator set',
    summary: 'assign a prefix of numbers to an operator',
    may: OPERATORS,
    body: { prefix: PREFIX, mccmnc: MCCMNC, name: Type.Optional(NAME) },
    result: Prefix,
    run: async ({ store }, { prefix, mccmnc, name: given }) => {
      const digits = prefix.replace(/^\+/, '')
      checkFields({ prefix: digits, operator: mccmnc, name: given ?? '' })
      const table = await changeTable(store, (prefixes) => {
        const others = prefixes.filter((each) => each.prefix !== digits)
        if (others.length >= MAX_PREFIXES) throw new ChangeRefused(TOO_MANY_PREFIXES)
        const known = prefixes.find(({ operator, name }) => operator === mccmnc && name !== '')?.name
        return [...others, { prefix: digits, operator: mccmnc, name: given ?? known ?? '' }]
      })
      return viewPrefix(table.find((each) => each.prefix === digits) as OperatorPrefix)
    },
  }),
  endpoint({
    name: 'removeOperatorPrefix',
    method: 'DELETE',
    path: '/operators/prefixes',
    command: 'operator remove',
    summary: 'remove a prefix from the table of operators',
    may: OPERATORS,
    query: { prefix: PREFIX },
    run: async ({ store }, { prefix }) => {
      await changeTable(store, (prefixes) => {
        const others = prefixes.filter((each) => each.prefix !== prefix)
        if (others.length === prefixes.length) throw new UnknownThing(`the table has no prefix ${prefix}`)
        return others
      })
    },
  }),
]

interface OperatorGroup {
  readonly operator: string
  /** The first one that is not empty. */
  name: string
  readonly prefixes: string[]
}

function viewOperator({ operator, name, prefixes }: OperatorGroup) {
  const countries = new Set(prefixes.map((prefix) => countryOf(prefix as Phone)))
  const known = [...countries].filter((country) => country !== null).sort()
  return { mccmnc: operator, name: name || null, countries: known, prefixes: prefixes.length }
}

/** Sorted by MCC and MNC. */
function groupByOperator(table: readonly OperatorPrefix[]): readonly OperatorGroup[] {
  const groups = new Map<string, OperatorGroup>()
  for (const { prefix, operator, name } of table) {
    const group = groups.get(operator) ?? { operator, name: '', prefixes: [] }
    groups.set(operator, group)
    group.prefixes.push(prefix)
    if (group.name === '') group.name = name
  }
  return [...groups.values()].sort((a, b) => (a.operator < b.operator ? -1 : 1))
}

type ChangeTable = (table: readonly OperatorPrefix[]) => readonly OperatorPrefix[]

/** Returns the changed table. The changes of others in the meantime stay. Throws ChangeRefused. */
async function changeTable(store: SetupStore, change: ChangeTable): Promise<readonly OperatorPrefix[]> {
  const { operators, revision } = await store.loadDirectory()
  const table = change(readOperators(operators))
  const set = { kind: 'set operators', operators: writeOperators(table) } as const
  await store.change({ kind: 'all', revision, changes: [set] })
  return table
}

function viewPrefix({ prefix, operator, name }: OperatorPrefix) {
  return { prefix, mccmnc: operator, name: name || null }
}

/** Throws FieldRefused. */
function checkFields(entry: OperatorPrefix): void {
  const fault = faultOf(entry)
  if (fault !== null) throw new FieldRefused(fault.what === 'operator' ? 'mccmnc' : fault.what, fault.rule)
}
