/**
 * Answers what clients submit: each request becomes operations of the login's account, and their result a
 * response. Without a rule of its own about money, limits or routing.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import type { RunFor } from '../../operations/run/run.ts'
import type { OneName, PartStore } from '../../ports/stores/part-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import {
  type Address,
  bareAnswer,
  type DataMessage,
  MAX_DESTINATIONS,
  type MessageRequest,
  type MultiMessage,
  type ResponsePdu,
  type ShortMessage,
} from '../../wire/smpp/pdu.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'
import { type OlderResult, type Operation, readAnswer } from '../translate/ask.ts'
import type { Inquiries } from './inquiries.ts'
import { type LongMessages, NAMES_KEPT_MS } from './long-messages.ts'
import { type Addressed, idKey, onceKey } from './once-key.ts'
import { type ReadMessage, readShortMessage, sendOf } from './read-message.ts'
import { asksForReceipts, receiptsTo } from './receipt-facts.ts'
import { type Refusal, refusal, refusalOf } from './statuses.ts'

export interface MessageTools {
  readonly clock: Clock
  readonly log: Log
  readonly runFor: RunFor
  /** Draws an id that no message has. */
  readonly newId: (account: AccountId) => Promise<MessageId>
  readonly store: PartStore
  readonly longMessages: LongMessages
  readonly inquiries: Inquiries
  /** How long messages that are taken once are known, milliseconds. */
  readonly onceMs: number
}

export interface Submitter {
  readonly access: LoginAccess
  /** The connection. */
  readonly bindId: string
}

/** What the id of a submit_multi stands for. */
interface MultiNames extends Pick<OneName, 'id' | 'messageIds' | 'accountId' | 'at'> {
  readonly onceKey: string | null
  readonly sendAt: number | null
}

/** What one run of operations returned: why nothing was done, or the result of each. */
type Results = Refusal | readonly (Refusal | OlderResult)[]

const NO_BULK_PARTS = refusal(
  STATUS.badEsmClass,
  'submit_multi takes whole messages, in message_payload if they are long',
)
const BAD_COUNT = refusal(STATUS.badDestinationCount, `number_of_dests: 1 to ${MAX_DESTINATIONS}`)
const NO_LISTS = refusal(STATUS.badListName, 'there are no distribution lists')
/** Sends of one submit_multi at a time, so that it takes turns with other requests. */
const SENDS_AT_A_TIME = 10

export class Messages {
  readonly #tools: MessageTools

  constructor(tools: MessageTools) {
    this.#tools = tools
  }

  async answer(request: MessageRequest, by: Submitter): Promise<ResponsePdu> {
    const answered = await this.#answer(request, by)
    if ('command' in answered) return answered
    return bareAnswer(COMMAND_IDS[request.command], answered.status, answered.text)
  }

