/** Several nodes on one database of PostgreSQL, each with a clock of its own. */
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { NodeRole } from '../../src/ports/records/cluster.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from './build-message.ts'
import { eventually } from './eventually.ts'
import type { TestDatabase } from './postgres-databases.ts'
import { allOf, claimAll } from './take-from-queues.ts'
import { TEST_KEYS } from './test-keys.ts'
import type { UsedPostgres } from './use-postgres.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface StoreNode {
  readonly store: PostgresStore
  /** Stands still until a test advances it: a node that has stopped. */
  readonly clock: VirtualClock
  readonly events: string[]
}

export class StoreNodes {
  readonly database: TestDatabase
  readonly first: StoreNode
  /** Its store is the first node's. */
  readonly story: StoreStory
  readonly #open: Set<StoreNode>

  private constructor(database: TestDatabase, first: StoreNode, story: StoreStory) {
    this.database = database
    this.first = first
    this.story = story
    this.#open = new Set([first])
  }

  static async start({ takeDatabase }: Pick<UsedPostgres, 'takeDatabase'>): Promise<StoreNodes> {
    const database = await takeDatabase()
    const first = await openNode(database, 'all')
    const { store } = first
    const files = { open: async () => store, openTool: async () => store, remove: async () => {} }
    return new StoreNodes(database, first, await StoreStory.begin(async () => files))
  }

  async open(role: NodeRole | 'tool' = 'all'): Promise<StoreNode> {
    const node = await openNode(this.database, role)
    this.#open.add(node)
    return node
  }

  async close(node: StoreNode): Promise<void> {
    this.#open.delete(node)
    await node.store.close()
  }

  async stop(): Promise<void> {
    for (const node of this.#open) await this.close(node)
    await this.database.giveBack()
  }
}

async function openNode({ url }: TestDatabase, role: NodeRole | 'tool'): Promise<StoreNode> {
  const clock = new VirtualClock()
  const events: string[] = []
  const handlers = { onDue: () => events.push('due'), onLost: () => events.push('lost') }
  return { store: await openPostgresStore({ url, keys: TEST_KEYS, clock, role, ...handlers }), clock, events }
}

/** Lets these nodes run for so many seconds. */
export async function live(nodes: readonly StoreNode[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    for (const { clock } of nodes) {
      clock.advance(1_000)
      await eventually('the beat to be over', () => clock.nextAt() === clock.now() + 1_000)
    }
  }
}

export async function claimed({ store }: StoreNode, now = BEGINNING): Promise<MessageId[]> {
  return allOf(await claimAll(store, { now })).map(({ id }) => id)
}
