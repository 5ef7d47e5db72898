/**
 * The load of the power-cut tests: three clients that send, and what becomes of their messages. Every request and every
 * turn follows from its number, so that a test knows after a cut what has to be there.
 */
import { join } from 'node:path'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { ReportResult } from '../../src/ports/records/pending-report.ts'
import type { AcceptRequest } from '../../src/ports/stores/intake-store.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { Engine } from '../../src/stores/sqlite/engine/engine.ts'
import { startWorker } from '../../src/stores/sqlite/engine/worker-runner.ts'
import { openDatabase } from '../../src/stores/sqlite/session/open-database.ts'
import { SqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { messageItem, recorded } from '../conformance/store/store-story.ts'
import { BEGINNING, buildAccount, buildMessage } from '../support/build-message.ts'
import { receipt, refused, taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

export const ACCOUNT = toAccountId(1)
export const TOP_UP = toMicros(10_000_000)
export const REQUESTS = 36
const CLIENTS = 3
/** The gateway is stopped and started between two of them, which empties the write-ahead log and deletes its file. */
const LIVES = 3
/** Fewer than usual, so that a short load meets many checkpoints. */
const CHECKPOINT_PAGES = 60
const CHECKPOINT_ROWS = 20
const KEPT_MS = 86_400_000

/** What the store has acknowledged. */
export type Fact =
  | { readonly kind: 'set up' }
  | { readonly kind: 'accepted'; readonly request: number }
  | { readonly kind: 'recorded'; readonly counter: number; readonly version: number }
  | { readonly kind: 'settled'; readonly counter: number }
  | { readonly kind: 'reserved'; readonly counter: number }

/** The gateway's store with its threads, on its own settings but one. */
export async function openThreadedStore(folder: string): Promise<SqliteStore> {
  const file = join(folder, 'posthorn.db')
  return new SqliteStore(await startWorker({ file, role: 'gateway', keys: TEST_KEYS, checkpointRows: CHECKPOINT_ROWS }))
}

/** The same in this thread. `afterBatch` runs before a batch is answered. */
export function openStore(folder: string, afterBatch = () => {}): SqliteStore {
  const opened = openDatabase(join(folder, 'posthorn.db'), 'gateway')
  opened.database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  const engine = new Engine(opened, openVault(TEST_KEYS))
  return new SqliteStore({
    run: async (batch) => {
      const answers = engine.run(batch)
      afterBatch()
      return answers
    },
    sync: async () => {},
    close: async () => {
      engine.close()
      afterBatch()
    },
  })
}

export async function runLoad(open: () => Store | Promise<Store>, acknowledge: (fact: Fact) => void): Promise<void> {
  for (let life = 0; life < LIVES; life += 1) {
    const store = await open()
    if (life === 0) await setUp(store)
    if (life === 0) acknowledge({ kind: 'set up' })
    const requests = Array.from({ length: REQUESTS / LIVES }, (_, index) => life * (REQUESTS / LIVES) + index)
    const clients = Array.from({ length: CLIENTS }, (_, client) => requests.filter((at) => at % CLIENTS === client))
    await Promise.all(clients.map((own) => runClient(store, own, acknowledge)))
    await store.close()
  }
}

async function setUp(store: Store): Promise<void> {
  const { id: _, ...account } = buildAccount()
  await store.change({ kind: 'create account', account })
  await store.change({ kind: 'top up', accountId: ACCOUNT, amountMicros: TOP_UP, at: BEGINNING })
}

async function runClient(store: Store, requests: readonly number[], acknowledge: (fact: Fact) => void): Promise<void> {
  for (const request of requests) {
    await store.accept(requestOf(request))
    acknowledge({ kind: 'accepted', request })
    for (const counter of countersOf(request)) {
      for (const turn of turnsOf(counter)) {
        await store.record([recorded(turn)])
        acknowledge({ kind: 'recorded', counter, version: turn.message.journey.version })
      }
      if (!isSettled(counter)) continue
      await store.settleReports([settlementOf(counter)])
      acknowledge({ kind: 'settled', counter })
    }
    acknowledge({ kind: 'reserved', counter: await store.reserveIds(1) })
  }
}

/** One to three messages under an idempotency key. */
export function requestOf(request: number): AcceptRequest {
  return {
    accountId: ACCOUNT,
    now: BEGINNING,
    idempotency: { key: `key ${request}`, bodyHash: `hash ${request}`, draft: '', keepUntil: BEGINNING + KEPT_MS },
    items: countersOf(request).map((counter) => messageItem(messageOf(counter))),
  }
}

export function countersOf(request: number): readonly number[] {
  return Array.from({ length: 1 + (request % 3) }, (_, item) => 1 + request * 3 + item)
}

export function messageOf(counter: number): Message {
  return buildMessage({ counter, accountId: ACCOUNT })
}

/** Some messages are still to be sent, some are with the carrier, most have ended. */
export function turnsOf(counter: number): readonly Turn[] {
  const message = messageOf(counter)
  if (counter % 5 === 0) return []
  if (counter % 5 === 1) return [refused(message)]
  const sent = taken(message, [`ref ${counter}`])
  return counter % 5 === 2 ? [sent] : [sent, receipt(sent.message, 'delivered')]
}

/** Whether the hook has taken the report of its end. */
export function isSettled(counter: number): boolean {
  return counter % 5 === 3
}

export function settlementOf(counter: number): ReportResult {
  const { id: messageId } = messageOf(counter)
  return { messageId, number: 0, kind: 'sent', at: BEGINNING + 5_000, dueAt: null, held: false, detail: '200' }
}
