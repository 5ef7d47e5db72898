/** What waits for one carrier and may go by no other. Operators count and discard it. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Message } from '../../../domain/message/message.ts'
import { type Micros, toDecimal, toMicros } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { countQueued, discardQueued, type QueuedScope, type QueuedSum } from '../../read/cancel-queued.ts'
import { MAX_DISCARDED } from '../accounts/queue-endpoints.ts'
import { type AdminTools, endpoint, type LiveGateway } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { CARRIER, CURRENCY, MONEY, nullable, OPERATORS, READERS, whole } from '../fields/shapes.ts'
import { waitingFor } from '../messages/waiting-for.ts'

const Sums = Type.Array(
  Type.Object({
    currency: CURRENCY,
    accounts: whole({ description: 'number of accounts' }),
    messages: whole(),
    held: Type.Number({ description: 'money on hold for them, which is released if they are discarded' }),
  }),
)

export const CARRIER_QUEUE_ENDPOINTS = [
  endpoint({
    name: 'readCarrierQueue',
    needsGateway: true,
    method: 'GET',
    path: '/carriers/{carrier}/queue',
    command: 'carrier queue',
    summary: 'count the messages that wait for a carrier and may go by no other, and the money on hold for them',
    may: READERS,
    params: { carrier: CARRIER },
    result: Type.Object({ data: Sums }),
    run: async (tools, { carrier }) => {
      const scope = await scopeOf(tools, carrier)
      return { data: viewSums(await countQueued(tools, scope), await tools.store.loadDirectory()) }
    },
  }),
  endpoint({
    name: 'discardCarrierQueue',
    needsGateway: true,
    method: 'POST',
    path: '/carriers/{carrier}/queue/discard',
    ownCommand: 'carrier discard',
    summary:
      'cancel the messages that wait for a carrier and may go by no other, and release their money; repeat it until ' +
      'next is null',
    may: OPERATORS,
    params: { carrier: CARRIER },
    body: {
      confirm: Type.Literal(true, { description: 'it cannot be undone' }),
      after: Type.Optional(whole({ minimum: 0, description: 'next of the answer before; absent to begin' })),
    },
    result: Type.Object({
      discarded: whole(),
      released: Type.Array(Type.Object({ currency: CURRENCY, amount: MONEY })),
      next: nullable(whole(), { description: 'the after of the next request; null if none follows' }),
    }),
    run: async (tools, { carrier, after = 0 }) => {
      const scope = await scopeOf(tools, carrier)
      const { operations } = runningGateway(tools, 'discards messages')
      const from = { ...operations, store: tools.store }
      const { sums, next } = await discardQueued(from, scope, { after, most: MAX_DISCARDED })
      for (const { accountId, messages, releasedMicros } of sums) {
        const done = { action: 'discard', messageId: null, messages, releasedMicros, carrierId: carrier } as const
        await tools.store.change({ kind: 'note queue', accountId, ...done })
      }
      const released = viewSums(sums, await tools.store.loadDirectory())
      return {
        discarded: sums.reduce((sum, { messages }) => sum + messages, 0),
        released: released.map(({ currency, held }) => ({ currency, amount: held })),
        next,
      }
    },
  }),
]

/** Rejects with UnknownThing without such a carrier, or ChangeRefused if this gateway knows no carriers. */
async function scopeOf(tools: AdminTools, carrierId: string): Promise<QueuedScope> {
  const live = runningGateway(tools, 'knows what waits for a carrier')
  if (live.role === 'api') throw new ChangeRefused('this gateway only takes requests: ask one that delivers')
  const { carriers } = await tools.store.loadDirectory()
  if (!carriers.some(({ id }) => id === carrierId)) throw new UnknownThing(`there is no carrier ${carrierId}`)
  const now = tools.clock.now()
  return { accountId: null, isWanted: (message) => waitsOnlyFor(carrierId, message, live, now) }
}

/** Whether it waits for the carrier now, and neither its step nor one that may follow has another. */
function waitsOnlyFor(carrierId: string, message: Message, live: LiveGateway, now: number): boolean {
  const carriers = waitingFor(message, live, now).map(({ carrier }) => carrier)
  const { journey, plan } = message
  const later = plan.flatMap((_, step) =>
    step <= journey.step
      ? []
      : live.explainRouting({ ...message, journey: { ...journey, step } }).routes.map(({ route }) => route.carrierId),
  )
  return carriers.length > 0 && [...carriers, ...later].every((each) => each === carrierId)
}

function viewSums(sums: readonly QueuedSum[], rows: DirectoryRows) {
  const byCurrency = Map.groupBy(sums, ({ accountId }) => accountRow(rows, accountId).currency)
  return [...byCurrency].map(([currency, some]) => ({
    currency,
    accounts: some.length,
    messages: some.reduce((sum, { messages }) => sum + messages, 0),
    held: toDecimal(sumOf(some.map(({ releasedMicros }) => releasedMicros))),
  }))
}

function sumOf(amounts: readonly Micros[]): Micros {
  return toMicros(amounts.reduce((sum, each) => sum + each, 0))
}
