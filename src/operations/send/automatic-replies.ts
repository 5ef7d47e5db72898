/**
 * Sends the automatic replies of inbound numbers, and those with which hooks in Kannel's form answer, as ordinary
 * messages of their accounts. Each inbound message gets at most one of a kind, also across crashes and among several
 * nodes: it is accepted under an idempotency key of its own.
 */

import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { sendSchemaOf } from '../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { RequestUsage } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { replyRefusal } from '../../domain/inbound/automatic-reply.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import { type InboundNumber, inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { isFormOf, type Phone, readRecipient } from '../../domain/numbers/phone.ts'
import { isTextOfCheck } from '../../domain/routing/carrier-check.ts'
import type { HookReply } from '../../ports/hooks/hook-reply.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { AcceptItem, ItemOutcome } from '../../ports/stores/intake-store.ts'
import type { PendingReply } from '../../ports/stores/reply-store.ts'
import { writeFailure } from '../request/answer.ts'
import { internalKey } from '../request/internal-key.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import type { Scope } from '../request/planned.ts'
import { planSend } from './send.ts'

/** Of one call. */
const MAX_REPLIES = 100
/** Of one account until the next has its turn. */
const MAX_OF_ACCOUNT = 10
/** Longer than a reply may be late, so that none is sent again. */
const KEPT_MS = 86_400_000

/** Of a hook to one phone from one number: more than an hour of questions and answers, and an end to a loop. */
const HOOK_REPLIES = 30
const GONE = 'no reply any more'

interface Reply {
  readonly text: string
  /** Begins the idempotency key, and that of the limit. */
  readonly key: string
  /** Maximum to one phone from one number. */
  readonly perHour: number
}

export class AutomaticReplies {
  readonly #tools: OperationTools
  /** The account that had the last turn; null if the first is next. */
  #after: AccountId | null = null

  constructor(tools: OperationTools) {
    this.#tools = tools
  }

  /**
   * Sends some of those that are still to be sent, a few of each account in turn. Returns `more` if others may be left
   * for the next call. Rejects if the store does.
   */
  async look(): Promise<'more' | 'done'> {
    if (this.#tools.directory().inboundNumbers.every(({ reply }) => reply === null)) return 'done'
    let isDone = this.#after === null
    for (let sent = 0; sent < MAX_REPLIES; ) {
      const count = await this.#takeTurn()
      if (count === 0) return isDone ? 'done' : 'more'
      if (count === MAX_OF_ACCOUNT) isDone = false
      sent += count
    }
    return 'more'
  }

  /** Sends the oldest of the next account. Returns how many; 0 after the last account. */
  async #takeTurn(): Promise<number> {
    const { store } = this.#tools
    const found = await store.pendingReplies({ after: this.#after, limit: MAX_OF_ACCOUNT })
    this.#after = found[0]?.inbound.accountId ?? null
    for (const pending of found) {
      const reply = await this.#answer(pending)
      await store.settleReplies([{ inbound: pending.inbound, reply }])
    }
    return found.length
  }

  /** Returns the `msg_id` of the reply, or why there is none. */
  #answer(pending: PendingReply): Promise<string> {
    return this.#noting(() => this.#send(pending))
  }

  /** Returns why there is no reply if it is refused, or if something fails but the store. */
  async #noting(send: () => Promise<string>): Promise<string> {
    try {
      return await send()
    } catch (error) {
      if (error instanceof ItemRefused) return error.message
      if (error instanceof StoreError || !(error instanceof Error)) throw error
      this.#tools.log.error({ error }, 'an automatic reply failed: internal error')
      return 'internal error'
    }
  }

  async #send({ inbound, carrierId }: PendingReply): Promise<string> {
    const number = numberOf(inbound, this.#tools.directory(), (each) => each.carrierId === carrierId)
    if (number === null || number.reply === null) return GONE
    return this.#sendText(inbound, number, { text: number.reply, key: 'reply', perHour: 1 })
  }

  /** Sends what a hook answered to a message. Rejects with StoreError if the store does. */
  async sendFromHook({ accountId, inboundId, text }: HookReply): Promise<void> {
    const { store, log } = this.#tools
    const [inbound] = await store.inboundOf({ accountId, after: inboundId - 1, limit: 1, maxBytes: 1 })
    if (inbound?.id !== inboundId) return
    const number = numberOf(inbound, this.#tools.directory(), () => true)
    const result = await this.#noting(async () =>
      number === null ? GONE : this.#sendText(inbound, number, { text, key: 'hook reply', perHour: HOOK_REPLIES }),
    )
    if (!/^\d+$/.test(result)) log.info({ accountId, inbound: inboundId, reason: result }, 'a reply was not sent')
  }

  async #sendText(inbound: AccountInbound, number: InboundNumber, kind: Reply): Promise<string> {
    const { store, clock, messageIds } = this.#tools
    const { text, key } = kind
    const directory = this.#tools.directory()
    const account = directory.account(inbound.accountId)
    const phone = readRecipient(inbound.sender)
    if (account === null || account.state !== 'active' || phone === null) return GONE
    const refusal = await this.#refusalOf(inbound, number, phone)
    if (refusal !== null) return refusal
    while (messageIds.left === 0) await messageIds.refill(1)
    const now = clock.now()
    const usage = new RequestUsage(account, directory.guards.settings, now)
    const scope: Scope = {
      tools: this.#tools,
      account,
      key: keyOf(account.id),
      directory,
      lookup: this.#tools.lookup,
      now,
      usage,
      ...{
        chatappName: CHATAPP.name,
        waitUntil: null,
        bulk: null,
        trace: null,
        reporting: null,
        testedCarrier: null,
        sendsCodes: false,
        lists: { count: () => {} },
        checkIds: { next: () => '' },
        numbers: this.#tools.numbers,
      },
      newId: (id) => messageIds.next(id),
    }
    const { item } = planReply(scope, inbound, { number, phone, text })
    if (item?.kind !== 'message') return GONE
    const counted = { ...item, counts: [...(item.counts ?? []), usage.replyPlaceOf(number, phone, kind)] }
    const idempotency = { key: `${key}\n${inbound.id}`, bodyHash: '', draft: '{}', keepUntil: now + KEPT_MS }
    const accepted = await store.accept({
      accountId: account.id,
      now,
      idempotency,
      items: [counted],
      limits: usage.limits,
    })
    const [outcome] = 'outcomes' in accepted ? accepted.outcomes : []
    if (outcome === undefined) return GONE
    if (accepted.kind === 'executed') this.#pass(counted, outcome)
    return outcome.kind === 'accepted' ? String(outcome.messageId) : writeFailure(outcome)
  }

  async #refusalOf(inbound: AccountInbound, number: InboundNumber, phone: Phone): Promise<string | null> {
    const { store, clock } = this.#tools
    const directory = this.#tools.directory()
    const { guards, inboundNumbers, carriers } = directory
    const { accountId, channel } = inbound
    const optOuts = await store.findOptOuts([{ accountId, phone }])
    return replyRefusal({
      at: inbound.at,
      now: clock.now(),
      meaning: guards.lexicon.meaningOf(inbound.text),
      isOptedOut: directory.optOutsFor(accountId, { channel, sender: senderOf(number) }, optOuts).length > 0,
      isOwnNumber: inboundNumbers.some(({ address }) => isFormOf(phone, address)),
      isOfCheck: isTextOfCheck(inbound, carriers),
    })
  }

  #pass(item: Extract<AcceptItem, { kind: 'message' }>, { kind }: ItemOutcome): void {
    if (kind !== 'accepted') return
    const { message, waits } = item
    this.#tools.outbox.take(waits ? [] : [message], waits ? message.journey.dueAt : null)
    this.#tools.onAccepted?.([message])
  }
}

