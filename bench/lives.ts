/** Lives of messages, as benchmarks of stores let them be lived: call by call, each on disk before the next. */
import type { AccountId } from '../src/domain/ids/account-id.ts'
import type { Turn } from '../src/domain/journey/turn.ts'
import type { Message } from '../src/domain/message/message.ts'
import { toMicros } from '../src/domain/money/money.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { BEGINNING, buildAccount } from '../test/support/build-message.ts'
import { receipt, TEST_CARRIER, taken } from '../test/support/make-turn.ts'

export async function openAccounts(store: Store, count: number): Promise<AccountId[]> {
  const ids: AccountId[] = []
  for (let index = 0; index < count; index += 1) {
    const { id: _, ...built } = buildAccount({ name: `Client ${index}` })
    // Nothing goes while it is measured.
    const account = { ...built, settings: { ...built.settings, textsKeptDays: null, recordsKeptDays: null } }
    const id = (await store.change({ kind: 'create account', account })) as AccountId
    await store.change({ kind: 'top up', accountId: id, amountMicros: toMicros(1e12), at: BEGINNING })
    ids.push(id)
  }
  return ids
}

/** Every number from `first` on, `count` of them, `window` under way at a time. */
export async function inWindow(
  window: number,
  first: number,
  count: number,
  live: (n: number) => Promise<void>,
): Promise<void> {
  let next = first
  const lane = async () => {
    while (next < first + count) await live(next++)
  }
  await Promise.all(Array.from({ length: window }, lane))
}

export async function accept(store: Store, message: Message): Promise<void> {
  await store.accept({
    accountId: message.accountId,
    now: BEGINNING,
    idempotency: null,
    items: [{ kind: 'message', message, waits: false, links: [], uniqueId: false }],
  })
}

/** Taken by a carrier, its receipt matched, delivered with a report, the report sent. */
export async function deliver(store: Store, message: Message): Promise<void> {
  const ref = `ref-${(message.id * 7919) % 1e9}-${message.id}`
  const carried = await record(store, taken(message, [ref]))
  await store.matchReceipts(
    [{ carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: 'stat:DELIVRD' }],
    BEGINNING + 9,
  )
  await record(store, receipt(carried, 'delivered'))
  const sent = { messageId: message.id, number: 0, kind: 'sent', at: BEGINNING + 12, dueAt: null, held: false } as const
  await store.settleReports([{ ...sent, detail: '200' }])
}

async function record(store: Store, turn: Turn): Promise<Message> {
  await store.record([{ turn, held: false, reportsHeld: true, clickedCode: null }])
  return turn.message
}
