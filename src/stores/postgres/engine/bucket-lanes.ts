/**
 * The lanes of a node. A bucket belongs to one lane, so that the commands of one account never conflict with each
 * other; every lane has one connection and one batch in progress. Work on several buckets is divided among their lanes.
 * The setup has a lane of its own, so that no account waits for a large configuration.
 */
import type { CommitTimer } from '../../../ports/records/commit-timer.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { SET_UP_BUCKET } from '../cluster/node-lease.ts'
import type { DatabaseHosts } from '../connection/database-hosts.ts'
import { LastingConnection, SHORT_WORK } from '../connection/lasting-connection.ts'
import type { Acknowledged } from '../session/acknowledged.ts'
import type { SessionTools } from '../session/session.ts'
import { Engine } from './engine.ts'
import { GroupCommit, Load } from './group-commit.ts'

export interface LaneTools extends SessionTools {
  readonly acknowledged: Acknowledged
  readonly hosts: DatabaseHosts
  readonly clock: Clock
  readonly patienceMs: number
  readonly onDue: () => void
  readonly onLost: (reason: string) => void
  readonly timeCommit: CommitTimer | undefined
}

export class BucketLanes {
  readonly load: Load
  /** Those of accounts, then that of the setup. */
  readonly #lanes: readonly GroupCommit[]
  readonly #lasting: readonly LastingConnection[]

  constructor(tools: LaneTools, count: number) {
    this.load = new Load(tools.timeCommit)
    this.#lasting = Array.from({ length: count + 1 }, () => new LastingConnection(tools.hosts, SHORT_WORK))
    this.#lanes = this.#lasting.map((lasting) => new GroupCommit(new Engine({ ...tools, lasting }), this.load))
  }

  laneOf(bucket: number): GroupCommit {
    return this.#lanes[this.#placeOf(bucket)] as GroupCommit
  }

  #placeOf(bucket: number): number {
    const ofAccounts = this.#lanes.length - 1
    return bucket === SET_UP_BUCKET ? ofAccounts : bucket % ofAccounts
  }

  /**
   * Calls each lane with its part; the answers are in no particular order. Rejects if a lane does, once all have
   * answered.
   */
  async share<Thing, Answer>(
    things: readonly Thing[],
    bucketOf: (thing: Thing) => number,
    ask: (lane: GroupCommit, buckets: readonly number[], things: readonly Thing[]) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    const { answers, failure } = await this.shareAlone(things, bucketOf, ask)
    if (failure !== null) throw failure
    return answers
  }

  /** Like `share`, but returns the answers of some lanes although others failed. */
  async shareAlone<Thing, Answer>(
    things: readonly Thing[],
    bucketOf: (thing: Thing) => number,
    ask: (lane: GroupCommit, buckets: readonly number[], things: readonly Thing[]) => Promise<Answer>,
  ): Promise<{ readonly answers: readonly Answer[]; readonly failure: Error | null }> {
    const parts = Map.groupBy(things, (thing) => this.#placeOf(bucketOf(thing)))
    const settled = await Promise.allSettled(
      [...parts].map(([place, part]) => {
        return ask(this.#lanes[place] as GroupCommit, [...new Set(part.map(bucketOf))], part)
      }),
    )
    const failed = settled.find((each) => each.status === 'rejected')
    const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    return { answers, failure: failed === undefined ? null : (failed.reason as Error) }
  }

  /** Resolves once everything that was requested before is answered. */
  async reached(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.reached()))
  }

  writeReleases(): void {
    for (const lane of this.#lanes) lane.writeReleases()
  }

  /** Waits for batches in progress. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
    await Promise.all(this.#lasting.map((lasting) => lasting.close()))
  }
}
