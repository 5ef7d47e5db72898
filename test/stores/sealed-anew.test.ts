/** Changing the sealing key: every sealed column is visited, nothing is lost, and no seal under the old key remains. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SEALED_IN_FILE } from '../../src/stores/sqlite/sweeping/seal-anew.ts'
import { addSealingKey, type KeySource, makeKeyFile, readKeys, removeKey } from '../../src/stores/vault/key-ring.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { fill, readAll } from '../conformance/store/sealed-things.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { sealAsBefore } from '../support/first-seal.ts'
import { wrotePart } from '../support/inbound-arrival.ts'

let folder: string
let keys: Extract<KeySource, { kind: 'file' }>
let story: StoreStory

const file = () => join(folder, 'posthorn.db')
const oldest = () => readKeys(keys).at(-1)?.id ?? ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  keys = { kind: 'file', path: join(folder, 'secret.key') }
  makeKeyFile(keys.path)
  story = await StoreStory.begin(async () => ({
    open: () => openSqliteStore({ file: file(), keys }),
    openTool: () => openSqliteStore({ file: file(), keys, role: 'tool', inline: true }),
    remove: async () => rmSync(folder, { recursive: true }),
  }))
})
afterEach(() => story.end())

/** Returns where the database contains seals of this key: searches every column of every table. */
function placesUnder(keyId: string): ReadonlySet<string> {
  const database = new DatabaseSync(file())
  const vault = openVault(keys)
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  const found = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .flatMap((row) =>
        Object.entries(row).flatMap(([column, cell]) => {
          if (typeof cell !== 'string' && !(cell instanceof Uint8Array)) return []
          const parts = typeof cell === 'string' ? [cell, ...(cell.match(/\bv2\.[\w-]+/g) ?? [])] : [cell]
          return parts.some((part) => vault.keyOf(part) === keyId) ? [`${name}.${column}`] : []
        }),
      ),
  )
  database.close()
  return new Set(found)
}

test('changes the key while a gateway runs, so that the old one can be removed', async () => {
  const ids = await fill(story)
  const before = await readAll(story.store, ids)
  const old = await story.store.sealingKey()
  expect(old).toBe(oldest())
  const everySealed = SEALED_IN_FILE.flatMap(({ table, columns }) => columns.map(({ name }) => `${table}.${name}`))
  expect([...placesUnder(old)].toSorted()).toEqual(everySealed.toSorted())

  const tool = await story.openTool()
  const added = addSealingKey(keys.path)
  await tool.change({ kind: 'seal with', keyId: added })
  expect(await story.store.sealingKey()).toBe(added)
  const client = before.messages[0]?.accountId
  const concurrent = await story.accepted(client as never)
  expect(await tool.countSeals()).toEqual(
    expect.arrayContaining([
      { keyId: added, seals: 1 },
      { keyId: old, seals: expect.any(Number) },
    ]),
  )
  const resealed = await tool.sealAnew()
  expect(resealed).toBeGreaterThan(ids.length)
  expect(placesUnder(old)).toEqual(new Set())
  expect(await tool.countSeals()).toEqual([{ keyId: added, seals: resealed + 1 }])
  expect(await tool.sealAnew()).toBe(0)
  await tool.close()

  removeKey(keys.path, old)
  await story.reopen()
  const { messages, ...after } = await readAll(story.store, ids)
  expect(messages.map(({ id }) => id)).toContain(concurrent.id)
  expect({ ...after, messages: messages.filter(({ id }) => id !== concurrent.id) }).toEqual(before)
  const links = await story.store.findLinks(['abc'])
  expect(links).toMatchObject([{ url: 'https://x.example' }])
  await story.store.recordInbound([wrotePart(2, ' and'), wrotePart(3, ' the rest')], [])
  expect(await story.store.inboundMessages(1)).toMatchObject([{ text: 'a part and the rest' }])
})

