/**
 * The callbacks of batches: one GET for each message, to `callback_url` if it was accepted and otherwise to
 * `errback_url`. As with Jasmin they are not repeated, while those of the messages are (`dlr_url`).
 */
import { writeTarget } from '../../domain/reports/report-target.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Batches whose callbacks are under way. */
const MAX_BATCHES = 50
/** After so many failures in a row, the other callbacks of a batch are left out. */
const MAX_FAILURES = 3

interface CallbackAddresses {
  readonly accepted: string | null
  readonly refused: string | null
}

/** What became of the messages of a batch, which Jasmin says to its callbacks only. */
export interface BatchStatuses {
  readonly batchId: string
  readonly messages: readonly { readonly to: string; readonly status: 0 | 1; readonly statusText: string }[]
}

export class BatchCallbacks {
  readonly #hookPost: Pick<HookPost, 'post'>
  readonly #clock: Clock
  #batches = 0

  constructor(hookPost: Pick<HookPost, 'post'>, clock: Clock) {
    this.#hookPost = hookPost
    this.#clock = clock
  }

  /** Whether no further batch should be accepted now. */
  get isFull(): boolean {
    return this.#batches >= MAX_BATCHES
  }

  /** Makes the calls of a batch one after the other. Never rejects. */
  async run(account: number, { accepted, refused }: CallbackAddresses, batch: BatchStatuses): Promise<void> {
    const { batchId, messages } = batch
    this.#batches += 1
    let failures = 0
    for (const [index, { to, status, statusText }] of messages.entries()) {
      if (failures === MAX_FAILURES) break
      const address = status === 1 ? accepted : refused
      if (address === null) continue
      const answer = await this.#hookPost.post({
        account,
        address: writeTarget({ form: 'jasmin', to: address, facts: { method: 'GET' } }),
        body: JSON.stringify({ batchId, to, status, statusText }),
        count: null,
        id: `${batchId}-${index}`,
        at: this.#clock.now(),
        secrets: [],
      })
      failures = answer.kind === 'answered' ? 0 : failures + 1
    }
    this.#batches -= 1
  }
}
