/**
 * Answers what clients ask about messages: each request becomes operations of the login's account, and their result a
 * response. Without a rule of its own about money, limits or routing.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Status } from '../../domain/message/status.ts'
import { eventOf } from '../../domain/reports/program-event.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import type { RunFor } from '../../operations/run/run.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { stateOfWord } from '../../wire/smpp/message-state.ts'
import {
  type Address,
  type Answer,
  bareAnswer,
  type CancelMessage,
  type DataMessage,
  MAX_DESTINATIONS,
  type MessageRequest,
  type MultiMessage,
  type QueryMessage,
  type ShortMessage,
} from '../../wire/smpp/pdu.ts'
import { writeSmppTime } from '../../wire/smpp/smpp-time.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'
import { type OlderResult, type Operation, readAnswer } from '../translate/ask.ts'
import type { LongMessages } from './long-messages.ts'
import { type Addressed, onceKey } from './once-key.ts'
import { type ReadMessage, readMessage, sendOf } from './read-message.ts'
import { asksForReceipts, receiptsTo } from './receipt-facts.ts'
import { type Refusal, refusal, refusalOf } from './statuses.ts'

export interface MessageTools {
  readonly clock: Clock
  readonly runFor: RunFor
  /** Draws an id that no message has. */
  readonly newId: (account: AccountId) => Promise<MessageId>
  readonly longMessages: LongMessages
}

export interface Submitter {
  readonly access: LoginAccess
  /** The connection. */
  readonly bindId: string
}

/** What one run of operations returned: why nothing was done, or the result of each. */
type Results = Refusal | readonly (Refusal | OlderResult)[]

const NO_BULK_PARTS = refusal(
  STATUS.badEsmClass,
  'submit_multi takes whole messages, in message_payload if they are long',
)
const BAD_COUNT = refusal(STATUS.badDestinationCount, `number_of_dests: 1 to ${MAX_DESTINATIONS}`)
const NO_LISTS = refusal(STATUS.badListName, 'there are no distribution lists')
const NO_ID = refusal(STATUS.cancelFailed, 'message_id: required')
const NO_SUCH_QUERY = refusal(STATUS.queryFailed, 'Message not found')
const NOT_CANCELLED = refusal(STATUS.cancelFailed, 'Message not found')
/** Sends of one submit_multi at a time, so that it takes turns with other requests. */
const SENDS_AT_A_TIME = 10
const MESSAGE_ID = /^\d{1,16}$/

export class Messages {
  readonly #tools: MessageTools

  constructor(tools: MessageTools) {
    this.#tools = tools
  }

  async answer(request: MessageRequest, by: Submitter): Promise<Answer> {
    const answered = await this.#answer(request, by)
    if ('command' in answered) return answered
    return bareAnswer(COMMAND_IDS[request.command], answered.status, answered.text)
  }

  #answer(request: MessageRequest, by: Submitter): Promise<Answer | Refusal> {
    switch (request.command) {
      case 'submit_sm':
      case 'data_sm':
        return this.#submit(request, by)
      case 'submit_multi':
        return this.#submitMulti(request, by)
      case 'query_sm':
        return this.#query(request, by)
      case 'cancel_sm':
        return this.#cancel(request, by)
      default:
        return Promise.resolve(refusal(STATUS.badCommandId, ''))
    }
  }

  async #submit(request: ShortMessage | DataMessage, by: Submitter): Promise<Answer | Refusal> {
    const now = this.#tools.clock.now()
    const read = readMessage(request, now)
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

  async #submitMulti(request: MultiMessage, by: Submitter): Promise<Answer | Refusal> {
    const { destinations } = request
    if (destinations.length === 0 || destinations.length > MAX_DESTINATIONS) return BAD_COUNT
    if (destinations.some(({ kind }) => kind === 'list')) return NO_LISTS
    const now = this.#tools.clock.now()
    const read = readMessage(request, now)
    if ('status' in read) return read
    if (read.joined !== null) return NO_BULK_PARTS
    const addresses = destinations.flatMap((each) => (each.kind === 'address' ? [each.address] : []))
    const { login, access } = by.access
    const id = String(await this.#tools.newId(access.account.id))
    const refused: { readonly address: Address; readonly status: number }[] = []
    let first: Refusal | null = null
    // Each has its own report address, so each is a run of its own.
    const run = (destination: Address) => {
      const to = { source: request.source, destination, registeredDelivery: request.registeredDelivery }
      const reporting = reportingOf(to, by, { read, ids: [id], now })
      return this.#run(by.access, [sendOf(read, to, login, now)], reporting, onceKey(login, read, toOne(to)))
    }
    const answers: Results[] = []
    for (let at = 0; at < addresses.length; at += SENDS_AT_A_TIME) {
      answers.push(...(await Promise.all(addresses.slice(at, at + SENDS_AT_A_TIME).map(run))))
    }
    for (const [index, results] of answers.entries()) {
      const result = 'status' in results ? results : (results[0] ?? refusal(STATUS.systemError, ''))
      const address = addresses[index]
      if (!('status' in result) || address === undefined) continue
      first ??= result
      refused.push({ address, status: result.status })
    }
    if (first !== null && refused.length === addresses.length) return first
    return { command: 'submit_multi_resp', status: STATUS.ok, messageId: id, refused, tlvs: NO_TLVS }
  }

  async #query({ messageId }: QueryMessage, by: Submitter): Promise<Answer | Refusal> {
    if (!MESSAGE_ID.test(messageId)) return NO_SUCH_QUERY
    const results = await this.#run(by.access, [{ type: 'status', msg_id: Number(messageId) }], null, null)
    if ('status' in results) return results
    const [result] = results
    if (result === undefined || 'status' in result) return NO_SUCH_QUERY
    const { status, steps } = result.data as { readonly status: Status; readonly steps: readonly { at: string }[] }
    const event = eventOf(status === 'READ' ? 'DELIVERED' : status)
    const isFinal = event !== null && event.kind !== 'accepted'
    const at = steps
      .map((step) => step.at)
      .toSorted()
      .at(-1)
    return {
      command: 'query_sm_resp',
      status: STATUS.ok,
      messageId,
      finalDate: isFinal && at !== undefined ? writeSmppTime(Date.parse(at)) : '',
      state: stateOfWord(isFinal ? event.state : 'ENROUTE')?.number ?? 0,
      errorCode: 0,
      tlvs: NO_TLVS,
    }
  }

  async #cancel({ messageId }: CancelMessage, by: Submitter): Promise<Answer | Refusal> {
    if (messageId === '') return NO_ID
    if (!MESSAGE_ID.test(messageId)) return NOT_CANCELLED
    const results = await this.#run(by.access, [{ type: 'cancel', msg_id: Number(messageId) }], null, null)
    if ('status' in results) return results
    const [result] = results
    if (result !== undefined && !('status' in result)) {
      return { command: 'cancel_sm_resp', status: STATUS.ok, tlvs: NO_TLVS }
    }
    return { status: STATUS.cancelFailed, text: result?.text ?? '' }
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

function accepted({ command }: ShortMessage | DataMessage, messageId: string): Answer {
  return { command: `${command}_resp`, status: STATUS.ok, messageId, tlvs: NO_TLVS }
}
