/** What operators do with a message that waits: send it now, or cancel it. */
import Type from 'typebox'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import { type Micros, NO_MONEY, toDecimal, toMicros } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { nullable, OPERATORS, TIME, whole, writeTime } from '../fields/shapes.ts'

const MESSAGE = whole({ minimum: 64, description: 'its msg_id' })

const Waiting = Type.Object({
  message: MESSAGE,
  status: Type.String(),
  due_at: nullable(TIME, { description: 'when it is tried next; null once it has ended' }),
})

export const QUEUE_CHANGES = {
  'note queue': {
    what: 'open messages',
    may: OPERATORS,
    audit: ({ accountId, messageId, action, messages, releasedMicros, carrierId: carrier }) => {
      const all = action === 'discard' ? 'the queue' : 'messages without a receipt'
      const subject = `${messageId === null ? all : `message ${messageId}`} of account ${accountId}`
      const facts = { action, ...(carrier === undefined ? {} : { carrier }), messages }
      return entry(subject, null, { ...facts, released: toDecimal(releasedMicros) })
    },
  },
} satisfies Changes

export const WAITING_ENDPOINTS = [
  endpoint({
    name: 'sendMessageNow',
    needsGateway: true,
    method: 'POST',
    path: '/messages/{message}/send-now',
    command: 'message send-now',
    summary: 'try a message now that waits for its planned time, a retry or the end of quiet hours',
    may: OPERATORS,
    params: { message: MESSAGE },
    result: Waiting,
    run: async (tools, { message: id }) => {
      const { operations } = runningGateway(tools, 'sends messages')
      const message = await waiting(tools, id)
      const { accountId, journey } = message
      if (!operations.directory().maySend(accountId))
        throw new ChangeRefused(`account ${accountId} is suspended: its messages wait until it is active`)
      if (journey.dueAt !== null && journey.dueAt <= tools.clock.now())
        throw new ChangeRefused('the message waits for no time, but for a carrier')
      const after = await operations.outbox.sendNow(message)
      if (after.journey.version === journey.version)
        throw new ChangeRefused('another gateway has the message right now: try again')
      await note(tools.store, after, { action: 'send now', releasedMicros: NO_MONEY })
      return view(after)
    },
  }),
  endpoint({
    name: 'cancelMessage',
    needsGateway: true,
    method: 'POST',
    path: '/messages/{message}/cancel',
    command: 'message cancel',
    summary: 'cancel a message that no carrier has, and release its money',
    may: OPERATORS,
    params: { message: MESSAGE },
    result: Waiting,
    run: async (tools, { message: id }) => {
      const { operations } = runningGateway(tools, 'cancels messages')
      const message = await waiting(tools, id)
      const [after = message] = await operations.outbox.cancel([message], 'operator')
      if (after.journey.status !== 'CANCELLED')
        throw new ChangeRefused('a carrier may have the message: it cannot be cancelled any more')
      const releasedMicros = toMicros(message.journey.heldMicros - after.journey.heldMicros)
      await note(tools.store, after, { action: 'cancel', releasedMicros })
      return view(after)
    },
  }),
]

/** Throws ChangeRefused for a message that does not exist, or does not wait. */
async function waiting({ store }: Pick<AdminTools, 'store'>, id: number): Promise<Message> {
  const [message] = await store.loadMessages([id as MessageId])
  if (message === undefined) throw new UnknownThing(`there is no message ${id}`)
  const { status, phase } = message.journey
  if (phase === 'ended') throw new ChangeRefused(`the message has ended: it is ${status}`)
  if (phase === 'carried') throw new ChangeRefused('a carrier has the message')
  return message
}

async function note(
  store: Store,
  { id, accountId }: Message,
  done: { readonly action: 'send now' | 'cancel'; readonly releasedMicros: Micros },
): Promise<void> {
  await store.change({ kind: 'note queue', accountId, messageId: id, messages: 1, ...done })
}

function view({ id, journey }: Message) {
  return { message: id, status: journey.status, due_at: writeTime(journey.dueAt) }
}
