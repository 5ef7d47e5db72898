/** The audit log. */
import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { MOST_STANDARD, PAGING, pageOf, TIME, writeTime } from './shapes.ts'

const Entry = Type.Object({
  at: TIME,
  actor: Type.String(),
  via: Type.String(),
  deed: Type.String(),
  subject: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
})

export const AUDIT_ENDPOINTS = [
  endpoint({
    name: 'listAudit',
    method: 'GET',
    path: '/audit',
    command: 'audit list',
    summary: 'list who changed what, the newest first',
    may: ['owner', 'auditor'],
    query: {
      ...PAGING,
      actor: Type.Optional(Type.String({ description: 'only what this user did' })),
      subject: Type.Optional(Type.String({ description: 'only what was done to this, as the log writes it' })),
    },
    result: pageOf(Entry),
    columns: ['at', 'actor', 'via', 'deed', 'subject', 'before', 'after'],
    run: async ({ store }, { after = null, most = MOST_STANDARD, actor = null, subject = null }) => {
      const { rows, next } = await store.page({ of: 'audit', actor, subject, after, most })
      return { data: rows.map((entry) => ({ ...entry, at: writeTime(entry.at) })), next }
    },
  }),
]
