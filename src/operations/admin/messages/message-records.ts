/** Records of messages for accounting and data warehouses: one flat line each, never with texts or codes. */
import Type, { type Static } from 'typebox'
import type { Message } from '../../../domain/message/message.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, MONEY, nullable, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { ASKED, pageOfMessages, readAsked, writeClientId } from './find-messages.ts'

const Record = Type.Object({
  message: whole({ description: 'its msg_id' }),
  account: ACCOUNT,
  id: nullable(Type.String(), { description: "the client's id; numbers as digits" }),
  accepted_at: TIME,
  ended_at: nullable(TIME, { description: 'when its last status was reached; null until it has ended' }),
  phone: Type.String({ description: 'empty after `posthorn forget`' }),
  operator: nullable(Type.String(), { description: 'MCC and MNC; null if unknown' }),
  channel: nullable(Type.String(), { description: 'of the current step, or the last one' }),
  sender: nullable(Type.String()),
  carrier: nullable(Type.String()),
  status: Type.String(),
  detail: nullable(Type.String(), { description: 'why it is not delivered' }),
  parts: nullable(whole()),
  price: MONEY,
  currency: Type.String(),
  test: Type.Boolean({ description: 'sent with a test key to simulated phones' }),
})

/** Without the carrier and its words. */
const ClientRecord = Type.Omit(Record, ['carrier', 'detail'])

/** In the order of CSV. */
export const RECORD_COLUMNS = Object.keys(Record.properties)

export const RECORD_ENDPOINTS = [
  endpoint({
    name: 'listMessageRecords',
    method: 'POST',
    path: '/messages/records',
    ownCommand: 'message export',
    summary:
      'list one flat record for each message, ordered by msg_id, the highest first; a page may be short although more follow',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { carrier: null }, result: pageOf(ClientRecord) },
    body: ASKED,
    result: pageOf(Record),
    run: async ({ store }, input) => pageOfMessages(store, await readAsked(store, input), viewRecord),
  }),
]

function viewRecord(message: Message): Static<typeof Record> {
  const { id, accountId, clientId, phone, operator, plan, journey, currency, createdAt, test } = message
  const [step, state] = [plan[journey.step], journey.steps[journey.step]]
  return {
    message: id,
    account: accountId,
    id: writeClientId(clientId),
    accepted_at: writeTime(createdAt),
    ended_at: writeTime(journey.phase === 'ended' ? (state?.at ?? null) : null),
    phone,
    operator,
    channel: step?.channel ?? null,
    sender: step?.sender || null,
    carrier: state?.carrierId ?? null,
    status: journey.status,
    detail: state?.detail ?? null,
    parts: step?.parts ?? null,
    price: toDecimal(journey.chargedMicros),
    currency,
    test,
  }
}
