/**
 * An SMS carrier over SMPP with one or more binds. Accepts submissions while at least one bind can send, and keeps all
 * binds connected.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import { LOWER_SHARE } from '../../domain/message/traffic-class.ts'
import type { Carrier, CarrierReceipt, CarrierState, Inbox, Submission } from '../../ports/carriers/carrier.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { MAX_PARTS } from '../../wire/smpp/concatenation.ts'
import type { PeerRequest } from '../../wire/smpp/outcome.ts'
import { type BindCommand, bareAnswer, type ResponsePdu } from '../../wire/smpp/pdu.ts'
import type { SmppSession } from '../../wire/smpp/session.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { SmppBind } from './bind.ts'
import { InboundIntake } from './inbound-intake.ts'
import { judgeAnswer } from './judge-answer.ts'
import { Outbox, type Sent } from './outbox.ts'
import { refOfAnswer, withReference } from './part-ref.ts'
import { readReceipt } from './read-receipt.ts'
import { RepeatedIds } from './repeated-ids.ts'
import { answerPdu, RequestBatch } from './request-batch.ts'
import { readSmppSettings, type SmppSettings } from './settings.ts'
import { statusMeaning } from './status-meanings.ts'
import { type Submit, writeSubmits } from './write-submits.ts'

/** Throws an Error that names the invalid setting. */
export function createSmppCarrier(
  setup: { readonly id: string; readonly settings: unknown },
  tools: CarrierTools,
): Carrier {
  return new SmppCarrier(setup.id, readSmppSettings(setup.settings), tools)
}

/** The longest that a part is queued here; then the message is returned, to be tried again later. */
const MAX_QUEUE_MS = 60_000

/**
 * Returns a window that can be sent within half of that time: other messages wait in the queue of the carrier, which
 * keeps their order for longer.
 */
function windowOf({ binds, window, throughput }: SmppSettings): number {
  const full = binds * window
  return throughput === undefined ? full : Math.min(full, Math.max(1, (throughput * MAX_QUEUE_MS) / 2_000))
}

/** Of the window, for messages that go ahead of others. */
const RESERVED_SHARE = 1 / 16

/**
 * A window of a second or more is filled with what waits for the pace, so that a part of it costs no speed. A smaller
 * one may be the limit itself, if the carrier answers slowly.
 */
function reservedOf(window: number, { throughput }: SmppSettings): number {
  return throughput === undefined || window < throughput ? 0 : Math.floor(window * RESERVED_SHARE)
}

const ROLES: Readonly<Record<SmppSettings['bindAs'], readonly BindCommand[]>> = {
  transceiver: ['bind_transceiver'],
  'transmitter and receiver': ['bind_transmitter', 'bind_receiver'],
}

class SmppCarrier implements Carrier {
  readonly id: string
  readonly channel = 'sms'
  readonly window: number
  readonly reserved: number
  readonly #settings: SmppSettings
  readonly #tools: CarrierTools
  readonly #binds: readonly SmppBind[]
  readonly #outbox: Outbox
  /** Null if something else than the id distinguishes parts. */
  readonly #repeats: RepeatedIds | null
  #inbox: Inbox | null = null
  #receipts: RequestBatch<CarrierReceipt> | null = null
  #inbound: InboundIntake | null = null
  /** The sessions that can send. */
  #sessions: readonly SmppSession[] = []
  #since: number
  #stopping = false

