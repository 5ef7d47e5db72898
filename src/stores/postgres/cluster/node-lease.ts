/**
 * The lease of this node: a number that is never reused, and a heartbeat. A node whose heartbeat stays unchanged over
 * several looks of another one is declared dead, whatever the clocks say: its leases are ended, so that it can write
 * nothing any more, and what it held is due at once.
 */
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import type { ClusterNode, NodeRole } from '../../../ports/records/cluster.ts'
import type { Cancel, Clock } from '../../../ports/system/clock.ts'
import { VERSION } from '../../../ports/system/user-agent.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { settleKey } from '../../commands/installation/sealing-key.ts'
import { refuseToWork } from '../../move/mark.ts'
import { useKey } from '../../vault/open-vault.ts'
import type { Connection } from '../connection/connection.ts'
import type { LastingConnection } from '../connection/lasting-connection.ts'
import { rare } from '../connection/statement.ts'
import { Acknowledged } from '../session/acknowledged.ts'
import { runOn } from '../session/run-command.ts'
import { findMark } from './moving.ts'
import { bucketsOfNode } from './share.ts'

/** Milliseconds, by the clock of the database. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const ENTER = rare<[node: number]>(
  `INSERT INTO node (node, heartbeat, delivers, name, role, version, started_at, heartbeat_at, opens_addresses)
   VALUES (nextval(CASE $3 WHEN 'tool' THEN 'command_number' ELSE 'node_number' END), 0, $1, $2, $3, $4, ${NOW}, ${NOW}, 1) RETURNING node`,
)
type Listed = [
  node: number,
  name: string,
  role: NodeRole,
  startedAt: number,
  silentMs: number,
  version: string,
  slots: number,
]
const LIST = rare<Listed>(
  `SELECT node, name, role, started_at, greatest(0, ${NOW} - heartbeat_at), version,
     (SELECT count(*)::integer FROM carrier_slot WHERE carrier_slot.node = node.node)
   FROM node WHERE role <> 'tool' ORDER BY node`,
)
/** One for each bucket, and one for the set-up. */
const LEASE = rare(
  `INSERT INTO lease (bucket, node, batch, sealing_key, books_from, swept_to) SELECT asked.bucket, $1, 0, $2, $3, coalesce(swept.furthest, 0)
   FROM generate_series(0, ${BUCKETS}) AS asked (bucket) LEFT JOIN
     (SELECT bucket, max(furthest) AS furthest FROM sweep_mark GROUP BY bucket) AS swept USING (bucket)`,
)
type Look = [node: number, beat: number, delivers: number, role: string, opensAddresses: number]

const BEAT = rare<[beat: number]>(
  `UPDATE node SET heartbeat = heartbeat + 1, heartbeat_at = ${NOW} WHERE node = $1 AND heartbeat >= $2 RETURNING heartbeat`,
)
const REWOUND_AT = rare<[at: number]>('SELECT at FROM rewind')
export const LOOK = rare<Look>('SELECT node, heartbeat, delivers, role, opens_addresses FROM node ORDER BY node')
/** Waits for transactions of the node and blocks later ones. */
const END_LEASES = rare('DELETE FROM lease WHERE node = $1')
const FREE_DUE = rare('UPDATE due SET node = 0, tenant = 0, due_at = 0 WHERE node = $1 AND node <> 0')
const FREE_REPORTS = rare(`UPDATE report SET node = 0, due_at = 0 WHERE node = $1 AND node <> 0 AND state = 'pending'`)
/** Its connections to carriers may stay open for a while: the carriers themselves enforce their limits. */
const FREE_SLOTS = rare('DELETE FROM carrier_slot WHERE node = $1')
const FREE_PLACES = rare('DELETE FROM login_place WHERE node = $1')
const LEAVE = rare('DELETE FROM node WHERE node = $1')

/** The bucket under whose lease operator changes are written. */
export const SET_UP_BUCKET = BUCKETS

export const BEAT_EVERY_MS = 1_000
/** A node is dead after this many consecutive looks without a new heartbeat. */
export const QUIET_LOOKS = 5
/** A node without a heartbeat for this long sends nothing, because the others soon declare it dead. */
const FRESH_MS = BEAT_EVERY_MS * (QUIET_LOOKS - 1)
/** What a leaving node could not release by then is taken over as from a dead node. */
const LEAVE_WITHIN_MS = 10_000

