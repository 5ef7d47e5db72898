/**
 * The database that the gateway writes is opened so that a commit is on disk when it is answered. A killed process
 * proves nothing of that, for the system keeps what was written; `docs/operations/crash-safety.md` says how to count
 * the fsyncs.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DatabaseRole, openDatabase } from '../../src/stores/sqlite/session/open-database.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-durability-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const FULL = 2

test.each<{ readonly role: DatabaseRole }>([{ role: 'gateway' }, { role: 'tool' }])(
  'a $role commits to the disk, on a new file and on one that is there',
  ({ role }) => {
    for (const _opening of ['new', 'there']) {
      const { database, close } = openDatabase(join(folder, 'posthorn.db'), role)
      try {
        const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
        expect(pragma('synchronous')).toBe(FULL)
        expect(pragma('journal_mode')).toBe('wal')
      } finally {
        close()
      }
    }
  },
)

test('a gateway writes ahead on a file that another tool has made anew', () => {
  const [first, anew] = [join(folder, 'posthorn.db'), join(folder, 'anew', 'posthorn.db')]
  mkdirSync(join(folder, 'anew'))
  const { database, close } = openDatabase(first, 'gateway')
  database.exec(`VACUUM INTO '${anew}'`)
  close()
  const opened = openDatabase(anew, 'gateway')
  try {
    expect(Object.values(opened.database.prepare('PRAGMA journal_mode').get() ?? {})).toEqual(['wal'])
  } finally {
    opened.close()
  }
})
