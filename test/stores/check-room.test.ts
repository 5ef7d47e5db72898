/** A store without room on its disk takes no writes, although its own files may have some left. */
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { useSmallDisk } from '../support/small-disk.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const smallDisk = useSmallDisk(32)

test.skipIf(!smallDisk.isThere)('a full disk is found before a write fails, and room again', async () => {
  const folder = smallDisk.makeFolder(tmpdir())
  const store = await openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS })
  await store.checkWrites()
  const files = readdirSync(folder)
  smallDisk.fill()
  await expect(store.checkWrites()).rejects.toThrow(/ENOSPC/)
  await expect(store.checkWrites()).rejects.toThrow(StoreError)
  expect(readdirSync(folder)).toEqual(files)
  smallDisk.clear()
  await store.checkWrites()
  await store.close()
})

test('a folder that is gone, and a database in memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-room-'))
  const store = await openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS })
  await store.checkWrites()
  renameSync(folder, `${folder}-elsewhere`)
  await expect(store.checkWrites()).rejects.toThrow(StoreError)
  renameSync(`${folder}-elsewhere`, folder)
  await store.checkWrites()
  await store.close()
  rmSync(folder, { recursive: true })
  const inMemory = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  await inMemory.checkWrites()
  await inMemory.close()
})
