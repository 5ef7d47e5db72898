/** Adds and removes opt-outs by hand. */
import Type, { type Static } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { ApprovedSenders } from '../../../domain/accounts/sender.ts'
import { forSharing, type OptOut } from '../../../domain/consent/opt-out.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { FieldRefused, readRecipientField } from '../fields/field-refused.ts'
import { ACCOUNT, nullable, OPERATORS, PAGING, pageOf, READERS, RECIPIENT, TIME, writeTime } from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'

/** Roles that handle requests of recipients. */
const HEARERS: readonly Role[] = [...OPERATORS, 'support']

const WHO = {
  phone: RECIPIENT,
  sender: Type.Optional(nullable(Type.String(), { description: 'sender name; none for all senders of the account' })),
}

const OptOutView = Type.Object({
  account: ACCOUNT,
  phone: Type.String(),
  sender: nullable(Type.String()),
  by: Type.Enum(['word', 'link', 'carrier', 'hand'], {
    description:
      '`word`: a keyword of the recipient, `keyword` in reports; `link`: an unsubscribe link; `carrier`: the carrier; `hand`: an operator',
  }),
  at: TIME,
})

export const OPT_OUT_CHANGES = {
  'change opt-outs': {
    what: 'opt-outs',
    may: HEARERS,
    accounts: ({ changes }) => changes.map(({ optOut }) => optOut.accountId),
    // Of senders that share it, the first is named: the one that was asked for.
    audit: ({ changes }) =>
      changes.slice(0, 1).map(({ kind, optOut: { accountId, sender } }) => {
        const whose = sender === null ? 'every sender' : `sender ${sender}`
        return entry(`opt-out from ${whose} of account ${accountId}`, null, { action: kind })
      }),
  },
} satisfies Changes

export const OPT_OUT_ENDPOINTS = [
  endpoint({
    name: 'listOptOuts',
    method: 'GET',
    path: '/opt-outs',
    command: 'opt-out list',
    summary: 'list opt-outs, newest first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(OptOutView),
    run: async ({ store }, { after = null, most = STANDARD_ROWS, account }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      const { rows, next } = await store.page({ of: 'opt-outs', accountId, phone: null, after, limit: most })
      return { data: rows.map(viewOptOut), next }
    },
  }),
  endpoint({
    name: 'addOptOut',
    method: 'POST',
    path: '/accounts/{account}/opt-outs',
    command: 'opt-out add',
    summary: 'opt a phone number out; the recipient cannot undo it by replying START',
    may: HEARERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: WHO,
    result: OptOutView,
    run: async ({ store, clock, live }, input) => {
      const { sharing, ...who } = await readInput(store, input)
      const optOut: OptOut = { ...who, by: 'hand', at: clock.now() }
      await store.change({ kind: 'change opt-outs', changes: forSharing({ kind: 'add', optOut }, sharing) })
      live?.operations.outbox.noteOptOuts([optOut])
      return viewOptOut(optOut)
    },
  }),
  endpoint({
    name: 'removeOptOut',
    method: 'POST',
    path: '/accounts/{account}/opt-outs/remove',
    command: 'opt-out remove',
    summary: 'remove an opt-out, also one that the recipient set',
    may: HEARERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: WHO,
    run: async ({ store, clock }, input) => {
      const { sharing, ...who } = await readInput(store, input)
      const { accountId, phone, sender } = who
      const known = await store.findOptOuts([{ accountId, phone }])
      if (!known.some((optOut) => optOut.sender === sender)) throw new ChangeRefused('there is no such opt-out')
      const optOut: OptOut = { ...who, by: 'hand', at: clock.now() }
      await store.change({ kind: 'change opt-outs', changes: forSharing({ kind: 'remove', optOut }, sharing) })
    },
  }),
  endpoint({
    name: 'findOptOuts',
    method: 'POST',
    path: '/opt-outs/find',
    command: 'opt-out find',
    summary: 'list the opt-outs of a phone number',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    body: { phone: WHO.phone, account: Type.Optional(ACCOUNT) },
    result: pageOf(OptOutView),
    run: async ({ store }, { phone, account }) => {
      const asked = readRecipientField(phone)
      const { rows, next } = await store.page({
        of: 'opt-outs',
        accountId: account === undefined ? null : toAccountId(account),
        phone: asked,
        after: null,
        limit: 1_000,
      })
      return { data: rows.map(viewOptOut), next }
    },
  }),
]

interface OptOutInput {
  readonly account: number
  readonly phone: string
  /** Sender name of the account; null or absent for all. */
  readonly sender?: string | null
}

/** Also returns the names that share opt-outs with the sender. Throws ChangeRefused. */
async function readInput(
  store: SetupStore,
  { account, phone: text, sender = null }: OptOutInput,
): Promise<Pick<OptOut, 'accountId' | 'phone' | 'sender'> & { readonly sharing: readonly string[] }> {
  const rows = await store.loadDirectory()
  const { id: accountId } = accountRow(rows, toAccountId(account))
  const phone = readRecipientField(text)
  if (sender !== null && !rows.senders.some((each) => each.accountId === accountId && each.name === sender)) {
    throw new FieldRefused('sender', `must be a sender name of account ${accountId}, or null for all`)
  }
  const own = rows.senders.filter((each) => each.accountId === accountId && each.state === 'approved')
  return { accountId, phone, sender, sharing: sender === null ? [] : new ApprovedSenders(own).sharing('sms', sender) }
}

function viewOptOut({ accountId, phone, sender, by, at }: OptOut): Static<typeof OptOutView> {
  return { account: accountId, phone, sender, by, at: writeTime(at) }
}
