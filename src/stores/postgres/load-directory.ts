/** The directory as rows, and the revision that says when to load it again. Secrets are opened on the way out. */
import type { DirectoryRows } from '../../domain/directory.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import { DIRECTORY_TABLES, READ_TABLES, readGuardSettings } from '../rows/directory-tables.ts'
import { openDirectory, type SealedDirectory } from '../rows/seal-secrets.ts'
import { selectFrom } from '../rows/table.ts'
import type { Link } from './link.ts'
import type { Session } from './session.ts'
import { rare } from './statement.ts'

const REVISION = rare<[revision: number]>('SELECT revision FROM meta')
const LOCK_REVISION = rare<[revision: number]>('SELECT revision FROM meta FOR UPDATE')
const META = rare<[revision: number, priceRevision: number, operators: string, guards: string]>(
  'SELECT revision, price_revision, operators.content, guard_settings.content FROM meta, operators, guard_settings',
)
const { prices: PRICE_TABLE } = DIRECTORY_TABLES
const PRICES = rare(
  `${selectFrom(PRICE_TABLE)}
   WHERE (SELECT price_revision FROM meta) <> $1 ORDER BY ${orderOf(PRICE_TABLE.columns)}`,
)

const TABLES = Object.entries(READ_TABLES).map(([name, table]) => {
  return { name, read: table.read, select: rare(`${selectFrom(table)} ORDER BY ${orderOf(table.columns)}`) }
})

/** By all columns, for rows that are alike in the first two would come as they happen to lie. */
function orderOf(columns: readonly string[]): string {
  return columns.map((_, index) => index + 1).join(', ')
}

export async function directoryRevision(link: Link): Promise<number> {
  return (await link.query(REVISION))[0]?.[0] ?? 0
}

/** The revision; no other change is made before this transaction ends. */
export async function lockRevision(session: Session): Promise<number> {
  return (await session.query(LOCK_REVISION))[0]?.[0] ?? 0
}

/** Prices are there only when they are of another revision than the one that is known: there may be very many. */
export interface LoadedDirectory extends Omit<DirectoryRows, 'prices'> {
  readonly priceRevision: number
  readonly priceRows: readonly (readonly Cell[])[] | null
}

/** All as it was at one moment. Throws when something was sealed with another key. */
export async function loadDirectory(link: Link, vault: Vault, knownPrices: number): Promise<LoadedDirectory> {
  // All of it is sent before anybody else can send something on the same connection.
  const begun = link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const asked = Promise.all([
    link.query(META),
    link.query(PRICES, knownPrices),
    ...TABLES.map(async ({ name, read, select }) => [name, (await link.query(select)).map(read)] as const),
  ])
  const ended = link.run('COMMIT')
  const [[meta], prices, ...tables] = await asked.finally(() => Promise.allSettled([begun, ended]))
  const [revision, priceRevision, operators, guards] = meta ?? [0, 0, '', '{}']
  const rest = { revision, operators, guardSettings: readGuardSettings(guards) }
  const sealed = { ...rest, ...Object.fromEntries(tables), prices: [] } as unknown as SealedDirectory
  const { prices: _, ...opened } = openDirectory(sealed, vault)
  return { ...opened, priceRevision, priceRows: priceRevision === knownPrices ? null : prices }
}
