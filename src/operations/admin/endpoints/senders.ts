/** Sender names and chat-app templates: asked for, approved, rejected; SMS texts that clients keep. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import { MESSAGE_CHANNELS } from '../../../domain/channel.ts'
import { SENDER_IDS, type Sender } from '../../../domain/sender.ts'
import { CHAT_TEMPLATE_STATUSES, type ChatTemplate } from '../../../domain/template.ts'
import { accountRow } from '../account-row.ts'
import { endpoint } from '../endpoint.ts'
import { setChatTemplate } from '../set-chat-template.ts'
import { setSender } from '../set-sender.ts'
import { ACCOUNT, listOf, nullable, OPERATORS, READERS } from './shapes.ts'

const CHANNEL = Type.Enum([...MESSAGE_CHANNELS], { description: 'where the name is shown' })
const SENDER_NAME = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'the sender name; for sms 3 to 11 characters or 3 to 15 digits',
  examples: ['Shop'],
})
const COUNTRIES = nullable(Type.Array(Type.String()), { description: 'ISO 3166 codes; null is everywhere' })
const IDS = Type.Object(
  Object.fromEntries(SENDER_IDS.map((id) => [id, Type.Optional(Type.String({ maxLength: 100 }))])),
  { additionalProperties: false, description: 'what carriers know the name by' },
)

const SenderView = Type.Object({
  account: ACCOUNT,
  channel: CHANNEL,
  name: SENDER_NAME,
  state: Type.Enum(['requested', 'approved', 'rejected']),
  reason: nullable(Type.String()),
  countries: COUNTRIES,
  ids: IDS,
})

const KEY = { account: ACCOUNT, channel: CHANNEL, name: SENDER_NAME }
const DETAILS = { countries: Type.Optional(COUNTRIES), ids: Type.Optional(IDS) }

const STATUS = Type.Enum([...CHAT_TEMPLATE_STATUSES])
const TEXT = Type.String({ minLength: 1, maxLength: 1_000, description: 'the text, with {{1}} for what changes' })
const ChatTemplateView = Type.Object({
  template_id: Type.Integer(),
  account: ACCOUNT,
  signature: SENDER_NAME,
  status: STATUS,
  carrier: nullable(Type.String(), { description: 'whose list it is in; null when it was noted by hand' }),
  template: TEXT,
})

export const SENDER_ENDPOINTS = [
  endpoint({
    name: 'listSenders',
    method: 'GET',
    path: '/senders',
    command: 'sender list',
    summary: 'list the sender names',
    may: READERS,
    query: { account: Type.Optional(ACCOUNT), state: Type.Optional(SenderView.properties.state) },
    result: listOf(SenderView),
    run: async ({ store }, { account, state }) => {
      const { senders } = await store.loadDirectory()
      const ours = senders.filter((sender) => (account ?? sender.accountId) === sender.accountId)
      return { data: ours.filter((sender) => (state ?? sender.state) === sender.state).map(viewSender) }
    },
  }),
  senderEndpoint('request', 'requested', 'ask for a sender name of an account; it sends nothing before it is approved'),
  senderEndpoint('approve', 'approved', 'let an account send under a name in one channel'),
  endpoint({
    name: 'rejectSender',
    method: 'POST',
    path: '/senders/reject',
    command: 'sender reject',
    summary: 'reject a sender name, or take one back; nothing is sent under it any more',
    may: OPERATORS,
    body: { ...KEY, reason: Type.String({ minLength: 1, maxLength: 500 }) },
    result: SenderView,
    run: async ({ store }, { account, reason, ...wish }) => {
      return viewSender(await setSender(store, { ...wish, accountId: toAccountId(account), state: 'rejected', reason }))
    },
  }),
  endpoint({
    name: 'listChatTemplates',
    method: 'GET',
    path: '/accounts/{account}/chat-templates',
    command: 'chat-template list',
    summary: 'list the chat-app templates of an account and what became of them',
    may: READERS,
    params: { account: ACCOUNT },
    result: listOf(ChatTemplateView),
    run: async ({ store }, { account }) => {
      const rows = await store.loadDirectory()
      const { id } = accountRow(rows, toAccountId(account))
      return { data: rows.chatTemplates.filter((each) => each.accountId === id).map(viewTemplate) }
    },
  }),
  endpoint({
    name: 'setChatTemplate',
    method: 'POST',
    path: '/accounts/{account}/chat-templates',
    command: 'chat-template set',
    summary: 'note a chat-app text of an account and how far the messenger is with it; new without a status',
    may: OPERATORS,
    params: { account: ACCOUNT },
    body: { signature: SENDER_NAME, template: TEXT, status: Type.Optional(STATUS) },
    result: ChatTemplateView,
    run: async ({ store }, { account, status = 'new', ...wish }) => {
      return viewTemplate(await setChatTemplate(store, { ...wish, status, accountId: toAccountId(account) }))
    },
  }),
  endpoint({
    name: 'approveChatTemplate',
    method: 'POST',
    path: '/accounts/{account}/chat-templates/approve',
    command: 'chat-template approve',
    summary: 'note that the messenger has approved a chat-app text of an account',
    may: OPERATORS,
    params: { account: ACCOUNT },
    body: { signature: SENDER_NAME, template: TEXT },
    result: ChatTemplateView,
    run: async ({ store }, { account, ...wish }) => {
      return viewTemplate(
        await setChatTemplate(store, { ...wish, status: 'approved', accountId: toAccountId(account) }),
      )
    },
  }),
]

function senderEndpoint(deed: 'request' | 'approve', state: Sender['state'], summary: string) {
  return endpoint({
    name: `${deed}Sender`,
    method: 'POST',
    path: `/senders/${deed}`,
    command: `sender ${deed}`,
    summary,
    may: OPERATORS,
    body: { ...KEY, ...DETAILS },
    result: SenderView,
    run: async ({ store }, { account, ...wish }) => {
      return viewSender(await setSender(store, { ...wish, accountId: toAccountId(account), state }))
    },
  })
}

function viewSender({ accountId, countries, ids, ...sender }: Sender): Static<typeof SenderView> {
  return { account: accountId, ...sender, countries: countries === null ? null : [...countries], ids: { ...ids } }
}

function viewTemplate({ id, accountId, carrierId, ...template }: ChatTemplate): Static<typeof ChatTemplateView> {
  return { template_id: id, account: accountId, carrier: carrierId ?? null, ...template }
}
