/** Opens the store of a cluster: one PostgreSQL database, any number of gateways and tools on it. */
import { hostname } from 'node:os'
import type { NodeRole } from '../../ports/records/cluster.ts'
import type { CommitTimer } from '../../ports/records/commit-timer.ts'
import type { OnMigration } from '../../ports/records/migration.ts'
import { StoreError, StoreUnavailable } from '../../ports/records/store-errors.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { readPhoneSecret } from '../commands/installation/sealing-key.ts'
import type { KeySource } from '../vault/key-ring.ts'
import { openVault } from '../vault/open-vault.ts'
import { phoneHasher } from '../vault/phone-hash.ts'
import { NodeLease } from './cluster/node-lease.ts'
import { listenForBuckets } from './cluster/notifier.ts'
import type { Connection } from './connection/connection.ts'
import { DatabaseHosts, NoPrimary } from './connection/database-hosts.ts'
import { LastingConnection, LONG_WORK, SHORT_WORK } from './connection/lasting-connection.ts'
import { Reader } from './connection/reader.ts'
import { BucketLanes } from './engine/bucket-lanes.ts'
import { distribute } from './partitions/distribute.ts'
import { makePartitions } from './partitions/partitions.ts'
import { reserveIds } from './partitions/reserve-ids.ts'
import { PostgresStore } from './postgres-store.ts'
import { hasKey, migrate } from './schema/schema.ts'
import { runOn } from './session/run-command.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/name`, with several hosts if there are standbys. Never logged. */
  readonly url: string
  readonly keys: KeySource
  readonly clock: Clock
  /**
   * Nodes that deliver take their share of due work; `all` by default. A `tool` reads and changes, and holds nothing
   * for long.
   */
  readonly role?: NodeRole | 'tool'
  /** Connections that write messages, besides five others; also the number of concurrent batches. */
  readonly lanes?: number
  /** Something may be due that this node does not know of: other nodes came or went, or released work. */
  readonly onDue?: () => void
  /** This node was declared dead; it writes nothing any more, and others do its work. */
  readonly onLost?: (reason: string) => void
  readonly timeCommit?: CommitTimer
  readonly onMigration?: OnMigration
}

const LANES = 4

/** How long calls of a gateway wait while the database is unavailable. A tool fails at once. */
const PATIENCE_MS = 5_000
/** Requests wait for counters. */
const COUNT_WITHIN_MS = 4_000
/** Verifying the whole ledger, creating and dropping partitions. */
const LONG_WORK_WITHIN_MS = 1_800_000

/** Rejects with a StoreError if the database cannot be reached or was written by a newer Posthorn. */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const hosts = new DatabaseHosts(options.url)
  try {
    return await open(options, hosts)
  } catch (error) {
    throw explain(error, hosts)
  }
}

export function explain(error: unknown, hosts: DatabaseHosts): StoreError {
  if (error instanceof StoreError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const where = error instanceof NoPrimary ? '' : ` at ${hosts.names}`
  const Kind = error instanceof NoPrimary && error.mayPass ? StoreUnavailable : StoreError
  return new Kind(`cannot open the database${where}: ${reason}`, { cause: error })
}

/** Returns whether the database holds an installation, whose texts may be sealed. Rejects with a StoreError. */
export function holdsInstallation(url: string): Promise<boolean> {
  return onOneLine(url, hasKey)
}

/**
 * Migrates the schema and, if `spread`, distributes its tables over the servers of a Citus cluster; returns those that
 * were distributed now. Rejects with a StoreError.
 */
export function migrateDatabase(url: string, spread: boolean, onMigration?: OnMigration): Promise<readonly string[]> {
  return onOneLine(url, async (connection) => {
    await migrate(connection, onMigration)
    return spread ? distribute(connection) : []
  })
}

async function onOneLine<Answer>(url: string, work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
  const hosts = new DatabaseHosts(url)
  const lasting = new LastingConnection(hosts, LONG_WORK)
  try {
    return await work(await lasting.connection())
  } catch (error) {
    throw explain(error, hosts)
  } finally {
    await lasting.close()
  }
}

async function open(options: PostgresOptions, hosts: DatabaseHosts): Promise<PostgresStore> {
  const { keys, clock, role = 'all', lanes: count = LANES } = options
  const delivers = role === 'all' || role === 'delivery'
  await using opened = new AsyncDisposableStack()
  let store: PostgresStore | null = null
  const onRing = (from: number, buckets: readonly number[]) => {
    if (store?.noteWaiting(from, buckets)) options.onDue?.()
  }
  const subscribe = (connection: Connection) => listenForBuckets(connection, onRing)
  const keeper = opened.adopt(new LastingConnection(hosts, LONG_WORK, delivers ? subscribe : undefined), (lasting) =>
    lasting.close(),
  )
  await hosts.checkSession(await keeper.connection())
  const vault = openVault(keys)
  await migrate(await keeper.connection(), options.onMigration)
  if (role !== 'tool') await makePartitions(await keeper.connection(), clock.now())

  let isLost = false
  const lost = (reason: string) => {
    lease.lose(reason)
    if (!isLost) options.onLost?.(reason)
    isLost = true
  }
  const onDue = () => {
    store?.expectDue()
    options.onDue?.()
  }
  let writeReleases = () => {}
  const events = { onBeat: () => writeReleases(), onOthers: onDue, onLost: lost }
  const lease: NodeLease = await NodeLease.take({ lasting: keeper, clock, vault, events }, { name: hostname(), role })
  const patience = { clock, patienceMs: role === 'tool' ? 0 : PATIENCE_MS }
  const reader = new Reader(new LastingConnection(hosts, SHORT_WORK), patience)
  // Reads must not wait behind a commit that waits for a standby.
  const writer = new Reader(new LastingConnection(hosts, SHORT_WORK), patience)
  // On its own connection: the caller is in a transaction that others on the reader's may wait for.
  const counters = new Reader(new LastingConnection(hosts, SHORT_WORK), { ...patience, withinMs: COUNT_WITHIN_MS })
  const hashPhone = phoneHasher(await runOn(await keeper.connection(), vault, readPhoneSecret()))
  const session = {
    node: lease.node,
    acknowledged: lease.acknowledged,
    vault,
    hashPhone,
    nextCounters: (count: number) => counters.read((connection) => reserveIds(connection, count, clock.now())),
    onReports: (buckets: readonly number[]) => store?.expectReports(buckets),
    onMissedReceipts: () => store?.expectStranded(),
  }
  const lanes = new BucketLanes(
    { ...session, ...patience, hosts, onDue, onLost: lost, timeCommit: options.timeCommit },
    count,
  )
  writeReleases = () => lanes.writeReleases()
  const owned = opened.move()
  store = new PostgresStore({
    vault,
    clock,
    hashPhone,
    lanes,
    reader,
    writer,
    counters,
    lease,
    openReader: () =>
      new Reader(new LastingConnection(hosts, LONG_WORK), { ...patience, withinMs: LONG_WORK_WITHIN_MS }),
    close: async () => {
      await lanes.close()
      await counters.close()
      await writer.close()
      await reader.close()
      // Other nodes take over what cannot be released now.
      await (isLost ? lease.end() : lease.release()).catch(() => {})
      await owned.disposeAsync()
    },
  })
  return store
}
