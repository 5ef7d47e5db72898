/** Opts recipients out, and in again, by the unsubscribe links of their messages. */
import type { OptOut } from '../../domain/consent/opt-out.ts'
import { MAX_CONSENT_CHANGES } from '../../domain/consent/unsubscribe-link.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { isForgotten, type Message, type Step } from '../../domain/message/message.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { applyOptOuts, type ConsentPump, type OptOutTools } from './apply-opt-outs.ts'

export interface LinkConsentTools extends OptOutTools {
  readonly store: OptOutTools['store'] & Pick<DeliveryStore, 'findOptOuts'>
  readonly pump: ConsentPump
  readonly clock: Clock
}

/** The step whose link was opened. */
export interface ConsentPlace {
  readonly messageId: MessageId
  readonly step: number
}

export interface Consent {
  readonly sender: string
  readonly optedOut: boolean
  /** Whether the link can opt in again: the operator has not set the opt-out. */
  readonly mayOptIn: boolean
}

interface Known extends Consent {
  readonly message: Message
  readonly optOuts: readonly OptOut[]
}

export class LinkConsent {
  readonly #tools: LinkConsentTools
  /** The last change under way, by message: a second one waits for it. */
  readonly #running = new Map<MessageId, Promise<unknown>>()

  constructor(tools: LinkConsentTools) {
    this.#tools = tools
  }

  /** Returns null if the message or its recipient was erased. Rejects if the store fails. */
  async view(place: ConsentPlace): Promise<Consent | null> {
    return this.#find(place)
  }

  /** Resolves once the change is on disk; a repeat changes nothing. Rejects if the store fails. */
  async change(place: ConsentPlace, optsOut: boolean): Promise<void> {
    const { messageId } = place
    const running = (this.#running.get(messageId) ?? Promise.resolve())
      .catch(() => {})
      .then(() => this.#change(place, optsOut))
    this.#running.set(messageId, running)
    try {
      await running
    } finally {
      if (this.#running.get(messageId) === running) this.#running.delete(messageId)
    }
  }

  async #change(place: ConsentPlace, optsOut: boolean): Promise<void> {
    const known = await this.#find(place)
    if (known === null || (!optsOut && known.optedOut && !known.mayOptIn)) return
    const { message, optedOut } = known
    const sender = this.#scopeOf(known.sender)
    const at = this.#tools.clock.now()
    const isNew = optedOut !== optsOut
    // The report before the change: after a crash in between, the page offers the same change again, and the report is
    // repeated. The other way round the page would offer only to undo it, and the report would be lost.
    await this.#tools.pump.consent(message, {
      kind: 'consent',
      at,
      step: place.step,
      sender,
      optsOut,
      isNew,
      by: 'link',
    })
    if (isNew && !message.test) {
      const own = { accountId: message.accountId, phone: message.phone, by: 'link', at } as const
      // One of a pool may have come by a keyword to one of its numbers.
      const senders = optsOut ? [sender] : known.optOuts.map((each) => each.sender)
      const kind = optsOut ? 'add' : 'remove'
      const changes = senders.map((each) => ({ kind, optOut: { ...own, sender: each } }) as const)
      await applyOptOuts(this.#tools, this.#tools.directory().forSharing(changes))
    }
  }

  async #find({ messageId, step }: ConsentPlace): Promise<Known | null> {
    const message = await this.#tools.pump.messageOf(messageId)
    const planned = message?.plan[step]
    if (message === undefined || planned === undefined || isForgotten(message)) return null
    const { sender } = planned
    const { steps, changes } = message.journey.consent ?? { steps: [], changes: 0 }
    const mayChange = changes < MAX_CONSENT_CHANGES
    // A test key changes nothing of the account.
    if (message.test) return { message, sender, optOuts: [], optedOut: steps.includes(step), mayOptIn: mayChange }
    const optOuts = await this.#optOutsOf(message, planned)
    const isOfAll = this.#scopeOf(sender) === null
    const mayOptIn = mayChange && optOuts.every((each) => each.by !== 'hand' && (isOfAll || each.sender !== null))
    return { message, sender, optOuts, optedOut: optOuts.length > 0, mayOptIn }
  }

  async #optOutsOf({ accountId, phone }: Message, planned: Step): Promise<readonly OptOut[]> {
    const found = await this.#tools.store.findOptOuts([{ accountId, phone }])
    return this.#tools.directory().optOutsFor(accountId, planned, found)
  }

  /** Null for all senders of the account. */
  #scopeOf(sender: string): string | null {
    return this.#tools.directory().guards.settings.optOutScope === 'sender' ? sender : null
  }
}
