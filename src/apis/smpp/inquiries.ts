/**
 * query_sm and cancel_sm. The id is that of a message, of a part of one, which stands for the whole message, or of a
 * submit_multi, which stands for all of its messages.
 */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Status } from '../../domain/message/status.ts'
import { eventOf } from '../../domain/reports/program-event.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { RunFor } from '../../operations/run/run.ts'
import type { Named, PartStore } from '../../ports/stores/part-store.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { stateOfWord } from '../../wire/smpp/message-state.ts'
import type { CancelMessage, QueryMessage, ResponsePdu } from '../../wire/smpp/pdu.ts'
import { writeSmppTime } from '../../wire/smpp/smpp-time.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'
import { type OlderResult, readAnswer } from '../translate/ask.ts'
import type { LongMessages } from './long-messages.ts'
import { type Refusal, refusal, refusalOf } from './statuses.ts'

export interface InquiryTools {
  readonly runFor: RunFor
  readonly store: PartStore
  readonly longMessages: LongMessages
}

/** A state in the words of receipts; `at` is null until it is final. */
interface State {
  readonly word: string
  readonly at: number | null
}

const NO_ID = refusal(STATUS.cancelFailed, 'message_id: required')
const NO_SUCH_QUERY = refusal(STATUS.queryFailed, 'Message not found')
const NOT_CANCELLED = refusal(STATUS.cancelFailed, 'Message not found')
const MESSAGE_ID = /^\d{1,16}$/
const UNDER_WAY: State = { word: 'ENROUTE', at: null }
const DELIVERED = 'DELIVRD'
const NONE: Named = { messageIds: [], waiting: [] }

export class Inquiries {
  readonly #tools: InquiryTools

  constructor(tools: InquiryTools) {
    this.#tools = tools
  }

  async query({ messageId }: QueryMessage, access: LoginAccess): Promise<ResponsePdu | Refusal> {
    if (!MESSAGE_ID.test(messageId)) return NO_SUCH_QUERY
    const id = Number(messageId) as MessageId
    const results = await this.#run('status', [id], access)
    if ('status' in results) return results
    let states = results.flatMap(stateOf)
    if (states.length === 0) {
      const { messageIds, waiting } = await this.#named(id, access)
      const found = await this.#run('status', messageIds, access)
      if ('status' in found) return found
      states = messageIds.length === 0 && waiting.length > 0 ? [UNDER_WAY] : found.flatMap(stateOf)
    }
    const state = joined(states)
    if (state === null) return NO_SUCH_QUERY
    return {
      command: 'query_sm_resp',
      status: STATUS.ok,
      messageId,
      finalDate: state.at === null ? '' : writeSmppTime(state.at),
      state: stateOfWord(state.word)?.number ?? 0,
      errorCode: 0,
      tlvs: NO_TLVS,
    }
  }

  async cancel({ messageId }: CancelMessage, access: LoginAccess): Promise<ResponsePdu | Refusal> {
    if (messageId === '') return NO_ID
    if (!MESSAGE_ID.test(messageId)) return NOT_CANCELLED
    const id = Number(messageId) as MessageId
    const results = await this.#run('cancel', [id], access)
    if ('status' in results) return results
    if (results.some(isSuccess)) return CANCELLED
    const { messageIds, waiting } = await this.#named(id, access)
    if (messageIds.length === 0 && (await this.#tools.longMessages.cancel(waiting))) return CANCELLED
    const found = await this.#run('cancel', messageIds, access)
    if ('status' in found) return found
    if (found.some(isSuccess)) return CANCELLED
    const [failed] = [...found, ...results]
    return { status: STATUS.cancelFailed, text: failed?.error ?? '' }
  }

  /** Ids beyond those of messages are safe integers too. */
  async #named(id: MessageId, { login }: LoginAccess): Promise<Named> {
    if (!Number.isSafeInteger(id)) return NONE
    return this.#tools.store.findNamed({ accountId: login.accountId, login: login.name, id })
  }

  async #run(
    type: 'status' | 'cancel',
    ids: readonly MessageId[],
    access: LoginAccess,
  ): Promise<Refusal | readonly OlderResult[]> {
    if (ids.length === 0) return []
    const data = ids.map((id) => ({ type, msg_id: id }))
    const answer = readAnswer(await this.#tools.runFor(access, data, { idempotencyKey: null, reporting: null }))
    return answer.error === null ? answer.results : refusalOf(answer.error, '')
  }
}

const CANCELLED: ResponsePdu = { command: 'cancel_sm_resp', status: STATUS.ok, tlvs: NO_TLVS }

function isSuccess({ success }: OlderResult): boolean {
  return success
}

/** Returns none for a message that is not there. */
function stateOf({ success, data }: OlderResult): readonly State[] {
  if (!success) return []
  const { status, steps } = data as { readonly status: Status; readonly steps: readonly { readonly at: string }[] }
  const event = eventOf(status === 'READ' ? 'DELIVERED' : status)
  if (event === null || event.kind === 'accepted') return [UNDER_WAY]
  const at = steps
    .map((step) => step.at)
    .toSorted()
    .at(-1)
  return [{ word: event.state, at: at === undefined ? null : Date.parse(at) }]
}

/** The state of several messages: under way until all have ended, and delivered if all are. Null for none. */
function joined(states: readonly State[]): State | null {
  const [first] = states
  if (first === undefined) return null
  const open = states.find(({ word }) => word === UNDER_WAY.word)
  if (open !== undefined) return open
  const { word } = states.find((state) => state.word !== DELIVERED) ?? first
  const times = states.flatMap(({ at }) => at ?? [])
  return { word, at: times.length === 0 ? null : Math.max(...times) }
}
