/**
 * Messages that a carrier has taken and of which it sent no receipt, as after a restore. Operators list them, and have
 * them sent again or ended.
 */
import Type, { type Static, type TObject } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { isUnsettled } from '../../../domain/journey/settle-journey.ts'
import { SETTLEMENTS, type Settlement } from '../../../domain/message/journey-event.ts'
import type { Message } from '../../../domain/message/message.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { OpenMessage } from '../../../ports/stores/queued-store.ts'
import {
  countUnsettled,
  type SettledSum,
  settleAll,
  settleMessages,
  type UnsettledQuery,
} from '../../read/settle-messages.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkField } from '../fields/field-refused.ts'
import {
  ACCOUNT,
  CARRIER,
  CURRENCY,
  MONEY,
  nullable,
  OPERATORS,
  READERS,
  readTimeField,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'

/** Messages that one request settles, and those of the page that reaches this number. */
const MAX_SETTLED = 2_000
/** Pages without a message that one request of the list reads. */
const MAX_EMPTY_PAGES = 100

const MESSAGE = whole({ minimum: 64, description: 'its msg_id' })
const ACTION = Type.Enum([...SETTLEMENTS], {
  description:
    '`send again`: within the lifetime that is left, without another charge; a recipient who has the message gets it ' +
    'twice. `end`: the message becomes UNKNOWN, money on hold is released, and no other channel is tried',
})
const CONFIRM = Type.Literal(true, { description: 'it cannot be undone' })

const FILTER = {
  account: Type.Optional(ACCOUNT),
  carrier: Type.Optional(CARRIER),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'taken at this time or later, RFC 3339' })),
  until: Type.Optional(
    Type.String({ maxLength: 40, description: 'taken before this time, RFC 3339, such as that of the restore' }),
  ),
}
const AFTER = Type.Optional(whole({ minimum: 0, description: 'next of the answer before; absent to begin' }))
const NEXT = nullable(whole(), { description: 'the after of the next request; null if none follows' })

const Unsettled = Type.Object({
  message: MESSAGE,
  account: ACCOUNT,
  carrier: nullable(Type.String()),
  taken_at: TIME,
  expires_at: TIME,
  charged: MONEY,
  held: MONEY,
})

const Sum = Type.Object({
  account: ACCOUNT,
  messages: whole(),
  charged: Type.Number({ description: 'charged when a carrier took them; it stays charged' }),
  held: Type.Number({ description: 'on hold for them' }),
  currency: CURRENCY,
})

