/** The directory as rows. Secrets are opened while reading. */
import { directoryRevision } from '../../commands/installation/revisions.ts'
import { inOrder, selectFrom } from '../../rows/cells/table.ts'
import { type LongList, openDirectory, type SealedDirectory } from '../../rows/sealing/seal-secrets.ts'
import { LONG_LISTS, READ_TABLES, readGuardSettings } from '../../rows/setup/directory-tables.ts'
import type { ListRevisions, LoadedDirectory } from '../../rows/setup/known-directory.ts'
import type { Session } from '../session/session.ts'
import { commandRunner } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'
import { packRows } from './pack-change.ts'

/** Throws if something was sealed with another key. */
export function loadDirectory(session: Session): (known: ListRevisions) => LoadedDirectory {
  const run = commandRunner(session)
  const lists = { prices: loadList(session, 'prices'), costs: loadList(session, 'costs') }
  const tables = Object.entries(READ_TABLES).map(([name, table]) => {
    const select = new SqlStatement(session.database, `${selectFrom(table)} ${inOrder(table)}`)
    return [name, () => select.all().map(table.read)] as const
  })
  const operators = new SqlStatement<[content: string]>(session.database, 'SELECT content FROM operators')
  const guards = new SqlStatement<[content: string]>(session.database, 'SELECT content FROM guard_settings')
  return ({ prices, costs }) => {
    const rows = tables.map(([name, load]) => [name, load()])
    const guardSettings = readGuardSettings(guards.first()?.[0] ?? '{}')
    const rest = { revision: run(directoryRevision()), operators: operators.first()?.[0] ?? '', guardSettings }
    const sealed = { ...rest, ...Object.fromEntries(rows) } as SealedDirectory
    const opened = openDirectory(sealed, session.vault)
    return { ...opened, lists: { prices: lists.prices(prices), costs: lists.costs(costs) } }
  }
}

function loadList({ database }: Session, name: LongList) {
  const { table, revision: column } = LONG_LISTS[name]
  const revision = new SqlStatement<[revision: number]>(database, `SELECT ${column} FROM meta`)
  const rows = new SqlStatement(database, `${selectFrom(table)} ${inOrder(table)}`)
  return (known: number) => {
    const present = revision.first()?.[0] ?? 0
    return { revision: present, rows: present === known ? null : packRows(rows.all()) }
  }
}
