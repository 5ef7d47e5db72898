/**
 * The messages that a grown store consists of (grown-rows.ts): one of each kind, written by the store itself, each of
 * an account of its own. All other rows are copies of theirs.
 */
import { approvedSender } from '../src/domain/accounts/sender.ts'
import type { AccountId } from '../src/domain/ids/account-id.ts'
import type { Turn } from '../src/domain/journey/turn.ts'
import type { Message } from '../src/domain/message/message.ts'
import { toMicros } from '../src/domain/money/money.ts'
import { hashKey } from '../src/operations/request/api-key.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { BEGINNING, buildAccount, buildKey, buildMessage, buildPlan } from '../test/support/build-message.ts'
import { receipt, refused, taken } from '../test/support/make-turn.ts'
import { accept } from './lives.ts'

export interface Model {
  readonly accountId: AccountId
  readonly message: Message
}

type Live = (store: Store, message: Message) => Promise<void>

const DELIVERED: Live = async (store, message) => {
  const carried = await record(store, taken(message, [refOf(message)]))
  await record(store, receipt(carried, 'delivered'))
  await settle(store, message, 'sent', '200')
}

/** Most are delivered; some are not, fall back first, have a failed report, or are of a rare status. */
const LIVES: readonly { readonly channels: readonly ('rcs' | 'sms')[]; readonly live: Live }[] = [
  { channels: ['sms'], live: DELIVERED },
  { channels: ['sms'], live: endsAs('undeliverable') },
  {
    channels: ['rcs', 'sms'],
    live: async (store, message) => {
      const turn = refused(message, 'NOT_FOUND: the user is not reachable by RCS', { carrierId: 'rcs' })
      await DELIVERED(store, await record(store, turn))
    },
  },
  {
    channels: ['sms'],
    live: async (store, message) => {
      const carried = await record(store, taken(message, [refOf(message)]))
      await record(store, receipt(carried, 'delivered'))
      await settle(store, message, 'failed', '503 Service Unavailable')
    },
  },
  { channels: ['sms'], live: endsAs('rejected') },
]

/** Changes under way: more would make a transaction too long for a busy machine. */
const AT_ONCE = 5

export const KINDS = LIVES.length

export async function addModels(store: Store): Promise<readonly Model[]> {
  const models: Model[] = []
  for (const [index, { channels, live }] of LIVES.entries()) {
    const accountId = await addAccount(store, `Model ${index}`, null)
    const message = buildMessage({ counter: index + 1, accountId, plan: buildPlan(...channels) })
    await accept(store, message)
    await live(store, message)
    models.push({ accountId, message })
  }
  return models
}

/** Adds accounts with money, a sender and a key each; returns their ids, which follow each other. */
export async function addAccounts(store: Store, keys: readonly string[]): Promise<readonly AccountId[]> {
  const waiting = keys.entries()
  const ids: AccountId[] = []
  const addNext = async () => {
    for (const [index, key] of waiting) ids.push(await addAccount(store, `Client ${index}`, key))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, addNext))
  return ids.sort((a, b) => a - b)
}

async function addAccount(store: Store, name: string, key: string | null): Promise<AccountId> {
  const { id: _, ...account } = buildAccount({ name })
  const accountId = (await store.change({ kind: 'create account', account })) as AccountId
  await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e12), at: BEGINNING })
  if (key === null) return accountId
  await store.change({ kind: 'add key', key: buildKey({ hash: hashKey(key), accountId }) })
  await store.change({ kind: 'set sender', sender: approvedSender(accountId, 'sms', 'Posthorn') })
  return accountId
}

function endsAs(outcome: 'undeliverable' | 'rejected'): Live {
  return async (store, message) => {
    const carried = await record(store, taken(message, [refOf(message)]))
    await record(store, receipt(carried, outcome))
    await settle(store, message, 'sent', '200')
  }
}

function refOf(message: Message): string {
  return `model-${message.id}`
}

async function record(store: Store, turn: Turn): Promise<Message> {
  await store.record([{ turn, held: false, reportsHeld: true, clickedCode: null }])
  return turn.message
}

async function settle(store: Store, { id }: Message, kind: 'sent' | 'failed', detail: string): Promise<void> {
  const settled = { messageId: id, number: 0, kind, at: BEGINNING + 12, dueAt: null, held: false, detail } as const
  await store.settleReports([settled])
}
