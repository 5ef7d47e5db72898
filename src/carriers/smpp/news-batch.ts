/**
 * Collects the requests that arrive on all connections in one turn of the event loop, and records them together. The
 * carrier gets a success only after the batch is on disk, and an error otherwise, so that it repeats the request.
 */
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { Session } from '../../wire/smpp/session.ts'

/** A request of the carrier that waits for its answer. */
export interface Asked {
  readonly session: Session
  readonly sequence: number
  readonly command: 'deliver_sm' | 'data_sm'
}

export interface Arrived<News> {
  readonly news: News
  readonly asked: Asked
}

export function answer({ session, sequence, command }: Asked, status: number): void {
  session.answer(sequence, { command: `${command}_resp`, status, messageId: '', tlvs: [] })
}

export class NewsBatch<News> {
  readonly #handOver: (news: readonly News[]) => Promise<void>
  readonly #failed: (error: unknown) => void
  readonly #answered: (batch: readonly Arrived<News>[]) => void
  #arrived: Arrived<News>[] = []

  /**
   * @param failed gets the error of a batch that was not recorded. @param answered gets a recorded batch, after its
   * answers.
   */
  constructor(
    handOver: (news: readonly News[]) => Promise<void>,
    failed: (error: unknown) => void,
    answered: (batch: readonly Arrived<News>[]) => void = () => {},
  ) {
    this.#handOver = handOver
    this.#failed = failed
    this.#answered = answered
  }

  add(news: News, asked: Asked): void {
    if (this.#arrived.length === 0) setImmediate(() => this.#pass())
    this.#arrived.push({ news, asked })
  }

  async #pass(): Promise<void> {
    const batch = this.#arrived
    this.#arrived = []
    let status: number = STATUS.ok
    try {
      await this.#handOver(batch.map(({ news }) => news))
    } catch (error) {
      status = STATUS.temporaryAppError
      this.#failed(error)
    }
    for (const { asked } of batch) answer(asked, status)
    if (status === STATUS.ok) this.#answered(batch)
  }
}
