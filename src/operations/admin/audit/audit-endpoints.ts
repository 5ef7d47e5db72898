/** The audit log. */
import Type from 'typebox'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, nullable, PAGING, pageOf, TIME, writeTime } from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'

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

export const AUDIT_ENDPOINTS = [
  endpoint({
    name: 'listAudit',
    method: 'GET',
    path: '/audit',
    command: 'audit list',
    summary: 'list changes by operators, newest first',
    may: ['owner', 'auditor'],
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientEntry) },
    query: {
      ...PAGING,
      account: Type.Optional({ ...ACCOUNT, description: 'only changes by users of this account' }),
      actor: Type.Optional(Type.String({ description: 'only changes by this user' })),
      subject: Type.Optional(Type.String({ description: 'only changes of this subject, as written in the log' })),
    },
    result: pageOf(Entry),
    columns: ['at', 'actor', 'via', 'action', 'subject', 'currency', 'before', 'after'],
    textRow: ({ before, after, currency, ...row }) => {
      return { ...row, currency, before: inText(before), after: inText(after) }
    },
    run: async ({ store }, { after = null, most = STANDARD_ROWS, account, actor, subject = null }) => {
      const { accounts, adminUsers } = await store.loadDirectory()
      const { rows, next } = await store.page({
        of: 'audit',
        actors: actorsOf(adminUsers, account, actor),
        subjects: subject === null ? null : [subject],
        after,
        limit: most,
      })
      const currencies = new Map(accounts.map(({ id, currency }) => [Number(id), currency]))
      const data = rows.map(({ at, action, subject: about, ...entry }) => {
        const currency = currencyOf(entry) ?? currencies.get(Number(ACCOUNT_IN_SUBJECT.exec(about)?.[1])) ?? null
        return { at: writeTime(at), action, subject: about, currency, ...entry }
      })
      return { data, next }
    },
  }),
]

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
