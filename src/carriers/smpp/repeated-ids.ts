/** Notices a carrier that gives the same id to several messages: their receipts cannot be told apart by it. */
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierTools } from '../carrier-tools.ts'
import { RecentMap } from '../recent-map.ts'

const MOST = 1_000
const KEPT_MS = 3_600_000
/** A carrier that does it, does it with every message: this is said so often. */
const SAID_EVERY_MS = 3_600_000

export class RepeatedIds {
  readonly #carrierId: string
  readonly #tools: CarrierTools
  readonly #recent: RecentMap<MessageId>
  /** Monotonic. */
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(carrierId: string, tools: CarrierTools) {
    this.#carrierId = carrierId
    this.#tools = tools
    this.#recent = new RecentMap(tools.clock, MOST)
  }

  /** An empty id is none. */
  check(id: string, messageId: MessageId): void {
    if (id === '') return
    const { clock, log } = this.#tools
    const before = this.#recent.get(id)
    this.#recent.set(id, messageId, clock.now() + KEPT_MS)
    if (before === undefined || before === messageId || clock.monotonic() - this.#saidAt < SAID_EVERY_MS) return
    this.#saidAt = clock.monotonic()
    log.warn(
      { carrier: this.#carrierId, ref: id },
      'the carrier gives the same id to several messages: set receiptIds.apartBy to tell their receipts apart',
    )
  }
}
