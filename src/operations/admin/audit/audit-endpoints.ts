/** The audit log. */
import Type, { type Static, type TObject } from 'typebox'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { plainCell, writeCsvPieces } from '../fields/csv.ts'
import { ACCOUNT, nullable, PAGING, pageOf, readTimeField, TIME, whole, writeTime } from '../fields/shapes.ts'
import { StreamedJson, TextPieces } from '../fields/streamed-json.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { withTable } from '../rates/rate-subjects.ts'

const Entry = Type.Object({
  at: TIME,
  actor: Type.String(),
  via: Type.String(),
  action: Type.String({ description: 'name of the endpoint, such as createAccount' }),
  subject: Type.String(),
  currency: nullable(Type.String(), {
    description: 'currency of the amounts in before and after; null without amounts',
  }),
  before: Type.Unknown({ description: 'fields of this API, without secrets' }),
  after: Type.Unknown(),
})

/** The values may be of operators, such as the registrations of a sender. */
const ClientEntry = Type.Omit(Entry, ['currency', 'before', 'after'])

const TIME_FILTER = (which: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `only changes ${which}: RFC 3339, or a day in UTC` }))

const FILTERS = {
  account: Type.Optional({ ...ACCOUNT, description: 'only changes by users of this account' }),
  actor: Type.Optional(Type.String({ description: 'only changes by this user' })),
  action: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'only this action; several are separated by commas',
      examples: ['setPrice'],
    }),
  ),
  subject: Type.Optional(
    Type.String({
      description:
        'only changes of this subject, as written in the log; of a price or cost, also imports that may have changed it',
    }),
  ),
  from: TIME_FILTER('at this time or later'),
  until: TIME_FILTER('before this time'),
}
type Filters = Static<TObject<typeof FILTERS>>
/** Rows of one file. */
const FILE_ROWS = 2_000
const FILE_COLUMNS = ['at', 'actor', 'via', 'action', 'subject', 'currency', 'before', 'after'] as const
const CLIENT_COLUMNS = FILE_COLUMNS.filter((column) => column in ClientEntry.properties)

export const AUDIT_ENDPOINTS = [
  endpoint({
    name: 'listAudit',
    method: 'GET',
    path: '/audit',
    command: 'audit list',
    summary: 'list changes by operators, newest first; a page may be short although more follow',
    may: ['owner', 'auditor'],
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientEntry) },
    query: { ...PAGING, ...FILTERS },
    result: pageOf(Entry),
    columns: ['at', 'actor', 'via', 'action', 'subject', 'currency', 'before', 'after'],
    textRow: ({ before, after, currency, ...row }) => {
      return { ...row, currency, before: inText(before), after: inText(after) }
    },
    run: ({ store }, { after = null, most = STANDARD_ROWS, ...filters }) =>
      readEntries(store, filters, { after, limit: most }),
  }),
  endpoint({
    name: 'exportAudit',
    method: 'GET',
    path: '/audit/csv',
    command: 'audit export',
    summary: `export changes by operators as CSV, newest first, ${FILE_ROWS} at a time; next is null at the end`,
    may: ['owner', 'auditor'],
    clients: { may: CLIENTS, scope: 'account' },
    query: { after: PAGING.after, ...FILTERS },
    result: Type.Object({ csv: Type.String(), next: nullable(whole()) }),
    hint: ({ next }) => (next === null ? null : `More: --after ${next}`),
    run: async ({ store }, { after = null, ...filters }, actor) => {
      const columns = actor.account === null ? FILE_COLUMNS : CLIENT_COLUMNS
      const { data, next } = await readEntries(store, filters, { after, limit: FILE_ROWS })
      const cell = (value: unknown) =>
        typeof value === 'string' ? plainCell(value) : value === null ? '' : plainCell(JSON.stringify(value))
      const rows = data.map((entry) => columns.map((column) => cell(entry[column])))
      return new StreamedJson({ csv: new TextPieces(writeCsvPieces([columns, ...rows])), next })
    },
  }),
]

type EntryView = Static<typeof Entry>

/** Returns the entries, and where the next ones begin; null if no more are as old as the filters want. */
async function readEntries(
  store: Tools['store'],
  { account, actor, action, subject, from, until }: Filters,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<{ data: EntryView[]; next: number | null }> {
  const { accounts, adminUsers } = await store.loadDirectory()
  const earliest = readTimeField('from', from)
  const { rows, next } = await store.page({
    of: 'audit',
    actors: actorsOf(adminUsers, account, actor),
    subjects: subject === undefined ? null : withTable(subject),
    ...{ actions: action?.split(','), from: earliest, until: readTimeField('until', until) },
    ...{ after, limit },
  })
  const currencies = new Map(accounts.map(({ id, currency }) => [Number(id), currency]))
  const data = rows.map(({ at, action: name, subject: about, ...entry }) => {
    const currency = currencyOf(entry) ?? currencies.get(Number(ACCOUNT_IN_SUBJECT.exec(about)?.[1])) ?? null
    return { at: writeTime(at), action: name, subject: about, currency, ...entry }
  })
  return { data, next: next === null || (await isBefore(store, next, earliest)) ? null : next }
}

/** Returns whether the entries from this place on are older than a time. */
async function isBefore(store: Tools['store'], after: number, time: number | undefined): Promise<boolean> {
  if (time === undefined) return false
  const { rows } = await store.page({ of: 'audit', actors: null, subjects: null, after, limit: 1 })
  return rows.every(({ at }) => at < time)
}

interface Tools {
  readonly store: Pick<QueryStore, 'page'> & Pick<SetupStore, 'loadDirectory'>
}

/** Matches the account in subjects such as `sender Shop of account 3` and `money of account 3`. */
const ACCOUNT_IN_SUBJECT = /\baccount (\d+)\b/

/** Returns the names of the users whose changes are wanted; null for all. */
function actorsOf(users: readonly AdminUser[], account: number | undefined, actor: string | undefined) {
  const wanted = actor === undefined ? null : [actor]
  if (account === undefined) return wanted
  const names = users.filter(({ accountId }) => accountId === account).map(({ name }) => name)
  return wanted === null ? names : names.filter((name) => name === actor)
}

function currencyOf({ before, after }: { readonly before: unknown; readonly after: unknown }): string | null {
  const [currency] = [after, before].flatMap((value) => {
    const named = typeof value === 'object' && value !== null && 'currency' in value ? value.currency : null
    return typeof named === 'string' ? [named] : []
  })
  return currency ?? null
}

function inText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(inText).join(', ') || '-'
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${name.replaceAll('_', ' ')} ${inText(each)}`)
  return fields.join(', ') || '-'
}
