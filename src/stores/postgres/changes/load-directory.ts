/** The directory as rows. Secrets are opened while reading. */
import { SLICE_ITEMS } from '../../../ports/system/slices.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { inOrder, selectFrom } from '../../rows/cells/table.ts'
import { type LongList, openDirectory, type SealedDirectory } from '../../rows/sealing/seal-secrets.ts'
import { LONG_LISTS, READ_TABLES, readGuardSettings } from '../../rows/setup/directory-tables.ts'
import type { ListRevisions, LoadedDirectory } from '../../rows/setup/known-directory.ts'
import { quoted } from '../../tables/declaration.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'
import { inSnapshot } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

const LOCK_REVISION = rare<[revision: number]>('SELECT revision FROM meta FOR UPDATE')
const { prices: PRICES, costs: COSTS } = LONG_LISTS
const META = rare<[revision: number, prices: number, costs: number, operators: string, guards: string]>(
  `SELECT revision, ${PRICES.revision}, ${COSTS.revision}, operators.content, guard_settings.content
   FROM meta, operators, guard_settings`,
)
const LISTS = { prices: listIfChanged('prices'), costs: listIfChanged('costs') }

const TABLES = Object.entries(READ_TABLES).map(([name, table]) => {
  return { name, read: table.read, select: rare(`${selectFrom(table)} ${inOrder(table)}`) }
})

/** Reads the list in pieces, unless its revision is the parameter. */
function listIfChanged(name: LongList) {
  const { table, revision } = LONG_LISTS[name]
  const cells = `json_build_array(${table.columns.map(quoted).join(', ')})`
  return rare<[piece: string]>(
    `SELECT json_agg(cells ORDER BY place)::text
     FROM (SELECT ${cells} AS cells, row_number() OVER (${inOrder(table)}) - 1 AS place FROM ${table.from}) AS placed
     WHERE (SELECT ${revision} FROM meta) <> $1 GROUP BY place / ${SLICE_ITEMS} ORDER BY place / ${SLICE_ITEMS}`,
  )
}

/** Returns the revision; locks out other changes until this transaction ends. */
export async function lockRevision(session: Session): Promise<number> {
  return (await session.query(LOCK_REVISION))[0]?.[0] ?? 0
}

/** Reads a consistent snapshot. Throws if something was sealed with another key. */
export async function loadDirectory(
  connection: Connection,
  vault: Vault,
  known: ListRevisions,
): Promise<LoadedDirectory> {
  const [[meta], prices, costs, ...tables] = await inSnapshot(connection, () =>
    Promise.all([
      connection.query(META),
      connection.query(LISTS.prices, known.prices),
      connection.query(LISTS.costs, known.costs),
      ...TABLES.map(async ({ name, read, select }) => [name, (await connection.query(select)).map(read)] as const),
    ]),
  )
  const [revision, priceRevision, costRevision, operators, guards] = meta ?? [0, 0, 0, '', '{}']
  const rest = { revision, operators, guardSettings: readGuardSettings(guards) }
  const opened = openDirectory({ ...rest, ...Object.fromEntries(tables) } as SealedDirectory, vault)
  return {
    ...opened,
    lists: {
      prices: { revision: priceRevision, rows: priceRevision === known.prices ? null : prices.flat() },
      costs: { revision: costRevision, rows: costRevision === known.costs ? null : costs.flat() },
    },
  }
}
