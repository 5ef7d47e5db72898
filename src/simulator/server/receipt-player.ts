/**
 * Posts a phone's receipts to a webhook: each at its time, those of one message in order, each repeated with growing
 * pauses until it is answered with 200, at most twenty times.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { HttpClient } from '../../wire/http-client.ts'
import type { PlannedReceipt } from '../phones/phones.ts'

export interface Play {
  readonly receipts: readonly PlannedReceipt[]
  /** Milliseconds from now to a delivery that no revocation stops; null for none. */
  readonly lateDeliveryMs: number | null
  /** Writes the call that reports the outcome. */
  write(outcome: PlannedReceipt['outcome']): WebhookCall
}

export interface WebhookCall {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Playback {
  /** Resolves when the webhook has answered the first call, whatever the answer. */
  readonly firstAnswer: Promise<void>
  /** Cancels the receipts that are not sent yet, except the late delivery. */
  cancel(): void
}

const MAX_TRIES = 20
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000

export class ReceiptPlayer {
  readonly #clock: Clock
  readonly #client: HttpClient
  readonly #waits = new Set<Cancel>()
  #webhook: string | null = null
  /** Resolves once the address of the webhook is known, or nothing more is sent. */
  readonly #known = Promise.withResolvers<void>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#client = new HttpClient({ connections: 64, timeoutMs: 10_000 }, clock)
  }

  /** The full address of the webhook; receipts wait for it. */
  setWebhook(url: string): void {
    this.#webhook = url
    this.#known.resolve()
  }

  play(play: Play): Playback {
    const playback = { isCancelled: false }
    const first = Promise.withResolvers<void>()
    void this.#run(play, playback, first.resolve)
    return {
      firstAnswer: first.promise,
      cancel: () => {
        playback.isCancelled = true
      },
    }
  }

  /** Sends nothing more. */
  async stop(): Promise<void> {
    for (const cancel of this.#waits) cancel()
    this.#webhook = null
    this.#known.resolve()
    await this.#client.close()
  }

  async #run(play: Play, playback: { readonly isCancelled: boolean }, answered: () => void): Promise<void> {
    const startedAt = this.#clock.monotonic()
    for (const { outcome, afterMs } of play.receipts) {
      await this.#waitUntil(startedAt + afterMs)
      if (playback.isCancelled) break
      await this.#post(play.write(outcome), answered)
    }
    if (play.lateDeliveryMs === null) return
    await this.#waitUntil(startedAt + play.lateDeliveryMs)
    await this.#post(play.write('delivered'), answered)
  }

  async #post(call: WebhookCall, answered: () => void): Promise<void> {
    if (this.#webhook === null) {
      // What waits for the answer must not wait for the address.
      answered()
      await this.#known.promise
    }
    let pauseMs = FIRST_PAUSE_MS
    for (let tries = 0; tries < MAX_TRIES && this.#webhook !== null; tries += 1) {
      const result = await this.#client.send({ method: 'POST', url: this.#webhook, ...call })
      answered()
      if (result.kind === 'answered' && result.status === 200) return
      await this.#waitUntil(this.#clock.monotonic() + pauseMs)
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
    }
    answered()
  }

  async #waitUntil(at: number): Promise<void> {
    const milliseconds = at - this.#clock.monotonic()
    if (milliseconds <= 0) return
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(milliseconds, () => {
        this.#waits.delete(cancel)
        resolve()
      })
      this.#waits.add(cancel)
    })
  }
}