export interface LeaseEvents {
  /** The database was reached. */
  readonly onBeat: () => void
  /** Another node came or went: this node's share may have changed. */
  readonly onOthers: () => void
  /** This node was declared dead. */
  readonly onLost: (reason: string) => void
}

interface LeaseTools {
  readonly lasting: LastingConnection
  readonly clock: Clock
  readonly vault: Vault
  readonly events: LeaseEvents
}

export interface NodeFacts {
  readonly name: string
  readonly role: NodeRole | 'tool'
}

interface Other {
  readonly beat: number
  readonly quietLooks: number
}

export class NodeLease {
  readonly node: number
  readonly acknowledged: Acknowledged
  readonly #lasting: LastingConnection
  readonly #vault: Vault
  readonly #clock: Clock
  readonly #events: LeaseEvents
  #others = new Map<number, Other>()
  #gateways: readonly number[] = []
  #delivering: readonly number[] = []
  #taking = 0
  #share: readonly number[] = []
  #timer: Cancel | null = null
  #looking: Promise<void> = Promise.resolve()
  #ended = false
  #beatenAt: number
  /** Of the last heartbeat; null if it was written. */
  #lastFailure: string | null = null
  #lostBy: string | null = null
  #rewoundAt: number | null = null

  private constructor(node: number, { lasting, clock, vault, events }: LeaseTools) {
    this.node = node
    this.#vault = vault
    this.acknowledged = new Acknowledged(node)
    this.#lasting = lasting
    this.#clock = clock
    this.#events = events
    this.#beatenAt = clock.monotonic()
  }

  /** Nodes that deliver take their share of due work; only they take over from others. */
  static async take(tools: LeaseTools, facts: NodeFacts): Promise<NodeLease> {
    const connection = await tools.lasting.connection()
    const lease = new NodeLease(await enter(connection, tools.vault, facts), tools)
    lease.#observe(await connection.query(LOOK))
    lease.#beatSoon()
    return lease
  }

  /** The buckets whose due messages and reports this node claims. */
  get share(): readonly number[] {
    return this.#share
  }

  /** The nodes that deliver, this one included if it does. */
  get delivering(): readonly number[] {
    return this.#delivering
  }

  /** Whether this node delivers. */
  get delivers(): boolean {
    return this.#delivering.includes(this.node)
  }

  /** How many nodes accept requests. */
  get taking(): number {
    return this.#taking
  }

  /** Why other nodes may have declared this one dead by now; null if they cannot have. */
  get whyStale(): string | null {
    if (this.#lostBy !== null) return this.#lostBy
    if (this.#ended) return 'this node has left'
    if (this.#clock.monotonic() - this.#beatenAt < FRESH_MS) return null
    return this.#lastFailure ?? 'this node was silent for too long'
  }

  /** Whether there are no other gateways that may leave work in this node's share. */
  get isAlone(): boolean {
    return this.#gateways.length <= 1
  }

  /** Releases everything held; the next node finds it due. Rejects if the database does not accept it in time. */
  async release(): Promise<void> {
    this.#end()
    await this.#looking
    const connection = await this.#lasting.connection()
    const cancel = this.#clock.after(LEAVE_WITHIN_MS, () =>
      connection.destroy(new Error('the database does not answer')),
    )
    await free(connection, this.node).finally(cancel)
  }

  /** When a gateway last found that the database had gone back in time, milliseconds; null for never. */
  get rewoundAt(): number | null {
    return this.#rewoundAt
  }

  /** The node may write nothing any more. */
  lose(reason: string): void {
    this.#lostBy ??= reason
    this.#end()
  }

  /** Stops the heartbeat. */
  end(): Promise<void> {
    this.#end()
    return this.#looking
  }

  #end(): void {
    this.#ended = true
    this.#timer?.()
  }

  #beatSoon(): void {
    if (this.#ended) return
    this.#timer = this.#clock.after(BEAT_EVERY_MS, () => {
      // No node can look while the database is unreachable, so none is declared dead for that.
      this.#looking = this.#beat()
        .catch((error: Error) => {
          this.#lastFailure = error.message
        })
        .then(() => this.#beatSoon())
    })
  }

