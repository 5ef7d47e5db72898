/**
 * Messages: find and trace. Results never contain texts or codes. Phone numbers are sent in bodies, because URLs are
 * logged.
 */
import Type, { type Static } from 'typebox'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { addressFor } from '../endpoint/hook-address.ts'
import { OWN_MESSAGE } from '../endpoint/own-message.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { ACCOUNT, MONEY, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { ASKED, pageOfMessages, readAsked, WHICH, writeClientId } from './find-messages.ts'
import { type MessageTrace, traceMessage } from './trace-message.ts'
import { WAITS_BECAUSE, waitsBecause } from './waiting-for.ts'

const MESSAGE = whole({ minimum: 64, description: 'its msg_id' })

const Summary = Type.Object({
  message: MESSAGE,
  account: ACCOUNT,
  id: nullable(Type.String(), { description: "the client's id; numbers as digits" }),
  phone: Type.String({ description: 'empty after `posthorn forget`' }),
  status: Type.String(),
  phase: Type.String(),
  channel: nullable(Type.String()),
  price: MONEY,
  currency: Type.String(),
  accepted_at: TIME,
  test: Type.Boolean({ description: 'sent with a test key to simulated phones' }),
})

const Trace = Type.Object({
  ...Summary.properties,
  hook: nullable(Type.String()),
  held: MONEY,
  due_at: nullable(TIME),
  waits_because: WAITS_BECAUSE,
  steps: Type.Array(
    Type.Object({
      channel: Type.String(),
      sender: Type.String(),
      from: nullable(Type.String(), { description: 'the member of the pool that it was last sent from' }),
      parts: whole(),
      price: MONEY,
      lifetime_seconds: whole(),
      status: nullable(Type.String()),
      carrier: nullable(Type.String()),
      detail: nullable(Type.String()),
    }),
  ),
  timeline: Type.Array(
    Type.Object({
      at: TIME,
      component: Type.String({
        description: 'client, operator (a test of a carrier), carrier, journey, money, report or link',
      }),
      event: Type.String(),
      channel: nullable(Type.String()),
      carrier: nullable(Type.String()),
      detail: Type.String(),
    }),
  ),
})

/** Without carriers and their words. */
const ClientTrace = Type.Object({
  ...Trace.properties,
  steps: Type.Array(Type.Omit(Trace.properties.steps.items, ['carrier', 'detail'])),
  timeline: Type.Array(Type.Omit(Trace.properties.timeline.items, ['carrier'])),
})

export const MESSAGE_ENDPOINTS = [
  endpoint({
    name: 'listMessages',
    method: 'GET',
    path: '/messages',
    command: 'message list',
    summary: 'list messages, ordered by msg_id, the highest first; a page may be short although more follow',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { carrier: null } },
    query: { ...PAGING, ...WHICH },
    result: pageOf(Summary),
    run: ({ store }, input) => pageOfMessages(store, { ...input, phone: null }, viewMessage),
  }),
  endpoint({
    name: 'findMessages',
    method: 'POST',
    path: '/messages/find',
    command: 'message find',
    summary:
      'find messages by phone, client id, sender, status, carrier or time, ordered by msg_id, the highest first; ' +
      'a page may be short although more follow',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { carrier: null } },
    body: ASKED,
    result: pageOf(Summary),
    run: async ({ store }, input) => pageOfMessages(store, await readAsked(store, input), viewMessage),
  }),
  endpoint({
    name: 'traceMessage',
    method: 'GET',
    path: '/messages/{message}',
    ownCommand: 'trace',
    summary: 'show the timeline of one message',
    may: READERS,
    clients: { may: CLIENTS, scope: OWN_MESSAGE, result: ClientTrace },
    params: { message: MESSAGE },
    result: Trace,
    run: async ({ store, live, clock }, { message }, { account, role }) => {
      const trace = await traceMessage(store, message as MessageId)
      if (trace === null)
        throw new UnknownThing(
          `there is no message ${message}: if it is a client's id, look for it with posthorn message find --id ${message}`,
        )
      const hook = trace.hook === null ? null : addressFor(role, trace.hook)
      const timeline = account === null ? trace.timeline : trace.timeline.map(asClientSees)
      const because = waitsBecause(trace.message, live, clock.now())
      return { ...viewTrace({ ...trace, hook, timeline }), waits_because: because }
    },
  }),
]

function viewMessage({
  id,
  accountId,
  clientId,
  phone,
  plan,
  journey,
  currency,
  createdAt,
  test,
}: Message): Static<typeof Summary> {
  return {
    message: id,
    account: accountId,
    id: writeClientId(clientId),
    phone,
    status: journey.status,
    phase: journey.phase,
    channel: plan[journey.step]?.channel ?? null,
    price: toDecimal(journey.chargedMicros),
    currency,
    accepted_at: writeTime(createdAt),
    test,
  }
}

/** The words of carriers and of the routing are for operators; those of money, reports, links and the client stay. */
function asClientSees<E extends MessageTrace['timeline'][number]>(event: E): E {
  return event.component === 'carrier' || event.component === 'journey' ? { ...event, detail: '' } : event
}

function viewTrace(trace: MessageTrace): Omit<Static<typeof Trace>, 'waits_because'> {
  const { messageId, accountId, clientId, phone, status, phase, currency, heldMicros, chargedMicros, hook } = trace
  const under = trace.steps.findLast((step) => step.status !== null)
  return {
    message: messageId,
    account: accountId,
    id: writeClientId(clientId),
    phone,
    status,
    phase,
    channel: under?.channel ?? null,
    price: toDecimal(chargedMicros),
    currency,
    accepted_at: writeTime(trace.timeline[0]?.at ?? 0),
    test: trace.test,
    hook,
    held: toDecimal(heldMicros),
    due_at: writeTime(trace.dueAt),
    steps: trace.steps.map(
      ({ channel, sender, from, parts, priceMicros, lifetimeSeconds, status, carrierId, detail }) => {
        const terms = { channel, sender, from, parts, price: toDecimal(priceMicros), lifetime_seconds: lifetimeSeconds }
        return { ...terms, status, carrier: carrierId, detail }
      },
    ),
    timeline: trace.timeline.map(({ at, component, event, channel, carrierId, detail }) => {
      return { at: writeTime(at), component, event, channel, carrier: carrierId, detail }
    }),
  }
}