/** Throws ItemRefused. */
function planReply(scope: Scope, inbound: AccountInbound, to: { number: InboundNumber; phone: Phone; text: string }) {
  const { channel } = inbound
  const schema = sendSchemaOf(channel)
  const [only] = schema?.channels ?? []
  if (schema === null || only === undefined) throw new ItemRefused('the channel carries no messages')
  const item: RequestObject = {
    id: `reply-${inbound.id}`,
    phone: to.phone,
    ...CHANNEL_FORMS[only].plainText,
    [`${channel}_signature`]: senderOf(to.number),
    [`${channel}_message`]: to.text,
  }
  return planSend(scope, item, schema)
}

/** Returns the number to which the message was written; null if an operator has removed it. */
function numberOf(
  { recipient, keyword, accountId }: AccountInbound,
  { inboundNumbers }: Directory,
  fits: (number: InboundNumber) => boolean,
): InboundNumber | null {
  const forms = inboundFormsOf(recipient)
  const found = inboundNumbers.find((number) => {
    const isSame = number.keyword === keyword && number.accountId === accountId
    return isSame && forms.includes(number.address) && fits(number)
  })
  return found ?? null
}

function senderOf({ replySender, address }: InboundNumber): string {
  return replySender ?? address
}

/** Replies are not requested with a key. */
function keyOf(accountId: ApiKey['accountId']): ApiKey {
  return internalKey({ accountId, name: 'automatic replies', scopes: ['send'], test: false, createdAt: 0 })
}