  async #beat(): Promise<void> {
    const connection = await this.#lasting.connection()
    const begunAt = this.#clock.monotonic()
    const silent = new Error('the database does not answer')
    const cancel = this.#clock.after(BEAT_EVERY_MS * QUIET_LOOKS, () => connection.destroy(silent))
    try {
      const [[beaten], rows, [rewind]] = await Promise.all([
        connection.query(BEAT, this.node, this.acknowledged.beat),
        connection.query(LOOK),
        connection.query(REWOUND_AT),
      ])
      if (beaten === undefined) {
        this.#events.onLost((await this.acknowledged.explain(connection, [])).message)
        return
      }
      this.acknowledged.beat = beaten[0]
      this.#rewoundAt = rewind?.[0] ?? null
      this.#beatenAt = begunAt
      this.#lastFailure = null
      this.#events.onBeat()
      const gone = this.#observe(rows)
      if (!this.delivers) return
      for (const node of gone) await free(connection, node)
      if (gone.length > 0) this.#events.onOthers()
    } catch (error) {
      connection.destroy(error)
      throw error
    } finally {
      cancel()
    }
  }

  /** Returns the nodes that are dead. */
  #observe(rows: readonly Look[]): readonly number[] {
    const before = this.#others
    this.#others = new Map(
      rows.map(([node, beat]) => {
        const known = before.get(node)
        return [node, { beat, quietLooks: known?.beat === beat ? known.quietLooks + 1 : 0 }]
      }),
    )
    const delivering = rows.flatMap(([node, , delivers]) => (delivers === 1 ? [node] : []))
    const gateways = rows.flatMap(([node, , , role]) => (role === 'tool' ? [] : [node]))
    // No gateway of an earlier version starts on migrated tables: they become fewer only.
    this.#vault.addresses.isSealing = rows.every(([, , , , opensAddresses]) => opensAddresses === 1)
    const changed = gateways.join() !== this.#gateways.join()
    this.#gateways = gateways
    this.#delivering = delivering
    this.#taking = rows.filter(([, , , role]) => role === 'all' || role === 'api').length
    this.#share = bucketsOfNode(this.node, delivering)
    if (changed && before.size > 0) this.#events.onOthers()
    return [...this.#others].flatMap(([node, { quietLooks }]) => {
      return node !== this.node && quietLooks >= QUIET_LOOKS ? [node] : []
    })
  }
}

/** Lists the gateways. */
export async function listNodes(connection: Connection): Promise<readonly ClusterNode[]> {
  const rows = await connection.query(LIST)
  return rows.map(([node, name, role, startedAt, silentMs, version, slots]) => {
    return { node, name, role, startedAt, silentMs, version, slots }
  })
}

/** Rejects with a StoreError if the vault lacks the key of the database or the installation was moved. */
async function enter(connection: Connection, vault: Vault, { name, role }: NodeFacts): Promise<number> {
  const begun = connection.run('BEGIN')
  try {
    // A process that sets a mark locks the row of meta first; this transaction holds it when it looks for one.
    const [{ sealingKey, booksFrom }, [row], mark] = await Promise.all([
      runOn(connection, vault, settleKey(vault.keyId)),
      connection.query(ENTER, role === 'all' || role === 'delivery' ? 1 : 0, name, role, VERSION),
      findMark(connection),
      begun,
    ])
    useKey(vault, sealingKey)
    refuseToWork(mark)
    const node = row?.[0] ?? 0
    await Promise.all([connection.query(LEASE, node, sealingKey, booksFrom), connection.run('COMMIT')])
    return node
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Waits for everything the node has in progress; then it holds nothing. */
export async function free(connection: Connection, node: number): Promise<void> {
  try {
    // Each begins after the previous one and sees what was committed by then.
    await Promise.all([
      connection.run('BEGIN'),
      connection.query(END_LEASES, node),
      connection.query(FREE_DUE, node),
      connection.query(FREE_REPORTS, node),
      connection.query(FREE_SLOTS, node),
      connection.query(FREE_PLACES, node),
      connection.query(LEAVE, node),
      connection.run('COMMIT'),
    ])
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}