  #answer(request: MessageRequest, by: Submitter): Promise<ResponsePdu | Refusal> {
    switch (request.command) {
      case 'submit_sm':
      case 'data_sm':
        return this.#submit(request, by)
      case 'submit_multi':
        return this.#submitMulti(request, by)
      case 'query_sm':
        return this.#tools.inquiries.query(request, by.access)
      case 'cancel_sm':
        return this.#tools.inquiries.cancel(request, by.access)
      default:
        return Promise.resolve(refusal(STATUS.badCommandId, ''))
    }
  }

  async #submit(request: ShortMessage | DataMessage, by: Submitter): Promise<ResponsePdu | Refusal> {
    const now = this.#tools.clock.now()
    const read = readShortMessage(request, now)
    if ('status' in read) return read
    if (read.joined !== null) {
      const id = await this.#tools.longMessages.take(read, read.joined, request, by)
      return typeof id === 'string' ? accepted(request, id) : id
    }
    const { login } = by.access
    const send = sendOf(read, request, login, now)
    const reporting = reportingOf(request, by, { read, ids: [], now })
    const results = await this.#run(by.access, [send], reporting, onceKey(login, read, toOne(request)))
    if ('status' in results) return results
    const [result] = results
    if (result === undefined || 'status' in result) return result ?? refusal(STATUS.systemError, '')
    return accepted(request, String(result.data['msg_id']))
  }

  async #submitMulti(request: MultiMessage, by: Submitter): Promise<ResponsePdu | Refusal> {
    const { destinations } = request
    if (destinations.length === 0 || destinations.length > MAX_DESTINATIONS) return BAD_COUNT
    if (destinations.some(({ kind }) => kind === 'list')) return NO_LISTS
    const now = this.#tools.clock.now()
    const read = readShortMessage(request, now)
    if ('status' in read) return read
    if (read.joined !== null) return NO_BULK_PARTS
    const addresses = destinations.flatMap((each) => (each.kind === 'address' ? [each.address] : []))
    const { login, access } = by.access
    const id = await this.#tools.newId(access.account.id)
    const refused: { readonly address: Address; readonly status: number }[] = []
    let first: Refusal | null = null
    // Each has its own report address, so each is a run of its own.
    const run = (destination: Address) => {
      const to = { source: request.source, destination, registeredDelivery: request.registeredDelivery }
      const reporting = reportingOf(to, by, { read, ids: [String(id)], now })
      return this.#run(by.access, [sendOf(read, to, login, now)], reporting, onceKey(login, read, toOne(to)))
    }
    const answers: Results[] = []
    for (let at = 0; at < addresses.length; at += SENDS_AT_A_TIME) {
      answers.push(...(await Promise.all(addresses.slice(at, at + SENDS_AT_A_TIME).map(run))))
    }
    const messageIds: MessageId[] = []
    for (const [index, results] of answers.entries()) {
      const result = 'status' in results ? results : (results[0] ?? refusal(STATUS.systemError, ''))
      const address = addresses[index]
      if (!('status' in result)) messageIds.push(result.data['msg_id'] as MessageId)
      else if (address !== undefined) {
        first ??= result
        refused.push({ address, status: result.status })
      }
    }
    if (first !== null && refused.length === addresses.length) return first
    const { reference, text, sendAt } = read
    const key = idKey(login, { reference, text, from: request.source, to: addresses, part: null })
    const messageId = await this.#name({ id, messageIds, onceKey: key, sendAt, accountId: access.account.id, at: now })
    return { command: 'submit_multi_resp', status: STATUS.ok, messageId: String(messageId), refused, tlvs: NO_TLVS }
  }

  /** Returns the id that the client gets: that of the first time for a repeat that is taken once. Never rejects. */
  async #name({ onceKey, sendAt, ...named }: MultiNames): Promise<MessageId> {
    const { store, log, onceMs } = this.#tools
    const { at } = named
    const once = onceKey === null ? null : { key: onceKey, since: at - onceMs }
    try {
      return await store.nameMessages({ ...named, once, keepUntil: Math.max(at, sendAt ?? at) + NAMES_KEPT_MS })
    } catch (error) {
      // The messages are accepted: the client must not submit them again.
      log.warn(
        { error: error as Error },
        'the id of a submit_multi was not stored: query_sm and cancel_sm do not find it',
      )
      return named.id
    }
  }

  async #run(
    access: LoginAccess,
    data: readonly Operation[],
    reporting: Reporting | null,
    idempotencyKey: string | null,
  ): Promise<Results> {
    const answer = readAnswer(await this.#tools.runFor(access, data, { idempotencyKey, reporting }))
    if (answer.error !== null) return refusalOf(answer.error, '')
    return answer.results.map((result) => (result.success ? result : refusalOf(result.error, result.field)))
  }
}

/** What a report about a message needs to be a receipt. */
interface ReportedAs {
  readonly read: Pick<ReadMessage, 'reference'>
  readonly ids: readonly string[]
  readonly now: number
}

/** Null for a client that asked for no receipt: then the account's default hook gets the reports, if it has one. */
function reportingOf(
  request: Pick<ShortMessage, 'source' | 'destination' | 'registeredDelivery'>,
  { access, bindId }: Submitter,
  { read, ids, now }: ReportedAs,
): Reporting | null {
  const { source: from, destination: to, registeredDelivery: asked } = request
  if (!asksForReceipts(asked)) return null
  return receiptsTo(access.login.name, { from, to, at: now, asked, ids, reference: read.reference, on: bindId })
}

function toOne({ source, destination }: Pick<ShortMessage, 'source' | 'destination'>): Addressed {
  return { from: source, to: destination }
}

function accepted({ command }: ShortMessage | DataMessage, messageId: string): ResponsePdu {
  return { command: `${command}_resp`, status: STATUS.ok, messageId, tlvs: NO_TLVS }
}
