/** The directory as rows. Secrets are opened while reading. */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { inOrder, selectFrom } from '../../rows/cells/table.ts'
import { openDirectory, type SealedDirectory } from '../../rows/sealing/seal-secrets.ts'
import { DIRECTORY_ROWS, READ_TABLES, readGuardSettings } from '../../rows/setup/directory-tables.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'
import { inSnapshot } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

const LOCK_REVISION = rare<[revision: number]>('SELECT revision FROM meta FOR UPDATE')
const META = rare<[revision: number, priceRevision: number, operators: string, guards: string]>(
  'SELECT revision, price_revision, operators.content, guard_settings.content FROM meta, operators, guard_settings',
)
const { prices: PRICE_TABLE } = DIRECTORY_ROWS
const PRICES = rare(
  `${selectFrom(PRICE_TABLE)}
   WHERE (SELECT price_revision FROM meta) <> $1 ${inOrder(PRICE_TABLE)}`,
)

const TABLES = Object.entries(READ_TABLES).map(([name, table]) => {
  return { name, read: table.read, select: rare(`${selectFrom(table)} ${inOrder(table)}`) }
})

/** Returns the revision; locks out other changes until this transaction ends. */
export async function lockRevision(session: Session): Promise<number> {
  return (await session.query(LOCK_REVISION))[0]?.[0] ?? 0
}

/** Includes prices only if their revision differs from the known one: there may be very many. */
export interface LoadedDirectory extends Omit<DirectoryRows, 'prices'> {
  readonly priceRevision: number
  readonly priceRows: readonly (readonly Cell[])[] | null
}

/** Reads a consistent snapshot. Throws if something was sealed with another key. */
export async function loadDirectory(
  connection: Connection,
  vault: Vault,
  knownPrices: number,
): Promise<LoadedDirectory> {
  const [[meta], prices, ...tables] = await inSnapshot(connection, () =>
    Promise.all([
      connection.query(META),
      connection.query(PRICES, knownPrices),
      ...TABLES.map(async ({ name, read, select }) => [name, (await connection.query(select)).map(read)] as const),
    ]),
  )
  const [revision, priceRevision, operators, guards] = meta ?? [0, 0, '', '{}']
  const rest = { revision, operators, guardSettings: readGuardSettings(guards) }
  const sealed = { ...rest, ...Object.fromEntries(tables), prices: [] } as unknown as SealedDirectory
  const { prices: _, ...opened } = openDirectory(sealed, vault)
  return { ...opened, priceRevision, priceRows: priceRevision === knownPrices ? null : prices }
}
