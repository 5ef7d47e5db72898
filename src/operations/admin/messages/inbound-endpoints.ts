/** Inbound messages: list, and the timeline of one, which contains no text. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { ListedInbound } from '../../../ports/records/pages.ts'
import type { InboundTrace } from '../../../ports/records/trace.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { showHooks } from '../endpoint/hook-address.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { reportEvents } from './trace-message.ts'

const INBOUND = whole({ minimum: 64, description: 'its inbound_id' })
const KEYWORD = nullable(Type.String(), { description: 'of the inbound number' })
const STATE = nullable(Type.Enum(['pending', 'sent', 'failed']), {
  description:
    'state of its report; null without a hook. In the event feed it is pending until the client has acknowledged it',
})

const Listed = Type.Object({
  at: TIME,
  inbound: nullable(INBOUND, { description: 'its inbound_id; null for a message to a number of no account' }),
  account: nullable(ACCOUNT),
  carrier: Type.String(),
  sender: Type.String(),
  recipient: Type.String(),
  keyword: KEYWORD,
  report: STATE,
  text: Type.String(),
})

const Traced = Type.Object({
  inbound: INBOUND,
  account: ACCOUNT,
  at: TIME,
  carrier: Type.String(),
  channel: Type.String(),
  sender: Type.String(),
  recipient: Type.String(),
  keyword: KEYWORD,
  parts: whole({ description: 'in which it was sent' }),
  content: nullable(Type.String(), { description: 'location, file or suggestion; null for a plain text' }),
  in_reply_to: nullable(whole(), { description: 'msg_id of the message that it answers' }),
  reply: nullable(Type.String(), {
    description: 'automatic reply: pending, its msg_id, or why there is none; null if the number has none',
  }),
  hook: nullable(Type.String(), { description: 'where it is reported' }),
  report: STATE,
  timeline: Type.Array(
    Type.Object({
      at: TIME,
      component: Type.String({ description: 'carrier or report' }),
      event: Type.String(),
      detail: Type.String(),
    }),
  ),
})

const OWN_INBOUND = {
  record: 'inbound message',
  accountOf: async (store: Store, { inbound }: { readonly inbound: number }) =>
    (await store.traceInbound(inbound as MessageId))?.inbound.accountId ?? null,
}

export const INBOUND_ENDPOINTS = [
  endpoint({
    name: 'listInbound',
    method: 'GET',
    path: '/inbound-messages',
    command: 'inbound list',
    summary: 'list inbound messages, newest first',
    may: ['owner', 'operator'],
    clients: { may: CLIENTS, scope: 'account', result: pageOf(Type.Omit(Listed, ['carrier'])) },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(Listed),
    run: async ({ store }, { after = null, most = STANDARD_ROWS, account }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      const { rows, next } = await store.page({ of: 'inbound', accountId, after, limit: most })
      const states = await statesOf(store, rows)
      const data = rows.map(({ at, carrierId, sender, recipient, text, owned }) => ({
        at: writeTime(at),
        inbound: owned?.id ?? null,
        account: owned?.accountId ?? null,
        carrier: carrierId,
        sender,
        recipient,
        keyword: owned?.keyword ?? null,
        report: (owned && states.get(owned.id)) ?? null,
        text,
      }))
      return { data, next }
    },
  }),
  endpoint({
    name: 'traceInbound',
    method: 'GET',
    path: '/inbound-messages/{inbound}',
    ownCommand: 'trace',
    summary: 'show the timeline of one inbound message, without its text',
    may: READERS,
    clients: { may: CLIENTS, scope: OWN_INBOUND, result: Type.Omit(Traced, ['carrier']) },
    params: { inbound: INBOUND },
    result: Traced,
    run: async ({ store }, { inbound }, { role }) => {
      const trace = await store.traceInbound(inbound as MessageId)
      if (trace === null) throw new UnknownThing(`there is no inbound message ${inbound}`)
      return showHooks(role, viewTrace(trace))
    },
  }),
]

async function statesOf(store: QueryStore, rows: readonly ListedInbound[]) {
  const owned = rows.flatMap((row) => row.owned ?? [])
  const byAccount = Map.groupBy(owned, ({ accountId }) => accountId)
  const tallies = await Promise.all(
    [...byAccount].map(([accountId, inbound]: readonly [AccountId, typeof owned]) =>
      store.tallyReports(
        accountId,
        inbound.map(({ id }) => id),
      ),
    ),
  )
  return new Map(tallies.flat().map(({ messageId, state }) => [messageId, state]))
}

function viewTrace({ inbound, carrierId, reply, reports }: InboundTrace) {
  const { id, accountId, at, channel, sender, recipient, keyword, parts, content, inReplyTo } = inbound
  const [report = null] = reports
  const received = { at, component: 'carrier', event: 'received', detail: parts === 1 ? '' : `${parts} parts` }
  const timeline = [received, ...reports.flatMap(reportEvents)]
  return {
    inbound: id,
    account: accountId,
    at: writeTime(at),
    carrier: carrierId,
    channel,
    sender,
    recipient,
    keyword,
    parts,
    content: content?.kind ?? null,
    in_reply_to: inReplyTo?.messageId ?? null,
    reply,
    hook: report?.address ?? null,
    report: report?.state ?? null,
    timeline: timeline.map(({ at, component, event, detail }) => ({ at: writeTime(at), component, event, detail })),
  }
}
