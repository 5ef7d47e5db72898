/** Sealed texts on disk: unreadable without the key; unsealed texts of earlier versions are still read. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ShortLink } from '../../src/ports/records/short-link.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING, buildPlan, buildStep } from '../support/build-message.ts'
import { wrote, wrotePart } from '../support/inbound-arrival.ts'
import { clicked, taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { OLD_MESSAGE, OLD_SCHEMA, oldRows } from './old-database.ts'

let folder: string
let story: StoreStory

async function openFile() {
  return openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS, inline: true })
}

/** Everything on disk. */
function bytes(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  story = await StoreStory.begin(async () => ({
    open: openFile,
    openTool: openFile,
    remove: async () => rmSync(folder, { recursive: true }),
  }))
})
afterEach(() => story.end())

test('texts, links, codes, templates and answers are readable through the store but not in the files', async () => {
  const client = await story.account()
  const content = {
    kind: 'text',
    text: 'private-text',
    image: 'https://x.example/private-image',
    link: 'https://x.example/private-button',
    button: 'private-label',
  } as const
  const message = story.message(client, { plan: [buildStep('rcs', { content }), buildStep('sms')] })
  const url = 'https://x.example/private-target'
  const link: ShortLink = { code: 'abcdefghij', messageId: message.id, url, expiresAt: BEGINNING + 1_000 }
  await story.accept(client, [messageItem(message, { links: [link] })])
  const from = { kind: 'call', from: '49309998877', code: '8877' } as const
  const call = story.message(client, { plan: buildPlan('call') })
  const template = { id: 1, accountId: client, name: 'greeting', template: 'private-template' }
  const idempotency = { key: 'k', bodyHash: 'h', draft: 'private-draft', keepUntil: BEGINNING + 1 }
  await story.accept(
    client,
    [
      { kind: 'call', message: call, waits: false, candidates: [from], codesSince: 0, limit: { max: 9, since: 0 } },
      { kind: 'template', template, max: { count: 9, bytes: 9_000 } },
    ],
    { idempotency },
  )
  const after = await story.after(taken(message, ['r']))
  await story.record(clicked(after, url, link.code), { clickedCode: link.code, reportsHeld: false })
  const inbound = { carrierId: 'smsc', sender: '4915100000001', recipient: '77', text: 'private-reply', at: BEGINNING }
  await story.store.recordInbound([wrote(inbound.text, inbound), wrotePart(1, 'private-part')], [])
  const chat = { id: 7, accountId: client, template: 'private-chat', signature: 'Shop', status: 'approved' } as const
  await story.store.change({ kind: 'set chat template', template: chat })

  expect(bytes()).not.toContain('private')
  expect(bytes()).not.toContain('49309998877')
  await story.reopen()
  const [first, second] = await story.store.loadMessages([message.id, call.id])
  expect(first?.plan).toEqual(message.plan)
  expect(second?.plan[0]?.content).toEqual(from)
  expect(await story.store.findLinks([link.code])).toEqual([link])
  const trace = await story.store.trace(message.id)
  expect(trace).toMatchObject({ links: [{ url }], message: { plan: message.plan } })
  expect(JSON.parse(trace?.reports[0]?.body ?? '')).toMatchObject({ type: 'link.clicked', url })
  const { reports } = await story.store.claimReports({ now: BEGINNING + 9_999, limit: 9 })
  expect(reports[0]?.body).toBe(trace?.reports[0]?.body)
  expect(await story.store.inboundMessages(9)).toEqual([inbound])
  expect((await story.store.page({ of: 'inbound', accountId: null, after: null, limit: 9 })).rows).toEqual([
    { ...inbound, owned: null, reply: null },
  ])
  const listed = { of: 'messages', accountId: null, phone: null, status: null, after: null, limit: 9 } as const
  const ids = (await story.store.page(listed)).rows.map(({ id }) => id)
  expect((await story.store.loadMessages(ids)).map((row) => row.plan[0]?.content)).toEqual([from, content])
  expect((await story.store.loadDirectory()).chatTemplates).toEqual([chat])
  const again = await story.store.accept({ accountId: client, now: BEGINNING, idempotency, items: [] })
  expect(again).toMatchObject({ kind: 'replayed', draft: 'private-draft', outcomes: [{ call: from }, {}] })
})

test('reads an installation with unsealed texts, and names its first key', async () => {
  const file = join(folder, 'before.db')
  const before = new DatabaseSync(file)
  const { version, tables } = OLD_SCHEMA.sqlite
  before.exec(`${tables}; ${oldRows('sqlite')}; PRAGMA user_version = ${version}`)
  before.close()

  const foreign = { kind: 'given', name: 'the test', keys: 'ab'.repeat(32) } as const
  await expect(openSqliteStore({ file, keys: foreign, inline: true })).rejects.toThrow(/sealed with another key/)
  const store = await openSqliteStore({ file, keys: TEST_KEYS, inline: true })
  expect((await store.loadMessages([OLD_MESSAGE.id]))[0]?.plan).toEqual(OLD_MESSAGE.plan)
  expect(await store.findLinks(['abc'])).toMatchObject([{ url: 'https://x.example' }])
  expect(await store.inboundMessages(1)).toMatchObject([{ text: 'a reply' }])
  expect((await store.loadDirectory()).accounts).toMatchObject([{ hookSecrets: ['whsec_1'] }])
  await store.close()
  await expect(openSqliteStore({ file, keys: foreign, inline: true })).rejects.toThrow(/which is not in the test/)
})
