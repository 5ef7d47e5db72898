/**
 * Clients of the gateway on keep-alive connections, each with one request at a time. A request that got no answer is
 * repeated only where that is safe; all others are left unknown, as a real client would have to leave them.
 */

import { systemClock } from '../../src/system-clock.ts'
import { HttpClient } from '../../src/wire/http-client.ts'
import type { ClientRequest } from './requests.ts'
import type { Tally } from './tally.ts'

export interface Asking {
  readonly request: ClientRequest
  /** `refused`: the gateway said that it executed nothing. `unknown`: there was no answer. */
  readonly outcome: 'answered' | 'refused' | 'unknown'
  /** The body of the answer; empty when unknown. */
  readonly answer: string
}

const ANSWER_TIMEOUT_MS = 60_000
/** After each of these the gateway is asked once more; it is up again by then or will never be. */
const MOST_TRIES = 50

export class Clients {
  readonly askings: Asking[] = []
  readonly #http: HttpClient
  readonly #address: string
  readonly #untilUp: () => Promise<void>
  readonly #tally: Tally

  constructor(count: number, gateway: { readonly address: string; untilUp(): Promise<void> }, tally: Tally) {
    this.#http = new HttpClient({ connections: count, timeoutMs: ANSWER_TIMEOUT_MS }, systemClock)
    this.#address = gateway.address
    this.#untilUp = () => gateway.untilUp()
    this.#tally = tally
  }

  /** Asks them all, `count` at a time, and carries on through whatever happens to the gateway. */
  async ask(requests: readonly ClientRequest[], count: number): Promise<void> {
    const left = requests.values()
    await atOnce(count, async () => {
      for (const request of left) this.askings.push(await this.#askUntilSure(request))
    })
  }

  /** Asks once. */
  async send(request: ClientRequest): Promise<Asking> {
    const { path, key, body } = request
    const headers = { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) }
    const result = await this.#http.send({ method: 'POST', url: this.#address + path, headers, body })
    if (result.kind === 'silent') return { request, outcome: 'unknown', answer: '' }
    const isExecuted = result.status === 200 && (JSON.parse(result.body) as { success: boolean }).success
    return { request, outcome: isExecuted ? 'answered' : 'refused', answer: result.body }
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #askUntilSure(request: ClientRequest): Promise<Asking> {
    for (let tries = 1; ; tries += 1) {
      await this.#untilUp()
      const asking = await this.send(request)
      if (asking.outcome === 'answered') this.#tally.happened('answered')
      if (asking.outcome === 'answered' || request.certainty === 'hope' || tries === MOST_TRIES) return asking
    }
  }
}

/** So many that each do the same, for instance take turns at one iterator. */
export async function atOnce(count: number, each: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, each))
}
