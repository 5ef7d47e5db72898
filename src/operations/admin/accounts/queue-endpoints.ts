/** What an account has queued: messages that no carrier has. Operators count and discard them. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { NO_MONEY, toDecimal } from '../../../domain/money/money.ts'
import { countQueued, discardQueued } from '../../read/cancel-queued.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, CURRENCY, MONEY, nullable, OPERATORS, READERS, whole } from '../fields/shapes.ts'

/** Messages that one request discards, and those of the page that reaches this number. */
export const MAX_DISCARDED = 2_000
const NOTHING = { messages: 0, releasedMicros: NO_MONEY }

const Queue = {
  account: ACCOUNT,
  messages: whole({ description: 'messages that no carrier has, planned and postponed ones too' }),
  held: Type.Number({ description: 'money on hold for them, which is released if they are discarded' }),
  currency: CURRENCY,
}

export const QUEUE_ENDPOINTS = [
  endpoint({
    name: 'readQueue',
    method: 'GET',
    path: '/accounts/{account}/queue',
    command: 'account queue',
    summary: 'count the messages of an account that no carrier has, and the money on hold for them',
    may: READERS,
    params: { account: ACCOUNT },
    result: Type.Object(Queue),
    run: async ({ store }, { account }) => {
      const row = accountRow(await store.loadDirectory(), toAccountId(account))
      const [sum = NOTHING] = await countQueued({ store }, { accountId: row.id })
      return { account, messages: sum.messages, held: toDecimal(sum.releasedMicros), currency: row.currency }
    },
  }),
  endpoint({
    name: 'discardQueue',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/queue/discard',
    ownCommand: 'account discard',
    summary: 'cancel messages of an account that no carrier has, and release their money; repeat it until next is null',
    may: OPERATORS,
    params: { account: ACCOUNT },
    body: {
      confirm: Type.Literal(true, { description: 'it cannot be undone' }),
      after: Type.Optional(whole({ minimum: 0, description: 'next of the answer before; absent to begin' })),
    },
    result: Type.Object({
      account: ACCOUNT,
      discarded: whole(),
      released: MONEY,
      currency: CURRENCY,
      next: nullable(whole(), { description: 'the after of the next request; null if none follows' }),
    }),
    run: async (tools, { account, after = 0 }) => {
      const row = accountRow(await tools.store.loadDirectory(), toAccountId(account))
      const { operations } = runningGateway(tools, 'discards messages')
      const found = { after, most: MAX_DISCARDED }
      const done = await discardQueued({ ...operations, store: tools.store }, { accountId: row.id }, found)
      const {
        sums: [{ messages, releasedMicros } = NOTHING],
        next,
      } = done
      if (messages > 0) {
        const facts = { action: 'discard', messageId: null, messages, releasedMicros } as const
        await tools.store.change({ kind: 'note queue', accountId: row.id, ...facts })
      }
      return { account, discarded: messages, released: toDecimal(releasedMicros), currency: row.currency, next }
    },
  }),
]
