/** An installation of the embedded store on a file, which a thread of its own reads and writes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

export async function installFile() {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  const file = join(folder, 'data', 'posthorn.db')
  const keys = TEST_KEYS
  return {
    file,
    open: () => openSqliteStore({ file, keys }),
    openTool: () => openSqliteStore({ file, keys, role: 'tool' }),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}
