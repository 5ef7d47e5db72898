/**
 * Gathers the receipts that arrive in one turn of the event loop, on all connections, and hands them over together. The
 * carrier hears of success only after the inbox has them on disk, and of failure so that it sends them again.
 */
import type { CarrierReceipt, Inbox } from '../../ports/carrier.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { Answer } from '../../wire/smpp/pdu.ts'
import type { Session } from '../../wire/smpp/session.ts'

interface Arrived {
  readonly receipt: CarrierReceipt
  readonly session: Session
  readonly sequence: number
  readonly command: 'deliver_sm_resp' | 'data_sm_resp'
}

export class ReceiptBatch {
  readonly #inbox: Inbox
  readonly #failed: (error: unknown) => void
  #arrived: Arrived[] = []

  /** `failed` is told why the inbox took a batch not. */
  constructor(inbox: Inbox, failed: (error: unknown) => void) {
    this.#inbox = inbox
    this.#failed = failed
  }

  add(arrived: Arrived): void {
    if (this.#arrived.length === 0) setImmediate(() => this.#handOver())
    this.#arrived.push(arrived)
  }

  async #handOver(): Promise<void> {
    const batch = this.#arrived
    this.#arrived = []
    let status: number = STATUS.ok
    try {
      await this.#inbox.receive(batch.map(({ receipt }) => receipt))
    } catch (error) {
      status = STATUS.temporaryAppError
      this.#failed(error)
    }
    for (const { session, sequence, command } of batch) session.answer(sequence, answerOf(command, status))
  }
}

function answerOf(command: Arrived['command'], status: number): Answer {
  return { command, status, messageId: '', tlvs: [] }
}
