/** Detects a carrier that gives the same id to several messages: the id alone cannot match their receipts. */
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierTools } from '../carrier-tools.ts'
import { RecentMap } from '../recent-map.ts'

const MAX_ENTRIES = 1_000
const KEPT_MS = 3_600_000
/** Interval between warnings: such a carrier does it with every message. */
const WARN_EVERY_MS = 3_600_000

export class RepeatedIds {
  readonly #carrierId: string
  readonly #tools: CarrierTools
  readonly #recent: RecentMap<MessageId>
  /** Monotonic. */
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(carrierId: string, tools: CarrierTools) {
    this.#carrierId = carrierId
    this.#tools = tools
    this.#recent = new RecentMap(tools.clock, MAX_ENTRIES)
  }

  /** An empty id is ignored. */
  check(id: string, messageId: MessageId): void {
    if (id === '') return
    const { clock, log } = this.#tools
    const previous = this.#recent.get(id)
    this.#recent.set(id, messageId, clock.now() + KEPT_MS)
    if (previous === undefined || previous === messageId || clock.monotonic() - this.#warnedAt < WARN_EVERY_MS) return
    this.#warnedAt = clock.monotonic()
    log.warn(
      { carrier: this.#carrierId, ref: id },
      'the carrier gives the same id to several messages: set receiptIds.apartBy to match their receipts',
    )
  }
}
