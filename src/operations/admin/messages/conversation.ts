/** The messages between an account and one phone, sent and inbound together. The phone is in a body, never in a URL. */
import Type, { type Static } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { ListedInbound, Page } from '../../../ports/records/pages.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { readRecipientField } from '../fields/field-refused.ts'
import {
  ACCOUNT,
  MONEY,
  nullable,
  PAGING,
  pageOf,
  READERS,
  RECIPIENT,
  TEXT_READERS,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { writeClientId } from './find-messages.ts'

const Item = Type.Object({
  at: TIME,
  direction: Type.Enum(['sent', 'received']),
  message: whole({ description: 'its msg_id or inbound_id' }),
  id: nullable(Type.String(), { description: "the client's id of a sent message" }),
  channel: nullable(Type.String()),
  sender: nullable(Type.String(), { description: 'our name or number' }),
  status: nullable(Type.String(), { description: 'of a sent message' }),
  price: nullable(MONEY, { description: 'of a sent message' }),
  text: nullable(Type.String(), {
    description:
      'of an inbound message, for owners, operators and users of the account; texts of sent messages are never shown',
  }),
  content: nullable(Type.String(), { description: 'location, file or suggestion; null for a plain text' }),
  in_reply_to: nullable(whole(), { description: 'msg_id of the message that it answers' }),
})

export const CONVERSATION_ENDPOINTS = [
  endpoint({
    name: 'showConversation',
    method: 'POST',
    path: '/accounts/{account}/conversation',
    command: 'inbound conversation',
    summary: 'list the messages between an account and a phone, newest first; a page may be short although more follow',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    body: {
      phone: RECIPIENT,
      ...PAGING,
    },
    result: pageOf(Item),
    run: async ({ store }, { account, phone: text, after = null, most = STANDARD_ROWS }, { role }) => {
      const phone = readRecipientField(text)
      const { id } = accountRow(await store.loadDirectory(), toAccountId(account))
      const { items, next } = await readConversation(store, id, phone, { after, limit: most })
      return { data: items.map((item) => viewItem(item, role)), next }
    },
  }),
]

type Listed = Readonly<Record<'after', number | null>> & { readonly limit: number }

interface ConversationItem {
  readonly id: number
  readonly at: number
  readonly what: Message | ListedInbound
}

/**
 * Both kinds share their ids, which follow the time to within ten minutes: pages are cut by id, and sorted by time.
 */
async function readConversation(store: QueryStore, accountId: AccountId, phone: Phone, listed: Listed) {
  const [sent, received] = await Promise.all([
    store.page({ of: 'messages', accountId, phone, status: null, ...listed }),
    store.page({ of: 'inbound', accountId, sender: phone, ...listed }),
  ])
  const horizon = Math.max(horizonOf(sent), horizonOf(received))
  const all: readonly ConversationItem[] = [
    ...sent.rows.map((what) => ({ id: what.id, at: what.createdAt, what })),
    ...received.rows.map((what) => ({ id: what.owned?.id ?? 0, at: what.at, what })),
  ]
  const known = all.filter(({ id }) => id >= horizon).sort((a, b) => b.id - a.id)
  const items = known.slice(0, listed.limit)
  const next = known.length > listed.limit ? (items.at(-1)?.id ?? null) : horizon === 0 ? null : horizon
  return { items: items.toSorted((a, b) => b.at - a.at || b.id - a.id), next }
}

/** The id down to which all rows are known; 0 if there are no more. */
function horizonOf({ next }: Page<unknown>): number {
  return next ?? 0
}

function viewItem({ id, at, what }: ConversationItem, role: Role): Static<typeof Item> {
  const head = { at: writeTime(at), message: id }
  if (!('journey' in what)) {
    const { owned, text, recipient } = what
    return {
      ...head,
      direction: 'received',
      id: null,
      channel: owned?.channel ?? null,
      sender: recipient,
      status: null,
      price: null,
      text: TEXT_READERS.includes(role) ? text : null,
      content: owned?.content?.kind ?? null,
      in_reply_to: owned?.inReplyTo?.messageId ?? null,
    }
  }
  const { clientId, plan, journey } = what
  const step = plan[journey.step]
  return {
    ...head,
    direction: 'sent',
    id: writeClientId(clientId),
    channel: step?.channel ?? null,
    sender: step?.sender || null,
    status: journey.status,
    price: toDecimal(journey.chargedMicros),
    text: null,
    content: null,
    in_reply_to: null,
  }
}
