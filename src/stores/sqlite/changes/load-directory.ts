/** The directory as rows. Secrets are opened while reading. */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { directoryRevision } from '../../commands/installation/revisions.ts'
import { inOrder, selectFrom } from '../../rows/cells/table.ts'
import { openDirectory, type SealedDirectory } from '../../rows/sealing/seal-secrets.ts'
import { DIRECTORY_ROWS, READ_TABLES, readGuardSettings } from '../../rows/setup/directory-tables.ts'
import type { Session } from '../session/session.ts'
import { commandRunner } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'
import { type Pieces, packRows } from './price-pieces.ts'

/** Includes prices only if their revision differs from the known one: there may be very many. */
export interface LoadedDirectory extends Omit<DirectoryRows, 'prices'> {
  readonly priceRevision: number
  readonly priceRows: Pieces | null
}

/** Throws if something was sealed with another key. */
export function loadDirectory(session: Session): (knownPrices: number) => LoadedDirectory {
  const run = commandRunner(session)
  const prices = loadPrices(session)
  const tables = Object.entries(READ_TABLES).map(([name, table]) => {
    const select = new SqlStatement(session.database, `${selectFrom(table)} ${inOrder(table)}`)
    return [name, () => select.all().map(table.read)] as const
  })
  const operators = new SqlStatement<[content: string]>(session.database, 'SELECT content FROM operators')
  const guards = new SqlStatement<[content: string]>(session.database, 'SELECT content FROM guard_settings')
  return (knownPrices) => {
    const rows = tables.map(([name, load]) => [name, load()])
    const guardSettings = readGuardSettings(guards.first()?.[0] ?? '{}')
    const rest = { revision: run(directoryRevision()), operators: operators.first()?.[0] ?? '', guardSettings }
    const sealed = { ...rest, ...Object.fromEntries(rows), prices: [] } as unknown as SealedDirectory
    const { prices: _, ...opened } = openDirectory(sealed, session.vault)
    return { ...opened, ...prices(knownPrices) }
  }
}

function loadPrices({ database }: Session): (known: number) => Pick<LoadedDirectory, 'priceRevision' | 'priceRows'> {
  const revision = new SqlStatement<[revision: number]>(database, 'SELECT price_revision FROM meta')
  const rows = new SqlStatement(database, `${selectFrom(DIRECTORY_ROWS.prices)} ${inOrder(DIRECTORY_ROWS.prices)}`)
  return (known) => {
    const priceRevision = revision.first()?.[0] ?? 0
    return { priceRevision, priceRows: priceRevision === known ? null : packRows(rows.all()) }
  }
}
