/** Applies opt-outs by keywords and messengers, and notes each with the sender's newest message to the recipient. */
import type { OptOut, OptOutChange } from '../../domain/consent/opt-out.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { isOfVerification, type Message } from '../../domain/message/message.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { applyOptOuts, type ConsentPump, type OptOutTools } from './apply-opt-outs.ts'

interface KeywordConsentTools extends OptOutTools {
  readonly store: OptOutTools['store'] & Pick<DeliveryStore, 'findOptOuts'> & Pick<QueryStore, 'page'>
  readonly pump: ConsentPump
  readonly clock: Clock
}

/** Newest messages that are looked through: those with test keys and verifications are passed over. */
const MAX_SEARCHED = 10

export class KeywordConsent {
  readonly #tools: KeywordConsentTools

  constructor(tools: KeywordConsentTools) {
    this.#tools = tools
  }

  /** Stores changes for all senders that share opt-outs, and notes each. Resolves once all is on disk. */
  applySaid(changes: readonly OptOutChange[]): Promise<void> {
    return this.#apply(changes, this.#tools.directory().forSharing(changes))
  }

  /** A repeat changes nothing. */
  async #apply(changes: readonly OptOutChange[], stored = changes): Promise<void> {
    const before = await this.#tools.store.findOptOuts(changes.map(({ optOut }) => optOut))
    const lifted = changes.flatMap((change) => this.#liftedBy(change, before))
    await applyOptOuts(this.#tools, [...stored, ...lifted])
    const byPhone = Map.groupBy(changes, ({ optOut }) => optOut.phone)
    const noteInTurn = async (ofPhone: readonly OptOutChange[]) => {
      for (const change of ofPhone) {
        const also = this.#liftedBy(change, before).map(({ optOut }) => optOut)
        const own = before.filter((each) => [change.optOut, ...also].some((optOut) => isSame(each, optOut)))
        // What an operator has set stays, and what the recipient has set since.
        const isLifted = own.every(({ by, at }) => by !== 'hand' && at <= change.optOut.at)
        if (change.kind === 'add' || isLifted) await this.#note(change, own.length > 0)
      }
    }
    await Promise.all([...byPhone.values()].map(noteInTurn))
  }

  /** Returns what else an opt-in ends: other spellings of its sender, and those of all senders if it is of them all. */
  #liftedBy({ kind, optOut }: OptOutChange, before: readonly OptOut[]): readonly OptOutChange[] {
    if (kind === 'add') return []
    const { accountId, phone, sender } = optOut
    const ofRecipient = before.filter((each) => each.accountId === accountId && each.phone === phone)
    const applying = this.#tools
      .directory()
      .optOutsFor(accountId, { channel: 'sms', sender: sender ?? '' }, ofRecipient)
    return applying
      .filter((each) => each.by !== 'hand' && (each.sender !== null || sender === null))
      .map((each) => ({ kind, optOut: { ...optOut, sender: each.sender } }))
  }

  /** Copies the opt-outs of a phone, of all accounts, to another phone of the recipient. */
  async copy(from: Phone, to: Phone): Promise<void> {
    const { store, refresh, directory } = this.#tools
    await refresh()
    const owners = directory().guards.optedOutOf
    const found = await store.findOptOuts(owners.map((accountId) => ({ accountId, phone: from })))
    if (found.length > 0) await this.#apply(found.map((optOut) => ({ kind: 'add', optOut: { ...optOut, phone: to } })))
  }

  /** Makes the opt-outs of either name of a recipient, of all accounts, hold for the other. */
  async join(pairs: readonly (readonly [Phone, Phone])[]): Promise<void> {
    const { store, refresh, directory } = this.#tools
    if (pairs.length === 0) return
    await refresh()
    const destinations = directory().guards.optedOutOf.flatMap((accountId) =>
      pairs.flat().map((phone) => ({ accountId, phone })),
    )
    const found = await store.findOptOuts(destinations)
    const missing = pairs.flatMap((pair) =>
      found.flatMap((optOut) => {
        const other = pair.find((name) => name !== optOut.phone)
        const copy = { ...optOut, phone: other ?? optOut.phone }
        return pair.includes(optOut.phone) && !found.some((each) => isSame(each, copy)) ? [copy] : []
      }),
    )
    if (missing.length > 0) await this.#apply(missing.map((optOut) => ({ kind: 'add', optOut })))
  }

  /** Writes the timeline and the report. Without a message there is no hook to report to. */
  async #note({ kind, optOut }: OptOutChange, wasOptedOut: boolean): Promise<void> {
    const { pump } = this.#tools
    const id = await this.#newestMessage(optOut)
    const message = id === null ? undefined : await pump.messageOf(id)
    if (message === undefined) return
    const { sender } = optOut
    const at = message.plan.findIndex((step) => step.sender === sender)
    const step = at < 0 ? message.journey.step : at
    const optsOut = kind === 'add'
    const now = this.#tools.clock.now()
    await pump.consent(message, {
      kind: 'consent',
      at: now,
      step,
      sender,
      optsOut,
      by: 'keyword',
      isNew: optsOut !== wasOptedOut,
    })
  }

  async #newestMessage({ accountId, phone, sender }: Omit<OptOut, 'at'>): Promise<MessageId | null> {
    const match = { clientId: null, sender, carrierId: null, channel: null, from: null, until: null }
    const { rows } = await this.#tools.store.page({
      of: 'messages',
      accountId,
      phone,
      status: null,
      after: null,
      limit: MAX_SEARCHED,
      match,
    })
    return rows.find(isReported)?.id ?? null
  }
}

function isReported({ test, journey }: Message): boolean {
  return !test && !isOfVerification(journey)
}

function isSame(one: OptOut, other: Omit<OptOut, 'at'>): boolean {
  return one.accountId === other.accountId && one.phone === other.phone && one.sender === other.sender
}
