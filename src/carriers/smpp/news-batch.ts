/**
 * Gathers what arrives in one turn of the event loop, on all connections, and hands it over together. The carrier hears
 * of success only after it is on disk, and of failure so that it sends it again.
 */
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { Session } from '../../wire/smpp/session.ts'

/** A request of the carrier, and where its answer goes. */
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

  /** `failed` is told why a batch could not be handed over; `answered` hears of those that were, once the carrier was told. */
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
