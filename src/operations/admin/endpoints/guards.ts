/** Guards of the whole installation: settings, and lists of numbers that are never or always written to. */
import Type, { type Static } from 'typebox'
import type { ListedNumber } from '../../../domain/number-list.ts'
import { changeGuards, listNumber, unlistNumber } from '../change-guards.ts'
import { endpoint } from '../endpoint.ts'
import { takePage } from '../take-page.ts'
import { GUARD_SETTINGS, readGuardSettings, viewGuardSettings } from './guard-shapes.ts'
import { OPERATORS, PAGING, pageOf, READERS } from './shapes.ts'

const Settings = Type.Object(GUARD_SETTINGS)

const NUMBER = {
  list: Type.Enum(['deny', 'allow'], { description: 'deny filters; allow is never stopped for its traffic' }),
  digits: Type.String({ description: 'a phone number, or what numbers begin with', examples: ['881'] }),
  whole: Type.Boolean({ description: 'this phone alone, not every number that begins so' }),
}

const Listed = Type.Object({ ...NUMBER, note: Type.String() })

export const GUARD_ENDPOINTS = [
  endpoint({
    name: 'showGuards',
    method: 'GET',
    path: '/guards',
    command: 'guard show',
    summary: 'show the limits and quiet hours of the installation',
    may: READERS,
    result: Settings,
    entity: ({ guardSettings }) => guardSettings,
    run: async ({ store }) => viewGuardSettings((await store.loadDirectory()).guardSettings),
  }),
  endpoint({
    name: 'changeGuards',
    method: 'PATCH',
    path: '/guards',
    command: 'guard set',
    summary: 'change the limits and quiet hours of the installation; others stay unchanged',
    may: OPERATORS,
    body: Type.Partial(Settings).properties,
    result: Settings,
    entity: ({ guardSettings }) => guardSettings,
    run: async ({ store }, fields) => viewGuardSettings(await changeGuards(store, readGuardSettings(fields))),
  }),
  endpoint({
    name: 'listNumbers',
    method: 'GET',
    path: '/guards/numbers',
    command: 'number list',
    summary: 'list denied and allowed numbers',
    may: READERS,
    query: PAGING,
    result: pageOf(Listed),
    run: async ({ store }, paging) => takePage((await store.loadDirectory()).listedNumbers, paging, viewNumber),
  }),
  endpoint({
    name: 'listNumber',
    method: 'POST',
    path: '/guards/numbers',
    command: 'number add',
    summary: 'deny or allow a phone number or a prefix',
    may: OPERATORS,
    body: { ...NUMBER, note: Type.Optional(Type.String({ description: 'why' })) },
    result: Listed,
    run: async ({ store }, { note = '', ...number }) => {
      await listNumber(store, { ...number, note })
      return { ...number, note }
    },
  }),
  endpoint({
    name: 'unlistNumber',
    method: 'POST',
    // Not in the path: phone numbers do not belong into addresses.
    path: '/guards/numbers/remove',
    command: 'number remove',
    summary: 'remove a number from its list',
    may: OPERATORS,
    body: NUMBER,
    run: async ({ store }, number) => {
      await unlistNumber(store, number)
      return undefined
    },
  }),
]

function viewNumber({ list, digits, whole, note }: ListedNumber): Static<typeof Listed> {
  return { list, digits, whole, note }
}