  constructor(id: string, settings: SmppSettings, tools: CarrierTools) {
    this.id = id
    this.window = windowOf(settings)
    this.reserved = reservedOf(this.window, settings)
    this.#settings = settings
    this.#tools = tools
    this.#since = tools.clock.now()
    this.#repeats = settings.receiptIds.apartBy === 'id' ? new RepeatedIds(id, tools) : null
    const owner = {
      requested: (request: PeerRequest, sequence: number, session: SmppSession) =>
        this.#requested(request, sequence, session),
      changed: () => this.#changed(),
    }
    this.#binds = Array.from({ length: settings.binds }, (_, index) =>
      ROLES[settings.bindAs].map(
        (role) => new SmppBind({ carrierId: id, role, number: index + 1 }, settings, tools, owner),
      ),
    ).flat()
    this.#outbox = new Outbox({
      clock: tools.clock,
      sessions: () => this.#sessions,
      throughput: settings.throughput ?? null,
      maxWaiting: this.window + MAX_PARTS,
      lowerShare: tools.lowerShare ?? LOWER_SHARE,
      mayAct: tools.mayAct ?? (() => true),
      // A throttling carrier refuses the rate, not the message.
      isThrottled: (status) => THROTTLED.has(status) && statusMeaning(status, settings.statuses) === 'slow',
      slowed: (reason) => this.#inbox?.slowed(id, reason) ?? false,
    })
  }

  start(inbox: Inbox): void {
    const failed = (what: string) => (failure: unknown) => {
      const error = failure instanceof Error ? failure : new Error(String(failure))
      this.#tools.log.error({ carrier: this.id, error }, `${what} could not be recorded`)
    }
    this.#inbox = inbox
    this.#receipts = new RequestBatch((receipts) => inbox.receive(receipts), failed('receipts'))
    const { defaultAlphabet: alphabet, nationalCountry = null } = this.#settings
    const source = { id: this.id, alphabet, nationalCountry }
    this.#inbound = new InboundIntake(source, inbox, this.#tools.clock, failed('inbound messages'))
    for (const bind of this.#binds) bind.start()
  }

  submit(submission: Submission): Promise<readonly Verdict[]> {
    if (this.#stopping) return toAll(submission, { kind: 'unreachable', reason: 'the carrier is stopping' })
    if (this.#sessions.length === 0) return toAll(submission, { kind: 'unreachable', reason: 'not bound' })
    const submits = writeSubmits(submission, this.#settings)
    if (typeof submits === 'string') return toAll(submission, { kind: 'refused', status: 'REJECTED', reason: submits })
    if (submits.length === 0) return Promise.resolve([])

    return new Promise((resolve) => {
      const open = new OpenSubmission(submission, submits.length, resolve)
      for (const each of submits) this.#send(withReference(each, submission, this.#settings.receiptIds), open)
    })
  }

  #send(submit: Submit, open: OpenSubmission): void {
    const { submission } = open
    this.#outbox.send({
      pdu: submit.pdu,
      tenant: submission.tenant,
      maxWaitMs: Math.min(MAX_QUEUE_MS, submission.lifetimeSeconds * 1_000),
      anotherLeft: submission.anotherLeft ?? NO_ALTERNATIVE,
      maySend: submission.maySend ?? MAY_SEND,
      settle: (sent) => open.settle(submit, this.#judge(submission, submit, sent)),
      late: (late) => {
        if (open.isOpen) open.correct(submit, this.#judge(submission, submit, { kind: 'answered', answer: late }))
        else this.#resolveUnclear(submission, submit, late)
      },
    })
  }

  get isUp(): boolean {
    return this.#sessions.length > 0
  }

  state(): CarrierState {
    const inFlight = this.#binds.reduce((sum, bind) => sum + bind.inFlight, this.#outbox.length)
    const links = this.#binds.map((bind) => bind.link)
    const failed = links.filter((link) => link.lastError !== null)
    const { lastError = null, lastErrorAt = null } = failed.find(({ state }) => state !== 'up') ?? failed[0] ?? {}
    const { throughput = null } = this.#settings
    const fault = { lastError, lastErrorAt }
    return { up: this.isUp, since: this.#since, inFlight, ...fault, throughput, links }
  }

  connectNow(): void {
    for (const bind of this.#binds) bind.connectNow()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#outbox.close('the carrier is stopping')
    await Promise.all(this.#binds.map((bind) => bind.stop()))
  }

  #changed(): void {
    const wasUp = this.#sessions.length > 0
    this.#sessions = this.#binds.flatMap(({ role, session }) => (role === 'bind_receiver' ? [] : (session ?? [])))
    if (wasUp !== this.#sessions.length > 0) this.#since = this.#tools.clock.now()
    this.#outbox.refresh()
  }

  #judge(submission: Submission, submit: Submit, sent: Sent): Verdict {
    const { statuses, receiptIds } = this.#settings
    return judgeAnswer(sent, statuses, (id) => {
      this.#repeats?.check(id, submission.messageId)
      return refOfAnswer(id, submission, submit, receiptIds)
    })
  }

  #resolveUnclear(submission: Submission, submit: Submit, late: ResponsePdu): void {
    const verdict = this.#judge(submission, submit, { kind: 'answered', answer: late })
    if (verdict.kind !== 'taken') return
    const { messageId, step } = submission
    this.#inbox?.resolveUnclear({ carrierId: this.id, messageId, step, parts: submit.parts, ref: verdict.ref })
  }

  #requested(request: PeerRequest, sequence: number, session: SmppSession): void {
    const { command } = request
    if ((command !== 'deliver_sm' && command !== 'data_sm') || this.#receipts === null) {
      session.answer(sequence, bareAnswer(COMMAND_IDS[command], STATUS.wrongBindState))
      return
    }
    const replyTo = { session, sequence, command }
    const receipt = readReceipt(request, this.id, this.#settings)
    if (typeof receipt === 'object') {
      this.#receipts.add(receipt, replyTo)
    } else if (receipt === 'not a receipt') {
      this.#inbound?.take(request, replyTo)
    } else {
      this.#tools.log.warn({ carrier: this.id }, 'ignored a receipt that cannot be read')
      answerPdu(replyTo, STATUS.ok)
    }
  }
}

const THROTTLED: ReadonlySet<number> = new Set([STATUS.throttled, STATUS.queueFull])
const NO_ALTERNATIVE = () => false
const MAY_SEND = () => true
const UNANSWERED: Verdict = { kind: 'unclear', reason: 'not answered' }

function toAll({ parts }: Submission, verdict: Verdict): Promise<readonly Verdict[]> {
  return Promise.resolve(parts.map(() => verdict))
}

/** A submission whose submits are not all settled. */
class OpenSubmission {
  readonly submission: Submission
  readonly #verdicts: Verdict[]
  readonly #resolve: (verdicts: readonly Verdict[]) => void
  #open: number

  /** @param resolve is called once, when so many submits have settled, with a verdict for each part. */
  constructor(submission: Submission, submits: number, resolve: (verdicts: readonly Verdict[]) => void) {
    this.submission = submission
    this.#verdicts = submission.parts.map(() => UNANSWERED)
    this.#resolve = resolve
    this.#open = submits
  }

  get isOpen(): boolean {
    return this.#open > 0
  }

  settle(submit: Submit, verdict: Verdict): void {
    this.correct(submit, verdict)
    this.#open -= 1
    if (this.#open === 0) this.#resolve(this.#verdicts)
  }

  /** Replaces the verdict of a settled submit. */
  correct({ parts }: Submit, verdict: Verdict): void {
    for (const part of parts) this.#verdicts[this.submission.parts.indexOf(part)] = verdict
  }
}
