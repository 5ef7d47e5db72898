/**
 * An SMS carrier reached by SMPP 3.4 over one or more transceiver binds. Takes submissions as long as one of them is
 * bound, and keeps all of them up by itself.
 */
import type { Verdict } from '../../domain/journey-event.ts'
import type { Carrier, CarrierState, Inbox, Submission } from '../../ports/carrier.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { MOST_PARTS } from '../../wire/smpp/concatenation.ts'
import { bareAnswer } from '../../wire/smpp/pdu.ts'
import type { PeerRequest, Session } from '../../wire/smpp/session.ts'
import { Bind, type Tools } from './bind.ts'
import { Outbox } from './outbox.ts'
import { readReceipt } from './read-receipt.ts'
import { readSmppSettings, type SmppSettings } from './read-settings.ts'
import { ReceiptBatch } from './receipt-batch.ts'
import { verdictOf, writeSubmits } from './submit.ts'

/** Throws an Error that names the wrong field of the settings. */
export function createSmppCarrier(setup: { readonly id: string; readonly settings: unknown }, tools: Tools): Carrier {
  return new SmppCarrier(setup.id, readSmppSettings(setup.settings), tools)
}

class SmppCarrier implements Carrier {
  readonly id: string
  readonly channel = 'sms'
  readonly window: number
  readonly #settings: SmppSettings
  readonly #tools: Tools
  readonly #binds: readonly Bind[]
  readonly #outbox: Outbox
  #batch: ReceiptBatch | null = null
  #sessions: readonly Session[] = []
  #since: number
  #stopping = false

  constructor(id: string, settings: SmppSettings, tools: Tools) {
    this.id = id
    this.window = settings.binds * settings.window
    this.#settings = settings
    this.#tools = tools
    this.#since = tools.clock.now()
    const owner = {
      requested: (request: PeerRequest, sequence: number, session: Session) =>
        this.#requested(request, sequence, session),
      changed: () => this.#changed(),
    }
    this.#binds = Array.from({ length: settings.binds }, () => new Bind(settings, tools, owner))
    this.#outbox = new Outbox({
      clock: tools.clock,
      sessions: () => this.#sessions,
      longestWaitMs: settings.responseTimeoutMs,
      mostWaiting: this.window + MOST_PARTS,
    })
  }

  start(inbox: Inbox): void {
    this.#batch = new ReceiptBatch(inbox, (error) => {
      const reason = error instanceof Error ? error : new Error(String(error))
      this.#tools.log.error({ carrier: this.id, reason }, 'receipts could not be recorded')
    })
    for (const bind of this.#binds) bind.start()
  }

  submit(submission: Submission): Promise<readonly Verdict[]> {
    const { parts, messageId, step } = submission
    const all = (verdict: Verdict) => Promise.resolve(parts.map(() => verdict))
    if (this.#stopping) return all({ kind: 'unclear', reason: 'the carrier is stopping' })
    if (this.#sessions.length === 0) return all({ kind: 'unclear', reason: 'not bound' })
    const pdus = writeSubmits(submission, this.#settings)
    if (typeof pdus === 'string') return all({ kind: 'refused', status: 'REJECTED', reason: pdus })
    if (pdus.length === 0) return Promise.resolve([])

    return new Promise((resolve) => {
      const verdicts: Verdict[] = parts.map(() => ({ kind: 'unclear', reason: 'not answered' }))
      let open = pdus.length
      for (const [index, pdu] of pdus.entries()) {
        this.#outbox.send(pdu, (outcome) => {
          verdicts[index] = verdictOf(outcome, `unnamed-${messageId}-${step}-${parts[index]}`)
          open -= 1
          if (open === 0) resolve(verdicts)
        })
      }
    })
  }

  state(): CarrierState {
    const inFlight = this.#sessions.reduce((sum, session) => sum + session.inFlight, this.#outbox.length)
    const lastError = this.#binds.find((bind) => bind.lastError !== null)?.lastError ?? null
    return { up: this.#sessions.length > 0, since: this.#since, inFlight, lastError }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#outbox.fail('the carrier is stopping')
    await Promise.all(this.#binds.map((bind) => bind.stop()))
  }

  #changed(): void {
    const wasUp = this.#sessions.length > 0
    this.#sessions = this.#binds.flatMap(({ session }) => session ?? [])
    if (wasUp !== this.#sessions.length > 0) this.#since = this.#tools.clock.now()
    this.#outbox.refresh()
  }

  #requested(request: PeerRequest, sequence: number, session: Session): void {
    const { command } = request
    if (command !== 'deliver_sm' && command !== 'data_sm') {
      session.answer(sequence, bareAnswer(COMMAND_IDS[command], STATUS.wrongBindState))
      return
    }
    const receipt = readReceipt(request, this.id)
    if (typeof receipt === 'object' && this.#batch !== null) {
      this.#batch.add({ receipt, session, sequence, command: `${command}_resp` })
    } else {
      this.#tools.log.info({ carrier: this.id, kind: String(receipt) }, 'passed over a message of the carrier')
      session.answer(sequence, bareAnswer(COMMAND_IDS[command], STATUS.ok))
    }
  }
}
