/**
 * Looks again at messages that the rules of their accounts kept from being sent (suspension, quiet hours): opens the
 * blocked queues whose rules are no longer those of the account. Keeps nothing, so a crash loses nothing: the next
 * look, of this node or another one, goes on.
 */

import type { Directory } from '../../domain/directory/directory.ts'
import { accountOfTenant } from '../../domain/message/message.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { Log } from '../../ports/system/log.ts'

/** Messages that one command moves. */
const MAX_MOVED = 1_000

export interface BlockedWatchTools {
  readonly store: Pick<DeliveryStore, 'blockedQueues' | 'unblock'>
  readonly directory: () => Directory
  readonly log: Log
  /** Called when messages can be claimed from queues again. */
  readonly onOpened: () => void
}

export class BlockedWatch {
  readonly #tools: BlockedWatchTools
  #looking: Promise<void> | null = null
  #again = false
  #isStopped = false

  constructor(tools: BlockedWatchTools) {
    this.#tools = tools
  }

  get idle(): boolean {
    return this.#looking === null
  }

  /** Looks at all blocked queues now, or again once the look in progress has ended. */
  look(): void {
    if (this.#isStopped) return
    this.#again = true
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = null
    })
  }

  /** Resolves once no look is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#looking
  }

  async #lookAll(): Promise<void> {
    while (this.#again && !this.#isStopped) {
      this.#again = false
      try {
        await this.#open()
      } catch (error) {
        this.#tools.log.warn(
          { error: error as Error },
          'could not open the queues of suspended accounts and quiet hours',
        )
      }
    }
  }

  async #open(): Promise<void> {
    const { store, directory, onOpened } = this.#tools
    for (let after: string | null = ''; after !== null && !this.#isStopped; ) {
      const { queues, next } = await store.blockedQueues(after)
      for (const queue of queues) {
        if (queue.rules === directory().rulesOf(accountOfTenant(queue.tenant))) continue
        let moved = MAX_MOVED
        while (moved === MAX_MOVED && !this.#isStopped) {
          moved = await store.unblock(queue, MAX_MOVED)
          onOpened()
        }
      }
      after = next
    }
  }
}
