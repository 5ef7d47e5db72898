/**
 * Sends the automatic replies of inbound numbers, as ordinary messages of their accounts. Each inbound message gets at
 * most one, also across crashes and among several nodes: it is accepted under an idempotency key of its own.
 */

import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { sendSchemaOf } from '../../contract/operations/operation-schemas.ts'
import type { JsonObject } from '../../contract/request/envelope.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { RequestUsage } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { replyRefusal } from '../../domain/inbound/automatic-reply.ts'
import { type InboundNumber, inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { isFormOf, type Phone, readPhone } from '../../domain/numbers/phone.ts'
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
  async #answer(pending: PendingReply): Promise<string> {
    try {
      return await this.#send(pending)
    } catch (error) {
      if (error instanceof ItemRefused) return error.message
      if (error instanceof StoreError || !(error instanceof Error)) throw error
      this.#tools.log.error({ error }, 'an automatic reply failed: internal error')
      return 'internal error'
    }
  }

  async #send(pending: PendingReply): Promise<string> {
    const { store, clock, messageIds } = this.#tools
    const directory = this.#tools.directory()
    const number = numberOf(pending, directory)
    const account = directory.account(pending.inbound.accountId)
    const phone = readPhone(pending.inbound.sender)
    if (number === null || account === null || account.state !== 'active' || phone === null) return 'no reply any more'
    const refusal = await this.#refusalOf(pending, number, phone)
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
        lists: { count: () => {} },
        checkIds: { next: () => '' },
        numbers: this.#tools.numbers,
      },
      newId: (id) => messageIds.next(id),
    }
    const { item } = planReply(scope, pending, { number, phone })
    if (item?.kind !== 'message') return 'no reply any more'
    const counted = { ...item, counts: [...(item.counts ?? []), usage.replyPlaceOf(number, phone)] }
    const idempotency = { key: `reply\n${pending.inbound.id}`, bodyHash: '', draft: '{}', keepUntil: now + KEPT_MS }
    const accepted = await store.accept({
      accountId: account.id,
      now,
      idempotency,
      items: [counted],
      limits: usage.limits,
    })
    const [outcome] = 'outcomes' in accepted ? accepted.outcomes : []
    if (outcome === undefined) return 'no reply any more'
    if (accepted.kind === 'executed') this.#pass(counted, outcome)
    return outcome.kind === 'accepted' ? String(outcome.messageId) : writeFailure(outcome)
  }

  async #refusalOf({ inbound }: PendingReply, number: InboundNumber, phone: Phone): Promise<string | null> {
    const { store, clock } = this.#tools
    const { guards, inboundNumbers } = this.#tools.directory()
    return replyRefusal({
      at: inbound.at,
      now: clock.now(),
      meaning: guards.lexicon.meaningOf(inbound.text),
      optOuts: await store.findOptOuts([{ accountId: inbound.accountId, phone }]),
      replySender: senderOf(number),
      isOwnNumber: inboundNumbers.some(({ address }) => isFormOf(phone, address)),
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
function planReply(scope: Scope, { inbound }: PendingReply, to: { number: InboundNumber; phone: Phone }) {
  const { channel } = inbound
  const schema = sendSchemaOf(channel)
  const [only] = schema?.channels ?? []
  if (schema === null || only === undefined) throw new ItemRefused('the channel carries no messages')
  const item: JsonObject = {
    id: `reply-${inbound.id}`,
    phone: to.phone,
    ...CHANNEL_FORMS[only].plainText,
    [`${channel}_signature`]: senderOf(to.number),
    [`${channel}_message`]: to.number.reply,
  }
  return planSend(scope, item, schema)
}

/** Returns the number with its reply; null if an operator has removed one of them. */
function numberOf({ inbound, carrierId }: PendingReply, { inboundNumbers }: Directory): InboundNumber | null {
  const forms = inboundFormsOf(inbound.recipient)
  const found = inboundNumbers.find((number) => {
    const isSame =
      number.carrierId === carrierId && forms.includes(number.address) && number.keyword === inbound.keyword
    return isSame && number.accountId === inbound.accountId
  })
  return found === undefined || found.reply === null ? null : found
}

function senderOf({ replySender, address }: InboundNumber): string {
  return replySender ?? address
}

/** Replies are not requested with a key. */
function keyOf(accountId: ApiKey['accountId']): ApiKey {
  return internalKey({ accountId, name: 'automatic replies', scopes: ['send'], test: false, createdAt: 0 })
}
