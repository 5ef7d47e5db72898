/** Detects a carrier that gives the same id to several messages: the id alone cannot match their receipts. */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'

/**
 * Ids that are remembered, each in the slot that its hash names, until another takes the slot. A power of two. Such a
 * carrier repeats ids with every message, so that not all have to be remembered.
 */
const SLOTS = 1_024
const KEPT_MS = 3_600_000
/** Interval between warnings: such a carrier does it with every message. */
const WARN_EVERY_MS = 3_600_000

export class RepeatedIds {
  readonly #carrierId: string
  readonly #tools: CarrierTools
  /** Numbers by slot, so that no text stays in memory: this is done for every part that a carrier takes. */
  readonly #hashes = new Float64Array(SLOTS)
  readonly #messages = new Float64Array(SLOTS)
  /** Monotonic. */
  readonly #endsAt = new Float64Array(SLOTS)
  /** Monotonic. */
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(carrierId: string, tools: CarrierTools) {
    this.#carrierId = carrierId
    this.#tools = tools
  }

  /** An empty id is ignored. */
  check(id: string, messageId: MessageId): void {
    if (id === '') return
    const { clock, log } = this.#tools
    const now = clock.monotonic()
    const hash = hashOf(id)
    const slot = hash % SLOTS
    const isKnown = this.#hashes[slot] === hash && now < (this.#endsAt[slot] ?? 0)
    const isRepeated = isKnown && this.#messages[slot] !== messageId
    this.#hashes[slot] = hash
    this.#messages[slot] = messageId
    this.#endsAt[slot] = now + KEPT_MS
    if (!isRepeated || now - this.#warnedAt < WARN_EVERY_MS) return
    this.#warnedAt = now
    log.warn(
      { carrier: this.#carrierId, ref: id },
      'the carrier gives the same id to several messages: set receiptIds.apartBy to match their receipts',
    )
  }
}

/** Returns a number of 52 bits: two multiplicative hashes, the second one cut to its upper 20 bits. */
function hashOf(text: string): number {
  let first = 0x811c_9dc5
  let second = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x0100_0193)
    second = Math.imul(second ^ unit, 0x85eb_ca6b) + 1
  }
  return (first >>> 0) * 0x10_0000 + (second >>> 12)
}
