/**
 * Collects the requests that arrive on all connections in one turn of the event loop, and records them together, at
 * most so many at a time. The carrier gets a success only after the batch is on disk, and an error otherwise, so that
 * it repeats the request.
 */
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { MessageAnswer } from '../../wire/smpp/pdu.ts'
import type { SmppSession } from '../../wire/smpp/session.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'

/** A request of the carrier that waits for its answer. */
export interface ReplyTo {
  readonly session: SmppSession
  readonly sequence: number
  readonly command: 'deliver_sm' | 'data_sm'
}

export interface BatchEntry<Item> {
  readonly item: Item
  readonly replyTo: ReplyTo
}

export function answerPdu({ session, sequence, command }: ReplyTo, status: number): void {
  session.answer(sequence, status === STATUS.ok ? SUCCESS[command] : answerOf(command, status))
}

function answerOf(command: ReplyTo['command'], status: number): MessageAnswer {
  return { command: `${command}_resp`, status, messageId: '', tlvs: NO_TLVS }
}

const SUCCESS: Readonly<Record<ReplyTo['command'], MessageAnswer>> = {
  deliver_sm: answerOf('deliver_sm', STATUS.ok),
  data_sm: answerOf('data_sm', STATUS.ok),
}

export class RequestBatch<Item> {
  readonly #record: (items: readonly Item[]) => Promise<void>
  readonly #failed: (error: unknown) => void
  readonly #answered: (batch: readonly BatchEntry<Item>[], isRecorded: boolean) => void
  readonly #most: number
  #entries: BatchEntry<Item>[] = []

  /**
   * @param failed gets the error of a batch that was not recorded. @param answered gets each batch after its answers.
   * @param most limits a batch.
   */
  constructor(
    record: (items: readonly Item[]) => Promise<void>,
    failed: (error: unknown) => void,
    answered: (batch: readonly BatchEntry<Item>[], isRecorded: boolean) => void = () => {},
    most = Number.POSITIVE_INFINITY,
  ) {
    this.#record = record
    this.#failed = failed
    this.#answered = answered
    this.#most = most
  }

  add(item: Item, replyTo: ReplyTo): void {
    if (this.#entries.length === 0) setImmediate(() => this.#flush())
    this.#entries.push({ item, replyTo })
  }

  #flush(): void {
    const entries = this.#entries
    this.#entries = []
    for (let start = 0; start < entries.length; start += this.#most) {
      void this.#recordBatch(entries.slice(start, start + this.#most))
    }
  }

  async #recordBatch(batch: readonly BatchEntry<Item>[]): Promise<void> {
    let status: number = STATUS.ok
    try {
      await this.#record(batch.map(({ item }) => item))
    } catch (error) {
      status = STATUS.temporaryAppError
      this.#failed(error)
    }
    for (const { replyTo } of batch) answerPdu(replyTo, status)
    this.#answered(batch, status === STATUS.ok)
  }
}
