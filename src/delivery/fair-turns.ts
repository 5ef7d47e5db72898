/**
 * Whose turn it is: accounts take turns, and within an account its hooks take turns, one report each. What is under
 * way is bounded in all and for each account, so that no account can fill the connections with hooks that never answer.
 */
import type { AccountId } from '../domain/account.ts'
import type { HookLane } from './hook-lane.ts'

const MOST_CALLS = 1_024
const MOST_CALLS_OF_ACCOUNT = 128

interface Client {
  readonly id: AccountId
  /** Lanes that can start, each once. */
  readonly ready: Set<HookLane>
  active: number
}

export class FairTurns {
  readonly #clients = new Map<AccountId, Client>()
  /** Clients with a ready lane and room for a call, each once, the next first. */
  readonly #ready = new Set<Client>()
  #active = 0

  get active(): number {
    return this.#active
  }

  /** The lane may have something to start. */
  offer(lane: HookLane): void {
    if (!lane.canStart) return
    let client = this.#clients.get(lane.accountId)
    if (client === undefined) {
      client = { id: lane.accountId, ready: new Set(), active: 0 }
      this.#clients.set(client.id, client)
    }
    client.ready.add(lane)
    if (client.active < MOST_CALLS_OF_ACCOUNT) this.#ready.add(client)
  }

  /** The lane that starts one report now; null when none may. Each lane handed out is told `done` afterwards. */
  next(): HookLane | null {
    while (this.#active < MOST_CALLS) {
      const [client] = this.#ready
      if (client === undefined) return null
      this.#ready.delete(client)
      const lane = this.#nextLane(client)
      if (lane === null) continue
      client.active += 1
      this.#active += 1
      if (client.ready.size > 0 && client.active < MOST_CALLS_OF_ACCOUNT) this.#ready.add(client)
      return lane
    }
    return null
  }

  /** One report that the lane had started has come to its end. */
  done(lane: HookLane): void {
    const client = this.#clients.get(lane.accountId)
    if (client === undefined) return
    client.active -= 1
    this.#active -= 1
    this.offer(lane)
    if (client.ready.size > 0) this.#ready.add(client)
    else if (client.active === 0) this.#clients.delete(client.id)
  }

  #nextLane(client: Client): HookLane | null {
    for (const lane of client.ready) {
      client.ready.delete(lane)
      if (lane.canStart) return lane
    }
    return null
  }
}
