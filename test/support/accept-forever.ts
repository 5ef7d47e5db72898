/** A program for a test to kill: accepts messages, ten at a time, and prints the id of each that was answered. */
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { BEGINNING, buildAccount, buildMessage } from './build-message.ts'
import { TEST_KEYS } from './test-keys.ts'

const store = await openSqliteStore({ file: process.argv[2] ?? '', keys: TEST_KEYS })
const { id: _, ...account } = buildAccount()
const accountId = toAccountId((await store.change({ kind: 'create account', account })) ?? 0)
await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e12), at: BEGINNING })

let counter = 0
const lane = async () => {
  for (;;) {
    const message = buildMessage({ counter: ++counter, accountId })
    const item = { kind: 'message', message, waits: false, links: [], uniqueId: false } as const
    await store.accept({ accountId, now: BEGINNING, idempotency: null, items: [item] })
    process.stdout.write(`${message.id}\n`)
  }
}
await Promise.all(Array.from({ length: 10 }, lane))
