/**
 * Reads opt-outs, those of many recipients at once: before a message is routed, and again before it is submitted, if it
 * has waited or its recipient has opted out since. Most messages are submitted at once, and are read for once.
 */
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { JourneyEvent } from '../../domain/message/journey-event.ts'
import type { Message } from '../../domain/message/message.ts'
import { formsOf } from '../../domain/numbers/phone.ts'
import type { Recipient } from '../../ports/hooks/outbox.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import { BatchWriter, type BatchWriterTools } from '../queues/batch-writer.ts'
import { canBeOptedOut } from './admission-check.ts'

export interface OptOutCheckTools extends BatchWriterTools {
  readonly store: Pick<DeliveryStore, 'findOptOuts'>
  readonly directory: () => Directory
}

interface Question {
  readonly message: Message
  /** `readAt`: monotonic; opt-outs that were stored before are among them. */
  readonly done: (optOuts: readonly OptOut[], readAt: number) => void
}

/** Recipients whose opt-outs are read at once. */
const MAX_RECIPIENTS = 500
/** Opt-outs that another gateway or a command has stored apply to a message that has waited for so long. */
const LOOK_AGAIN_MS = 1_000
/** Longer than a carrier keeps what it has been given, which the outbox of SMPP does for a minute. */
const REMEMBERED_MS = 120_000

export class OptOutCheck {
  readonly #tools: OptOutCheckTools
  readonly #reads: BatchWriter<Question>
  /** Monotonic: when an opt-out of the recipient was stored by this gateway. The oldest first. */
  readonly #storedAt = new Map<string, number>()

  constructor(tools: OptOutCheckTools) {
    this.#tools = tools
    this.#reads = new BatchWriter(tools, 'reads of opt-outs', MAX_RECIPIENTS, (batch) => this.#read(batch))
  }

  get idle(): boolean {
    return this.#reads.idle
  }

  /** Resolves once all reads have ended. */
  close(): Promise<void> {
    return this.#reads.close()
  }

  /** Whether the message must be read for before it is sent. Phones of test messages are simulated. */
  concerns(message: Message): boolean {
    return !message.test && canBeOptedOut(message, this.#tools.directory())
  }

  read(message: Message, done: Question['done']): void {
    this.#reads.add({ message, done })
  }

  /** Notes recipients whose opt-outs this gateway has stored. */
  note(recipients: readonly Recipient[]): void {
    const now = this.#tools.clock.monotonic()
    for (const [key, at] of this.#storedAt) {
      if (now - at < REMEMBERED_MS) break
      this.#storedAt.delete(key)
    }
    for (const recipient of recipients) {
      const key = keyOf(recipient)
      this.#storedAt.delete(key)
      this.#storedAt.set(key, now)
    }
  }

  /** Whether the recipient has opted out of something here since the message was read for. */
  hasChanged(message: Message, readAt: number): boolean {
    if (this.#storedAt.size === 0) return false
    const storedAt = this.#storedAt.get(keyOf(message))
    return storedAt !== undefined && storedAt >= readAt && this.concerns(message)
  }

  /** Whether the message must be read for again. */
  isOutdated(message: Message, readAt: number): boolean {
    const hasWaited = this.#tools.clock.monotonic() - readAt > LOOK_AGAIN_MS
    return hasWaited ? this.concerns(message) : this.hasChanged(message, readAt)
  }

  /** Returns the event to apply to the message; null if its step may be sent. */
  eventOf({ accountId, plan, journey }: Message, optOuts: readonly OptOut[]): JourneyEvent | null {
    const { step } = journey
    const { directory, clock } = this.#tools
    const blocked = plan.flatMap((each, index) =>
      each.channel !== 'call' && directory().optOutsFor(accountId, each, optOuts).length > 0 ? [index] : [],
    )
    if (!blocked.includes(step)) return null
    return { kind: 'filtered', at: clock.now(), step, blocked, reason: 'the recipient has opted out' }
  }

  async #read(batch: readonly Question[]): Promise<void> {
    const { store, clock } = this.#tools
    const readAt = clock.monotonic()
    const recipients = new Map(batch.map(({ message }) => [recipientOf(message), message]))
    const found = Map.groupBy(await store.findOptOuts([...recipients.values()]), recipientOf)
    for (const { message, done } of batch) done(found.get(recipientOf(message)) ?? [], readAt)
  }
}

function recipientOf({ accountId, phone }: Recipient): string {
  return `${accountId} ${phone}`
}

/** The same for all ways of writing a phone. */
function keyOf({ accountId, phone }: Recipient): string {
  return recipientOf({ accountId, phone: formsOf(phone)[0] })
}
