/** A message is found by its client id on the first page, however many messages came after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

/** More than a page looks at. */
const LATER_MESSAGES = 21_000

test('a client id leads to its message past more messages than a page looks at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  const file = join(folder, 'posthorn.db')
  const open = () => openSqliteStore({ file, keys: TEST_KEYS, inline: true })
  const remove = async () => rmSync(folder, { recursive: true })
  const story = await StoreStory.begin(async () => ({ open, openTool: open, remove }))
  const client = await story.account()
  const { id } = await story.accepted(client, { clientId: '"order-1"' })
  const database = new DatabaseSync(file)
  database.exec(`CREATE TEMP TABLE copy AS SELECT * FROM message;
    WITH RECURSIVE later (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM later WHERE number < ${LATER_MESSAGES})
    INSERT INTO message (msg_id, account_id, client_id, phone, plan, report_steps, currency, created_at, version, status, journey)
    SELECT msg_id + 64 * number, account_id, '"later-' || number || '"', phone, plan, report_steps, currency, created_at,
      version, status, journey FROM copy CROSS JOIN later`)
  database.close()
  const match = { clientId: '"order-1"', sender: null, carrierId: null, channel: null, from: null, until: null }
  const query = { of: 'messages', phone: null, status: null, match, after: null, limit: 10 } as const
  for (const accountId of [client, null]) {
    const page = await story.store.page({ ...query, accountId })
    expect({ ids: page.rows.map((message) => message.id), next: page.next }).toMatchObject({ ids: [id] })
  }
  await story.end()
})
