/** Sender names: request, approve, reject. */
import Type, { type Static } from 'typebox'
import { hasApprovedSender, type Sender } from '../../../domain/accounts/sender.ts'
import { MESSAGE_CHANNELS, SENDER_IDS } from '../../../domain/channels/channel.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, nullable, OPERATORS, PAGING, pageOf, READERS, SENDER_NAME } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { setSender } from './set-sender.ts'

const CHANNEL = Type.Enum([...MESSAGE_CHANNELS], { description: 'channel that shows the name' })
const COUNTRIES = nullable(Type.Array(Type.String()), { description: 'ISO 3166 codes; null for all countries' })
const IDS = Type.Object(
  Object.fromEntries(SENDER_IDS.map((id) => [id, Type.Optional(Type.String({ maxLength: 100 }))])),
  { additionalProperties: false, description: 'registration ids of the name at carriers' },
)

const SenderView = Type.Object({
  account: ACCOUNT,
  channel: CHANNEL,
  name: SENDER_NAME,
  state: Type.Enum(['requested', 'approved', 'rejected'], { description: 'only approved names can be used' }),
  reason: nullable(Type.String()),
  countries: COUNTRIES,
  ids: IDS,
})

/** Without the registrations at carriers. */
const ClientSender = Type.Omit(SenderView, ['ids'])

const KEY = { account: ACCOUNT, channel: CHANNEL, name: SENDER_NAME }
const DETAILS = { countries: Type.Optional(COUNTRIES), ids: Type.Optional(IDS) }

export const SENDER_ENDPOINTS = [
  endpoint({
    name: 'listSenders',
    method: 'GET',
    path: '/senders',
    command: 'sender list',
    summary: 'list sender names',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', result: pageOf(ClientSender) },
    query: {
      ...PAGING,
      account: Type.Optional(ACCOUNT),
      state: Type.Optional(SenderView.properties.state),
      search: Type.Optional(Type.String({ maxLength: 100, description: 'a part of the name, in any case' })),
    },
    result: pageOf(SenderView),
    run: async ({ store }, { account, state, search = '', ...paging }) => {
      const { senders } = await store.loadDirectory()
      const found = senders.filter(
        (sender) =>
          (account ?? sender.accountId) === sender.accountId &&
          (state ?? sender.state) === sender.state &&
          sender.name.toLowerCase().includes(search.toLowerCase()),
      )
      return takePage(found, paging, viewSender)
    },
  }),
  endpoint({
    name: 'requestSender',
    method: 'POST',
    path: '/senders/request',
    command: 'sender request',
    summary: 'request a sender name for an account; it cannot be used until approved',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account', fixed: { ids: null }, result: ClientSender },
    body: { ...KEY, ...DETAILS },
    result: SenderView,
    run: async ({ store }, { account, ...input }, actor) => {
      const accountId = toAccountId(account)
      if (actor.account !== null) await checkNotApproved(store, { ...input, accountId })
      return viewSender(await setSender(store, { ...input, accountId, state: 'requested' }))
    },
  }),
  endpoint({
    name: 'approveSender',
    method: 'POST',
    path: '/senders/approve',
    command: 'sender approve',
    summary: 'approve a sender name of an account for one channel',
    may: OPERATORS,
    body: { ...KEY, ...DETAILS },
    result: SenderView,
    run: async ({ store }, { account, ...input }) => {
      return viewSender(await setSender(store, { ...input, accountId: toAccountId(account), state: 'approved' }))
    },
  }),
  endpoint({
    name: 'rejectSender',
    method: 'POST',
    path: '/senders/reject',
    command: 'sender reject',
    summary: 'reject a sender name, or revoke its approval; messages with it are refused',
    may: OPERATORS,
    body: { ...KEY, reason: Type.String({ minLength: 1, maxLength: 500, description: 'why' }) },
    result: SenderView,
    run: async ({ store }, { account, reason, ...input }) => {
      return viewSender(
        await setSender(store, { ...input, accountId: toAccountId(account), state: 'rejected', reason }),
      )
    },
  }),
]

/** A client cannot take back an approval by asking for it again. Throws ChangeRefused. */
async function checkNotApproved(store: SetupStore, wanted: Pick<Sender, 'accountId' | 'channel' | 'name'>) {
  const { accountId, channel, name } = wanted
  const { senders } = await store.loadDirectory()
  const isApproved = hasApprovedSender(senders, { accountId, channel, name })
  if (isApproved) throw new ChangeRefused(`sender ${name} is approved already for ${channel}`)
}

function viewSender({ accountId, countries, ids, ...sender }: Sender): Static<typeof SenderView> {
  return { account: accountId, ...sender, countries: countries === null ? null : [...countries], ids: { ...ids } }
}