export const UNSETTLED_ENDPOINTS = [
  endpoint({
    name: 'listUnsettled',
    method: 'GET',
    path: '/unsettled-messages',
    command: 'message unsettled',
    summary: 'list messages that a carrier has taken and of which it sent no final receipt',
    may: READERS,
    query: { ...FILTER, after: AFTER },
    result: Type.Object({ data: Type.Array(Unsettled), next: NEXT }),
    run: async ({ store }, { after = 0, ...filter }) => {
      const query = await readQuery({ store }, filter)
      let page = await store.openMessages({ ...query, after })
      for (let empty = 1; page.messages.length === 0 && page.next !== null && empty < MAX_EMPTY_PAGES; empty += 1) {
        page = await store.openMessages({ ...query, after: page.next })
      }
      return { data: page.messages.map(view), next: page.next }
    },
  }),
  endpoint({
    name: 'countUnsettled',
    method: 'GET',
    path: '/unsettled-messages/count',
    ownCommand: 'message settle',
    summary:
      'count messages that a carrier has taken and of which it sent no final receipt, and their money, by account',
    may: READERS,
    query: FILTER,
    result: Type.Object({ data: Type.Array(Sum) }),
    run: async (tools, filter) => ({
      data: await describe(tools, await countUnsettled(tools, await readQuery(tools, filter))),
    }),
  }),
  endpoint({
    name: 'settleMessages',
    needsGateway: true,
    method: 'POST',
    path: '/unsettled-messages/settle',
    ownCommand: 'message settle',
    summary: 'send again or end messages of which a carrier sent no final receipt; repeat it until next is null',
    may: OPERATORS,
    body: { ...FILTER, action: ACTION, confirm: CONFIRM, after: AFTER },
    result: Type.Object({
      data: Type.Array(Sum, { description: 'what was settled; `held` is what was released' }),
      skipped: whole({ description: 'they got a receipt in the meantime, or another gateway has them right now' }),
      next: NEXT,
    }),
    run: async (tools, { action, confirm: _, after = 0, ...filter }) => {
      const query = await readQuery(tools, filter)
      checkField('carrier', (filter.carrier ?? filter.account) !== undefined, 'name a carrier or an account')
      checkField('until', filter.until !== undefined, 'must be given')
      checkField('until', query.which.until <= tools.clock.now(), 'must not be in the future')
      const { operations } = runningGateway(tools, 'settles messages')
      const found = { by: action, after, most: MAX_SETTLED }
      const { sums, skipped, next } = await settleMessages({ ...operations, store: tools.store }, query, found)
      for (const sum of sums) await note(tools, action, sum, null)
      return { data: await describe(tools, sums), skipped, next }
    },
  }),
  endpoint({
    name: 'settleMessage',
    needsGateway: true,
    method: 'POST',
    path: '/messages/{message}/settle',
    command: 'message settle-one',
    summary: 'send again or end one message of which a carrier sent no final receipt',
    may: OPERATORS,
    params: { message: MESSAGE },
    body: { action: ACTION, confirm: CONFIRM },
    result: Type.Object({ message: MESSAGE, status: Type.String() }),
    run: async (tools, { message: id, action }) => {
      const { operations } = runningGateway(tools, 'settles messages')
      const { journey } = await unsettled(tools, id)
      const since = journey.steps[journey.step]?.at ?? 0
      const tries = [{ id: id as MessageId, since }]
      const [done] = await settleAll({ ...operations, store: tools.store }, tries, action)
      if (done === undefined)
        throw new ChangeRefused('it got a receipt in the meantime, or another gateway has it right now: look again')
      await note(tools, action, { ...done, messages: 1 }, done.id)
      return { message: id, status: action === 'end' ? 'UNKNOWN' : 'QUEUED' }
    },
  }),
]

/** Throws ChangeRefused for a message that does not exist, or awaits no receipt. */
async function unsettled({ store }: Pick<AdminTools, 'store'>, id: number): Promise<Message> {
  const [message] = await store.loadMessages([id as MessageId])
  if (message === undefined) throw new UnknownThing(`there is no message ${id}`)
  if (!isUnsettled(message.journey))
    throw new ChangeRefused(`no receipt of the message is awaited: it is ${message.journey.status}`)
  return message
}

/** Throws UnknownThing for an account that does not exist. */
async function readQuery(
  { store }: Pick<AdminTools, 'store'>,
  { account, carrier, from, until }: Static<TObject<typeof FILTER>>,
): Promise<UnsettledQuery> {
  if (account !== undefined) accountRow(await store.loadDirectory(), toAccountId(account))
  return {
    accountId: account === undefined ? null : toAccountId(account),
    which: {
      carrierId: carrier ?? null,
      from: readTimeField('from', from) ?? 0,
      until: readTimeField('until', until) ?? Number.MAX_SAFE_INTEGER,
    },
  }
}

async function note(
  { store }: Pick<AdminTools, 'store'>,
  action: Settlement,
  { accountId, messages, heldMicros: releasedMicros }: SettledSum,
  messageId: MessageId | null,
): Promise<void> {
  await store.change({ kind: 'note queue', accountId, messageId, action, messages, releasedMicros })
}

async function describe({ store }: Pick<AdminTools, 'store'>, sums: readonly SettledSum[]) {
  if (sums.length === 0) return []
  const rows = await store.loadDirectory()
  return sums.map(({ accountId, messages, chargedMicros, heldMicros }) => {
    const { currency } = accountRow(rows, accountId)
    const money = { charged: toDecimal(chargedMicros), held: toDecimal(heldMicros), currency }
    return { account: accountId, messages, ...money }
  })
}

function view({ id, accountId, carrierId, since, deadlineAt, chargedMicros, heldMicros }: OpenMessage) {
  return {
    message: id,
    account: accountId,
    carrier: carrierId,
    taken_at: writeTime(since),
    expires_at: writeTime(deadlineAt),
    charged: toDecimal(chargedMicros),
    held: toDecimal(heldMicros),
  }
}
