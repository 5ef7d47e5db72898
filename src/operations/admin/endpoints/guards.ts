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
    summary: 'show what guards the whole installation',
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
    summary: 'change what guards the whole installation; what is not named stays',
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
    summary: 'list the numbers that are denied or allowed',
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
    summary: 'deny or allow a phone, or every number that begins so',
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
    summary: 'take a number off its list',
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
