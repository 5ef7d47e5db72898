/** What messages are searched by, and a page of those that match. */
import Type, { type Static, type TObject } from 'typebox'
import { CHANNELS } from '../../../domain/channels/channel.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import { STATUSES } from '../../../domain/message/status.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { accountRow } from '../fields/account-row.ts'
import { readRecipientField } from '../fields/field-refused.ts'
import { ACCOUNT, PAGING, RECIPIENT, readTimeField, whole } from '../fields/shapes.ts'
import { type ListPage, STANDARD_ROWS } from '../fields/take-page.ts'

export const WHICH = {
  account: Type.Optional(ACCOUNT),
  status: Type.Optional(Type.Enum([...STATUSES], { description: 'as in reports' })),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "the client's id" })),
  sender: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'sender name of any step' })),
  carrier: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'carrier of any attempt' })),
  channel: Type.Optional(
    Type.Enum([...CHANNELS], { description: 'of the current step, or of the last one of an ended message' }),
  ),
  bulk: Type.Optional(whole({ minimum: 1, description: 'the bulk whose lines they were' })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'accepted at this time or later, RFC 3339' })),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'accepted before this time, RFC 3339' })),
}

/** In a body, because URLs are logged. */
export const ASKED = {
  phone: Type.Optional(RECIPIENT),
  ...PAGING,
  ...WHICH,
}

type Asked = Static<TObject<typeof ASKED>>
type Search = Omit<Asked, 'phone'> & { readonly phone: Phone | null }

/** Throws AdminProblem for a wrong phone or an unknown account. */
export async function readAsked(store: SetupStore, { phone, ...input }: Asked): Promise<Search> {
  const read = phone === undefined ? null : readRecipientField(phone)
  if (input.account !== undefined) accountRow(await store.loadDirectory(), toAccountId(input.account))
  return { ...input, phone: read }
}

/** Returns the messages that match, ordered by their ids, the highest first. */
export async function pageOfMessages<View>(
  store: QueryStore,
  { phone, ...input }: Search,
  view: (message: Message) => View,
): Promise<ListPage<View>> {
  const accountId = input.account === undefined ? null : toAccountId(input.account)
  const { most: limit = STANDARD_ROWS } = input
  const match = {
    // A token in either form: digits match a number and a text.
    clientId: input.id === undefined ? null : JSON.stringify(input.id),
    sender: input.sender ?? null,
    carrierId: input.carrier ?? null,
    channel: input.channel ?? null,
    bulk: (input.bulk as BulkId | undefined) ?? null,
    from: readTimeField('from', input.from) ?? null,
    until: readTimeField('until', input.until) ?? null,
  }
  const conditions = { accountId, phone, status: input.status ?? null, match }
  const { rows, next } = await store.page({ of: 'messages', ...conditions, after: input.after ?? null, limit })
  return { data: rows.map(view), next }
}

/** Returns the client's token, a text without its quotes. */
export function writeClientId(token: string | null): string | null {
  return token?.startsWith('"') ? String(JSON.parse(token)) : token
}
