/**
 * Long messages in parts. Each part is stored before its response. When the last one is there, the message is priced
 * and accepted; a refusal then, or a part that never comes, is a receipt to each part that asked for one.
 */
import { codeOf } from '../../contract/request/error-codes.ts'
import { DAY_MS } from '../../domain/accounts/retention.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Status } from '../../domain/message/status.ts'
import type { LoginAccess, Logins } from '../../operations/request/logins.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import type { RunFor } from '../../operations/run/run.ts'
import type { EndedParts, NewPart, PartStore, WaitingPart } from '../../ports/stores/part-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { Concatenation } from '../../wire/smpp/concatenation.ts'
import { type Address, type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { readAnswer } from '../translate/ask.ts'
import { idKey, onceKey, type Repeatable } from './once-key.ts'
import { type ReadMessage, sendOf } from './read-message.ts'
import { asksForReceipts, receiptsTo } from './receipt-facts.ts'
import { type Refusal, refusal } from './statuses.ts'

export interface LongMessageTools {
  readonly store: PartStore
  readonly runFor: RunFor
  readonly logins: Logins
  readonly newId: (account: AccountId) => Promise<MessageId>
  readonly clock: Clock
  readonly log: Log
  /** Called when a report was written. */
  readonly onReports: () => void
  /** How long messages that are taken once are known, milliseconds. */
  readonly onceMs: number
}

/** Who submitted a part, and on which connection. */
export interface PartSubmitter {
  readonly access: LoginAccess
  readonly bindId: string
}

/** What a part says about its message. */
interface PartFacts extends Pick<ReadMessage, 'sendAt' | 'validUntil' | 'reference'> {
  /** The priority_flag; absent if it says nothing, and of parts of earlier versions. */
  readonly priority?: number
  readonly from: Address
  readonly to: Address
  readonly total: number
  /** registered_delivery. */
  readonly asked: number
  readonly on: string
}

/** How long a message waits for its parts. Clients that are slowed down repeat a part after a minute. */
const PARTS_WITHIN_MS = 600_000
/** A message whose last part came this long ago was left by a gateway that ended, or could not be accepted then. */
const LEFT_AFTER_MS = 5_000
const MAX_PART_BYTES = 1_024
/** How long the ids of parts stand for their message, after it is sent. */
export const NAMES_KEPT_MS = 2 * DAY_MS
const FULL = refusal(STATUS.queueFull, 'too many parts of long messages wait for others')
const TOO_LONG = refusal(STATUS.badMessageLength, `a part of a long message has at most ${MAX_PART_BYTES} bytes`)
/** Errors after which the same message may be accepted. */
const TEMPORARY: readonly string[] = ['rate_limited', 'unavailable', 'internal']

export class LongMessages {
  readonly #tools: LongMessageTools
  /** Ids of the first parts of messages that are being accepted. */
  readonly #busy = new Set<MessageId>()

  constructor(tools: LongMessageTools) {
    this.#tools = tools
  }

  /** Stores a part and returns its id. Rejects if the store is unavailable. */
  async take(
    read: ReadMessage,
    { reference, total, number }: Concatenation,
    request: ShortMessage | DataMessage,
    { access, bindId }: PartSubmitter,
  ): Promise<string | Refusal> {
    if (payloadOf(request).length > MAX_PART_BYTES) return TOO_LONG
    const { source: from, destination: to, registeredDelivery: asked } = request
    const { sendAt, validUntil, reference: named, priority } = read
    const facts: PartFacts = {
      ...{ from, to, total, asked, sendAt, validUntil, reference: named, on: bindId },
      ...(priority === 0 ? {} : { priority }),
    }
    const { accountId, name: login } = access.login
    const at = this.#tools.clock.now()
    const onceKey = idKey(access.login, repeatableOf(facts, { number, text: read.text }))
    const part: NewPart = {
      accountId,
      login,
      joinedBy: JSON.stringify([from.digits, to.digits, reference, total]),
      number,
      partId: await this.#tools.newId(accountId),
      text: read.text,
      facts: JSON.stringify(facts),
      at,
      once: onceKey === null ? null : { key: onceKey, since: at - this.#tools.onceMs },
    }
    const kept = await this.#keep(part)
    if (kept.kind !== 'kept') return FULL
    if (kept.parts.length === total) void this.#finish(kept.parts)
    return String(kept.partId)
  }

  /** Gives up a message that waits for parts. Returns false if it is complete: then it is being accepted. */
  async cancel(parts: readonly WaitingPart[]): Promise<boolean> {
    const [first] = parts
    if (first === undefined || parts.length === readFacts(first).total) return false
    await this.#end(parts, { status: 'CANCELLED', error: '' })
    return true
  }

  /** Accepts what a gateway that ended has left, and gives up messages whose parts do not come. */
  async look(): Promise<void> {
    const now = this.#tools.clock.now()
    for (const parts of await this.#tools.store.oldParts(now - LEFT_AFTER_MS)) {
      const [first] = parts
      if (first === undefined) continue
      const isOver = now - Math.min(...parts.map(({ at }) => at)) >= PARTS_WITHIN_MS
      if (parts.length === readFacts(first).total) await this.#finish(parts, isOver)
      else if (isOver) await this.#end(parts, { status: 'UNDELIVERABLE', error: 'a part of the message did not come' })
    }
  }

  /** References come again: a new message ends an earlier one that is not complete. */
  async #keep(part: NewPart) {
    const kept = await this.#tools.store.keepPart(part)
    if (kept.kind !== 'taken') return kept
    await this.#end(kept.parts, { status: 'UNDELIVERABLE', error: 'another message with the same reference came' })
    return this.#tools.store.keepPart(part)
  }

  /** Never rejects. `isLast`: a temporary failure is final now. */
  async #finish(parts: readonly WaitingPart[], isLast = false): Promise<void> {
    const [first] = parts
    if (first === undefined || this.#busy.has(first.partId)) return
    this.#busy.add(first.partId)
    try {
      await this.#accept(first, parts, isLast)
    } catch (error) {
      this.#tools.log.warn({ error: error as Error }, 'a long message was not accepted; retrying')
    } finally {
      this.#busy.delete(first.partId)
    }
  }

  async #accept(first: WaitingPart, parts: readonly WaitingPart[], isLast: boolean): Promise<void> {
    const { logins, runFor, clock } = this.#tools
    const login = logins.find(first.login)
    const access = login === null || login.accountId !== first.accountId ? 'denied' : logins.accessOf(login)
    if (typeof access === 'string') return this.#end(parts, { status: 'REJECTED', error: 'Access denied' })
    const facts = readFacts(first)
    const text = parts.map((part) => part.text).join('')
    const send = sendOf(
      { priority: 0, ...facts, text },
      { source: facts.from, destination: facts.to },
      access.login,
      clock.now(),
    )
    const reporting = reportingOf(parts)
    const run = async (idempotencyKey: string | null): Promise<End> => {
      const answer = readAnswer(await runFor(access, [send], { idempotencyKey, reporting }))
      const [result] = answer.results
      if (result?.success === true) return { accepted: result.data['msg_id'] as MessageId, access }
      return { status: 'REJECTED', error: answer.error ?? result?.error ?? '' }
    }
    // The key keeps a gateway that takes over from accepting it again.
    let end = await run(onceKey(access.login, { reference: facts.reference, text }, facts) ?? `parts ${first.partId}`)
    if ('status' in end && codeOf(end.error) === 'idempotency_full') end = await run(null)
    if ('status' in end && !isLast && TEMPORARY.includes(codeOf(end.error))) return
    await this.#end(parts, end)
  }

  /** A part that repeats one of a message that was accepted has that message's receipts. */
  async #notAccepted(parts: readonly WaitingPart[]): Promise<readonly WaitingPart[]> {
    const named = await Promise.all(
      parts.map(({ accountId, login, partId: id }) => this.#tools.store.findNamed({ accountId, login, id })),
    )
    return parts.filter((_, index) => named[index]?.messageIds.length === 0)
  }

  async #end(parts: readonly WaitingPart[], end: End): Promise<void> {
    const [first] = parts
    if (first === undefined) return
    const { accountId, login, message, partId } = first
    const { store, clock, onReports } = this.#tools
    const at = clock.now()
    const to = 'status' in end ? (reportingOf(await this.#notAccepted(parts))?.to ?? null) : null
    const report =
      to === null || !('status' in end)
        ? null
        : { messageId: partId, accountId, number: 0, address: to, body: statusBody(first, { ...end, at }) }
    const named = 'status' in end ? null : namesOf(parts, end, at)
    await store.endParts({ accountId, login, message, partIds: parts.map((part) => part.partId), named, report, at })
    if (report !== null) onReports()
  }
}

/** How a message ended: accepted, or with a final status. */
type End =
  | { readonly accepted: MessageId; readonly access: LoginAccess }
  | { readonly status: Status; readonly error: string }

/** The ids of the parts stand for the message. */
function namesOf(
  parts: readonly WaitingPart[],
  { accepted, access: { login } }: Extract<End, { accepted: MessageId }>,
  at: number,
): EndedParts['named'] {
  const names = parts.map((part) => ({ id: part.partId, onceKey: idKey(login, repeatableOf(readFacts(part), part)) }))
  const sendAt = Math.max(at, ...parts.map((part) => readFacts(part).sendAt ?? 0))
  return { accountId: login.accountId, names, messageIds: [accepted], at, keepUntil: sendAt + NAMES_KEPT_MS }
}

function repeatableOf(facts: PartFacts, { number, text }: Pick<WaitingPart, 'number' | 'text'>): Repeatable {
  const { reference, from, to, total } = facts
  return { reference, text, from, to: [to], part: `${number}/${total}` }
}

function readFacts({ facts }: WaitingPart): PartFacts {
  return JSON.parse(facts) as PartFacts
}

/** Null if no part asked for a receipt. */
function reportingOf(parts: readonly WaitingPart[]): Reporting | null {
  const asking = parts.filter((part) => asksForReceipts(readFacts(part).asked))
  const [first] = asking
  if (first === undefined) return null
  const { from, to, asked, reference, on } = readFacts(first)
  const ids = asking.map(({ partId }) => String(partId))
  return receiptsTo(first.login, { from, to, at: first.at, asked, ids, reference, on })
}

/** The body of a message.status report, for a message that was never accepted. */
function statusBody(
  part: WaitingPart,
  { status, error, at }: { readonly status: Status; readonly error: string; readonly at: number },
): string {
  const about = { id: null, msg_id: part.partId, phone: readFacts(part).to.digits, status, channel: null, error }
  return JSON.stringify({ type: 'message.status', timestamp: new Date(at).toISOString(), ...about })
}
