/** A long-lived database: deleted rows make room for new ones. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/accounts/retention.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { receipt, taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const MESSAGES_A_DAY = 120

test('the file stops growing once each day deletes as much as it adds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  const file = join(folder, 'posthorn.db')
  const open = () => openSqliteStore({ file, keys: TEST_KEYS, inline: true })
  const story = await StoreStory.begin(async () => ({
    open,
    openTool: open,
    remove: async () => rmSync(folder, { recursive: true }),
  }))
  const client = await story.account(1e12, { textsKeptDays: 2, recordsKeptDays: 4 })
  const reader = new DatabaseSync(file)
  const pages: number[] = []
  for (let day = 0; day < 16; day += 1) {
    const now = BEGINNING + day * DAY_MS
    const messages = await Promise.all(
      Array.from({ length: MESSAGES_A_DAY }, () => story.accepted(client, { createdAt: now, hook: null })),
    )
    const carried = await Promise.all(messages.map((each) => story.after(taken(each, [`ref-${each.id}`]))))
    await Promise.all(carried.map((message) => story.after(receipt(message, 'delivered'))))
    await story.sweep(now, { settledKeptDays: 2 })
    pages.push(Number(reader.prepare('PRAGMA page_count').get()?.['page_count']))
  }
  reader.close()
  // Only the ledger stays forever: two postings a message.
  const bookPages = (MESSAGES_A_DAY * 10 * 2 * 60) / 4_096
  expect((pages[15] ?? 0) - (pages[5] ?? 0)).toBeLessThan(bookPages + 10)
  expect(pages[15]).toBeLessThan((pages[5] ?? 0) * 1.4)
  await story.end()
})
