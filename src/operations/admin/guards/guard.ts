/** Guards of the installation: settings, and the deny and allow lists of numbers. */
import Type from 'typebox'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../../domain/guards/guard-settings.ts'
import type { ListedNumber } from '../../../domain/numbers/number-list.ts'
import { readUserId } from '../../../domain/numbers/phone.ts'
import { prefixDigitsOf } from '../../../domain/numbers/prefix-table.ts'
import { differenceOf, entry, itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { resource } from '../endpoint/resource.ts'
import { listEndpoint, removeEndpoint, setEndpoint } from '../endpoint/resource-endpoints.ts'
import { field, partialSchemas, readPublicFields, viewOf, viewSchemas } from '../fields/fields.ts'
import { nullable, OPERATORS, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { checkGuardSettings, checkListedNumber } from './check-guards.ts'
import { COMMON_GUARDS, QUIET_HOURS, QUIET_HOURS_OR_NULL } from './guard-fields.ts'

const Words = Type.Object({
  stop: Type.Array(Type.String(), { maxItems: 100 }),
  start: Type.Array(Type.String(), { maxItems: 100 }),
})

/** Settings that a file does not name have their defaults. */
export const GUARDS = resource<GuardSettings>({
  section: 'guards',
  key: [],
  isPartial: true,
  fields: {
    ...COMMON_GUARDS,
    quietHours: field(
      'quiet_hours',
      nullable(Type.String(), {
        description: 'such as 21:00-08:00, for accounts without their own; none for no quiet hours',
        rule: QUIET_HOURS_OR_NULL,
      }),
      QUIET_HOURS,
    ),
    pumping: field(
      'pumping',
      nullable(
        Type.Object({
          floor: whole({ minimum: 1 }),
          factor: Type.Number({ minimum: 1 }),
          stop_minutes: whole({ minimum: 0 }),
        }),
        {
          description: 'such as {"floor":100,"factor":5,"stop_minutes":60}; none to switch the alarms off',
          rule: 'must have a floor, a factor and stop_minutes, or be null',
        },
      ),
      {
        view: ({ stopMinutes, ...rule }: NonNullable<GuardSettings['pumping']>) => ({
          ...rule,
          stop_minutes: stopMinutes,
        }),
        read: ({ stop_minutes: stopMinutes, ...rule }: { readonly stop_minutes: number }) => ({ ...rule, stopMinutes }),
      },
    ),
    optOutScope: Type.Enum(['sender', 'account'], { description: 'what a keyword of a recipient opts out from' }),
    optOutLanguages: Type.Record(Type.String(), Words, {
      description: 'keywords that replace the built-in ones of a language: {"de":{"stop":["Halt"],"start":[]}}',
      rule: 'must have, by the code of a language, its lists stop and start',
    }),
  },
  items: ({ guardSettings }) => [guardSettings],
  check: (named) => {
    const settings = { ...DEFAULT_GUARD_SETTINGS, ...named }
    checkGuardSettings(settings)
    return settings
  },
  describe: () => 'guards',
  set: (settings) => ({ kind: 'set guard settings', settings }),
  remove: null,
})

export const LISTED_NUMBER = resource<ListedNumber>({
  section: 'numbers',
  key: ['list', 'digits', 'whole'],
  fields: {
    list: Type.Enum(['deny', 'allow'], { description: 'deny: never reached; allow: never stopped by traffic alarms' }),
    digits: Type.String({
      description: 'a phone number, a WhatsApp user id, or leading digits of numbers',
      examples: ['881'],
    }),
    whole: Type.Boolean({ default: false, description: 'this phone only, not all numbers that begin with the digits' }),
    note: Type.String({ default: '', description: 'why' }),
  },
  items: ({ listedNumbers }) => listedNumbers,
  check: (number) => {
    checkListedNumber(number)
    return number
  },
  describe: ({ list, digits, whole: isWhole }) => {
    const numbers = isWhole ? digits : digits === '' ? 'every number' : `${digits}…`
    return `${numbers} on the ${list} list`
  },
  // A complete number identifies its owner, and audit entries are never deleted.
  subject: ({ list, digits, whole: isWhole }) =>
    `${list} list: ${isWhole ? 'a phone' : `numbers that begin with ${digits.slice(0, 8)}`}`,
  audited: ({ note }) => ({ note }),
  set: (number) => ({ kind: 'list number', number }),
  remove: (number) => ({ kind: 'unlist number', number }),
})

export const GUARD_RULE: ChangeRule = { what: 'guards', may: OPERATORS }

export const GUARD_CHANGES = {
  'set guard settings': {
    ...GUARD_RULE,
    audit: ({ settings }, { guardSettings }) =>
      entry('guards', ...differenceOf(viewOf(GUARDS.fields, guardSettings), viewOf(GUARDS.fields, settings))),
  },
  'list number': { ...GUARD_RULE, audit: ({ number }, rows) => itemSet(LISTED_NUMBER, number, rows) },
  'unlist number': { ...GUARD_RULE, audit: ({ number }, rows) => itemRemoved(LISTED_NUMBER, number, rows) },
} satisfies Changes

/** Digits and user ids find the entries that begin with them, and those that apply to them as a recipient. */
function listedBy(search: string): (number: ListedNumber) => boolean {
  const digits = /^[\d\s()+./-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  const text = (digits || search).toLowerCase()
  const applying = prefixDigitsOf(readUserId(search) ?? digits)
  return ({ digits: listed, whole: isWhole, note }) => {
    if (listed.toLowerCase().startsWith(text) || (!isWhole && applying.startsWith(listed))) return true
    return digits === '' && note.toLowerCase().includes(text)
  }
}

const Settings = Type.Object(viewSchemas(GUARDS.fields))

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
    run: async ({ store }) => viewOf(GUARDS.fields, (await store.loadDirectory()).guardSettings),
  }),
  endpoint({
    name: 'changeGuards',
    method: 'PATCH',
    path: '/guards',
    command: 'guard set',
    summary: 'change the limits and quiet hours of the installation; others stay unchanged',
    may: OPERATORS,
    body: partialSchemas(GUARDS.fields),
    result: Settings,
    entity: ({ guardSettings }) => guardSettings,
    run: async ({ store }, shown) => {
      const settings = { ...(await store.loadDirectory()).guardSettings, ...readPublicFields(GUARDS.fields, shown) }
      checkGuardSettings(settings)
      await store.change(GUARDS.set(settings))
      return viewOf(GUARDS.fields, settings)
    },
  }),
  listEndpoint(LISTED_NUMBER, {
    name: 'listNumbers',
    path: '/guards/numbers',
    command: 'number list',
    summary: 'list denied and allowed numbers',
    may: READERS,
  }),
  endpoint({
    name: 'findNumbers',
    // Phone numbers must not appear in URLs.
    method: 'POST',
    path: '/guards/numbers/search',
    command: 'number find',
    summary: 'find denied and allowed numbers by digits, by a phone that they apply to, or by their note',
    may: READERS,
    body: {
      ...PAGING,
      list: Type.Optional(LISTED_NUMBER.fields.list.schema),
      search: Type.Optional(
        Type.String({
          maxLength: 140,
          description: 'a phone or user id, what entries begin with, or a part of their note',
        }),
      ),
    },
    result: pageOf(Type.Object(viewSchemas(LISTED_NUMBER.fields))),
    run: async ({ store }, { list, search = '', ...paging }) => {
      const isWanted = listedBy(search.trim())
      const found = (await store.loadDirectory()).listedNumbers.filter((number) => {
        return (list === undefined || number.list === list) && isWanted(number)
      })
      return takePage(found, paging, (number) => viewOf(LISTED_NUMBER.fields, number))
    },
  }),
  setEndpoint(LISTED_NUMBER, {
    name: 'listNumber',
    method: 'POST',
    path: '/guards/numbers',
    command: 'number add',
    summary: 'deny or allow a phone number or a prefix',
    may: OPERATORS,
  }),
  removeEndpoint(LISTED_NUMBER, {
    name: 'unlistNumber',
    // Phone numbers must not appear in URLs.
    method: 'POST',
    path: '/guards/numbers/remove',
    command: 'number remove',
    summary: 'remove a number from its list',
    may: OPERATORS,
  }),
]
