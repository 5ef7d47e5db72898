/** The other nodes as this one knows them. */
import { bucketOfMessage, type MessageId } from '../../domain/ids/message-id.ts'
import type {
  Cluster,
  ClusterNode,
  LoginPlace,
  NotedPlace,
  PlaceOrder,
  SlotRequest,
} from '../../ports/records/cluster.ts'
import { listPlaces } from './cluster/login-places.ts'
import { listNodes, type NodeLease, SET_UP_BUCKET } from './cluster/node-lease.ts'
import type { Reader } from './connection/reader.ts'
import type { BucketLanes } from './engine/bucket-lanes.ts'

export class PostgresCluster implements Cluster {
  readonly #lease: NodeLease
  readonly #lanes: BucketLanes
  readonly #reader: Reader

  constructor(parts: { readonly lease: NodeLease; readonly lanes: BucketLanes; readonly reader: Reader }) {
    this.#lease = parts.lease
    this.#lanes = parts.lanes
    this.#reader = parts.reader
  }

  get node(): number {
    return this.#lease.node
  }

  get intakeNodes(): number {
    return Math.max(1, this.#lease.taking)
  }

  get deliveringNodes(): number {
    return Math.max(1, this.#lease.delivering.length)
  }

  mayAct(): boolean {
    return this.#lease.whyStale === null
  }

  whyIdle(): string | null {
    return this.#lease.whyStale
  }

  leads(): boolean {
    return this.#lease.delivering[0] === this.node && this.mayAct()
  }

  rewoundAt(): number | null {
    return this.#lease.rewoundAt
  }

  takeSlots(requests: readonly SlotRequest[]): Promise<readonly (readonly number[])[]> {
    const { delivering } = this.#lease
    return this.#lanes.laneOf(SET_UP_BUCKET).submit(1, [SET_UP_BUCKET], 'takeSlots', { requests, delivering })
  }

  takePlace(order: PlaceOrder): Promise<number | null> {
    return this.#lanes.laneOf(SET_UP_BUCKET).submit(1, [SET_UP_BUCKET], 'takePlaces', order)
  }

  async leavePlace(login: string, place: number): Promise<void> {
    await this.#lanes.laneOf(SET_UP_BUCKET).submit(1, [SET_UP_BUCKET], 'leavePlaces', { login, place })
  }

  async notePlaces(places: readonly NotedPlace[]): Promise<void> {
    await this.#lanes.laneOf(SET_UP_BUCKET).submit(places.length, [SET_UP_BUCKET], 'notePlaces', places)
  }

  places(logins: readonly string[]): Promise<readonly LoginPlace[]> {
    return this.#reader.read((connection) => listPlaces(connection, logins))
  }

  async hold(ids: readonly MessageId[]): Promise<readonly MessageId[]> {
    const held = await this.#lanes.share(ids, bucketOfMessage, (lane, buckets, part) => {
      return lane.submit(part.length, buckets, 'hold', part)
    })
    return held.flat()
  }

  nodes(): Promise<readonly ClusterNode[]> {
    return this.#reader.read(listNodes)
  }
}