test('re-seals secrets without a place with it, under the same key', async () => {
  const ids = await fill(story)
  const before = await readAll(story.store, ids)
  await story.store.close()
  const vault = openVault(keys)
  const bound = SEALED_IN_FILE.flatMap(({ table, columns }) =>
    columns.flatMap(({ name, kind }) => (kind === 'bound' ? [[table, name] as const] : [])),
  )
  const database = new DatabaseSync(file())
  const cells = ([table, column]: readonly [string, string]) => {
    const rows = database.prepare(`SELECT ${column} AS cell FROM ${table} WHERE ${column} IS NOT NULL`).all()
    return rows.map(({ cell }) => String(cell))
  }
  expect(bound.map((each) => cells(each).every((cell) => vault.isBound(cell)))).toEqual(bound.map(() => true))
  // As the previous version left them.
  const settings = vault.seal(JSON.stringify({ host: '127.0.0.1', password: 'hunter22' }))
  database.prepare('UPDATE carrier SET settings = ?').run(settings)
  database.prepare('UPDATE admin_user SET totp_secret = ?').run(vault.seal('"JBSWY3DP"'))
  database.prepare('UPDATE admin_request SET answer = ?').run(vault.seal('an answer'))
  database.close()
  await story.reopen()
  expect(await readAll(story.store, ids)).toEqual(before)
  expect(await story.store.sealAnew()).toBe(3)
  expect(await story.store.sealAnew()).toBe(0)
  expect(await readAll(story.store, ids)).toEqual(before)
})

test('detects a secret moved to another row', async () => {
  await story.account()
  const carrier = (id: string, password: string) =>
    ({ kind: 'set carrier', carrier: { id, channel: 'sms', kind: 'smpp', settings: { password } } }) as const
  await story.store.change(carrier('acme', 'hunter22'))
  await story.store.change(carrier('mallory', 'known'))
  await story.store.close()
  const database = new DatabaseSync(file())
  database.exec(`UPDATE carrier SET settings = (SELECT settings FROM carrier WHERE carrier_id = 'acme')`)
  database.close()
  await story.reopen()
  await expect(story.store.loadDirectory()).rejects.toThrow(
    'a sealed secret was changed, or was sealed for another row',
  )
})

test('recognizes erased recipients under the new key', async () => {
  const client = await story.account()
  const optOut = { accountId: client, sender: null, phone: '4915112345678' as never, by: 'word', at: 1 } as const
  await story.store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] })
  await story.store.forget(optOut.phone, BEGINNING)
  const old = oldest()
  await story.store.change({ kind: 'seal with', keyId: addSealingKey(keys.path) })
  await story.store.sealAnew()
  removeKey(keys.path, old)
  await story.reopen()
  expect(await story.store.findOptOuts([optOut])).toEqual([optOut])
})

test('refuses a key that is not in the ring, and names a lost one; changes nothing', async () => {
  const ids = await fill(story)
  const old = await story.store.sealingKey()
  const before = await readAll(story.store, ids)
  await expect(story.store.change({ kind: 'seal with', keyId: '00000000' })).rejects.toMatchObject({
    name: 'ChangeRefused',
    message: expect.stringContaining('key 00000000'),
  })
  expect(await story.store.sealingKey()).toBe(old)

  await story.store.change({ kind: 'seal with', keyId: addSealingKey(keys.path) })
  await story.store.close()
  const [newKey] = readKeys(keys)
  const withoutOld = {
    kind: 'given',
    name: 'the test',
    keys: Buffer.from(newKey?.bytes ?? []).toString('hex'),
  } as const
  await expect(openSqliteStore({ file: file(), keys: withoutOld })).rejects.toThrow(
    `the stored data was sealed with key ${old}, which is not in the test`,
  )
  await story.reopen()
  expect(await readAll(story.store, ids)).toEqual(before)
  expect(placesUnder(old).size).toBeGreaterThan(5)
})

test('re-seals secrets from before keys had names, and leaves similar texts', async () => {
  const client = await story.account()
  const [key] = readKeys(keys)
  const hex = Buffer.from(key?.bytes ?? []).toString('hex')
  const alike = sealAsBefore('ab'.repeat(32), 'x')
  await story.store.close()
  const database = new DatabaseSync(file())
  database.prepare('UPDATE account SET hook_secrets = ?').run(sealAsBefore(hex, '["whsec_1"]'))
  database
    .prepare(`INSERT INTO inbound_message (inbound_id, carrier_id, sender, recipient, text, at)
    VALUES (1, 'smsc', '1', '2', ?, 3)`)
    .run(alike)
  database.close()
  await story.reopen()
  expect(await story.store.countSeals()).toContainEqual({ keyId: '', seals: 1 })
  expect(await story.store.sealAnew()).toBe(1)
  expect(await story.store.countSeals()).toEqual([{ keyId: key?.id, seals: 2 }])
  expect((await story.store.loadDirectory()).accounts).toMatchObject([{ id: client, hookSecrets: ['whsec_1'] }])
  expect(await story.store.inboundMessages(1)).toMatchObject([{ text: alike }])
})
