/** Erased data is nowhere in the files any more: not in free pages, not in the log, not in an index. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING, buildPlan, buildStep } from '../support/build-message.ts'
import { wrote } from '../support/inbound-arrival.ts'
import { receipt, taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const WHO = '4915199887766' as Phone

let folder: string
let story: StoreStory
let client: AccountId

function openFile(role: 'gateway' | 'tool') {
  return openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS, role })
}

/** Returns how often the word is in the files, the log of the database included. */
function findInFiles(word: string): number {
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  return bytes.join('\n').split(word).length - 1
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  story = await StoreStory.begin(async () => ({
    open: () => openFile('gateway'),
    openTool: () => openFile('tool'),
    remove: async () => rmSync(folder, { recursive: true }),
  }))
  client = await story.account(1e12, { textsKeptDays: 1, recordsKeptDays: 2 })
})
afterEach(() => story.end())

/** Runs many messages among those of others, so that pages are split and rows move; some rows have long tails. */
async function liveAmongOthers(): Promise<void> {
  const lives = Array.from({ length: 300 }, async (_, n) => {
    const phone = (n % 3 === 0 ? WHO : `49151${String(n).padStart(8, '0')}`) as Phone
    const hook = n % 6 === 0 ? `https://client.example/${WHO}/${'x'.repeat(1_500)}` : `https://client.example/${phone}`
    const content = { kind: 'text', text: `Your code is 7766, ${phone}` } as const
    const plan = [buildStep('sms', { content })]
    const message = await story.accepted(client, { phone, plan, hook, clientId: `"order of ${phone}"` })
    const carried = await story.after(taken(message, [`${phone}/${n}`]))
    await story.after(receipt(carried, 'delivered'))
    const detail = `200 for ${phone}`
    await story.store.settleReports([
      { messageId: message.id, number: 0, kind: 'sent', at: BEGINNING, dueAt: null, held: false, detail },
    ])
  })
  await Promise.all(lives)
  const from = { kind: 'call', from: '49301230001', code: '0001' } as const
  const call = story.message(client, { phone: WHO, plan: buildPlan('call'), hook: null })
  const terms = { candidates: [from], codesSince: 0, limit: { max: 9, since: 0 } }
  await story.accept(client, [{ kind: 'call', message: call, waits: false, ...terms }])
  await story.after(taken(call, ['c']))
  await story.store.recordInbound([wrote('STOP', { sender: WHO }), wrote('Hello', { sender: `+${WHO}` })], [])
  const optOut = { accountId: client, sender: null, phone: WHO, by: 'word', at: BEGINNING } as const
  await story.store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] })
}

test('a phone erased while a gateway runs, and again while none runs', async () => {
  await liveAmongOthers()
  const before = findInFiles(WHO)
  const tool = await story.openTool()
  const forgotten = await tool.forget(WHO, BEGINNING)
  expect(forgotten).toMatchObject({ messages: 101, replies: 2, optOuts: 1, leftovers: 'room' })
  // The rest are copies made when rows were moved.
  expect(findInFiles(WHO)).toBeLessThan(before / 20)
  await story.store.close()
  expect(await tool.forget(WHO, BEGINNING)).toMatchObject({ messages: 0, leftovers: 'none' })
  await tool.close()
  expect(findInFiles(WHO)).toBe(0)
  expect(findInFiles('4915100000001')).toBeGreaterThan(0)
  await story.reopen()
  expect(await story.store.findOptOuts([{ accountId: client, phone: WHO }])).toHaveLength(1)
  expect(findInFiles(WHO)).toBe(0)
})

test('records past their retention', async () => {
  await liveAmongOthers()
  await story.sweep(BEGINNING + 2 * DAY_MS, { inboundKeptDays: 2 })
  await story.reopen()
  expect(findInFiles('Your code is')).toBe(0)
  expect(findInFiles('4915100000001')).toBe(0)
  expect(findInFiles('order of')).toBe(0)
  expect(await story.store.verifyLedger()).toEqual([])
})
