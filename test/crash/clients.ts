/**
 * Clients of the gateways on keep-alive connections, each with one request at a time. A request that got no answer is
 * repeated only where that is safe; all others are left unknown, as a real client would have to leave them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/app/system/system-clock.ts'
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

/** What is in front of a gateway: it answers, or will again. */
interface Gate {
  readonly address: string
  untilUp(): Promise<void>
}

/** A try that brought no answer, or a refusal of the whole request. */
interface Failure {
  /** Milliseconds, `performance.now()`. */
  readonly at: number
  readonly reason: string
}

export interface ClientsSetup {
  /** Connections to each gateway. */
  readonly count: number
  /** A client that gets no answer from one of them tries the next. */
  readonly gateways: readonly Gate[]
  readonly tally: Tally
  /** A minute when absent. */
  readonly answerTimeoutMs?: number
  /** How long each client thinks between two requests; not at all when absent. */
  readonly thinkMs?: number
}

const ANSWER_TIMEOUT_MS = 60_000
/** After each of these the gateways are asked once more; one of them is up again by then or none will ever be. */
const MAX_ROUNDS = 50
/** Between two rounds in which no gateway could execute the request. */
const BETWEEN_ROUNDS_MS = 200
/** No gateway has received the request: it may be made elsewhere, whatever it is. */
const UNREACHED = 'ECONNREFUSED'

export class Clients {
  readonly askings: Asking[] = []
  /** Refused connections do not count: the client tries the next gateway. */
  readonly failures: Failure[] = []
  readonly #http: HttpClient
  readonly #setup: ClientsSetup
  #turn = 0

  constructor(setup: ClientsSetup) {
    const { count, gateways, answerTimeoutMs = ANSWER_TIMEOUT_MS } = setup
    this.#http = new HttpClient({ connections: count * gateways.length, timeoutMs: answerTimeoutMs }, systemClock)
    this.#setup = setup
  }

  /** Asks them all, `count` at a time, and carries on through whatever happens to the gateways. */
  async ask(requests: Iterable<ClientRequest>, count: number): Promise<void> {
    const left = Iterator.from(requests)
    await atOnce(count, async () => {
      for (const request of left) {
        this.askings.push(await this.#askUntilSure(request))
        if (this.#setup.thinkMs !== undefined) await pause(this.#setup.thinkMs)
      }
    })
  }

  /** Asks one of the gateways once. */
  async send(request: ClientRequest, { address } = this.#gates(0)): Promise<Asking & { readonly isReceived: boolean }> {
    const { path, key, body } = request
    const headers = { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) }
    const result = await this.#http.send({ method: 'POST', url: address + path, headers, body })
    if (result.kind === 'silent') {
      const isReceived = result.reason !== UNREACHED
      if (isReceived) this.#failed(result.reason)
      return { request, outcome: 'unknown', answer: '', isReceived }
    }
    const isExecuted = result.status === 200 && (JSON.parse(result.body) as { success: boolean }).success
    if (!isExecuted) this.#failed(`${result.status} ${result.body}`)
    return { request, outcome: isExecuted ? 'answered' : 'refused', answer: result.body, isReceived: true }
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #askUntilSure(request: ClientRequest): Promise<Asking> {
    const { gateways, tally } = this.#setup
    this.#turn += 1
    const first = this.#turn
    for (let tries = 1; ; tries += 1) {
      if (tries % gateways.length === 1 % gateways.length) await Promise.any(gateways.map((each) => each.untilUp()))
      const asking = await this.send(request, this.#gates(first + tries))
      if (asking.outcome === 'answered') tally.happened('answered')
      const isOver = asking.isReceived && (asking.outcome === 'answered' || request.certainty === 'hope')
      if (isOver || tries === MAX_ROUNDS * gateways.length) return asking
      if (tries % gateways.length === 0) await pause(BETWEEN_ROUNDS_MS)
    }
  }

  #gates(turn: number): Gate {
    const { gateways } = this.#setup
    return gateways[turn % gateways.length] as Gate
  }

  #failed(reason: string): void {
    this.failures.push({ at: performance.now(), reason })
  }
}

/** So many that each do the same, for instance take turns at one iterator. */
export async function atOnce(count: number, each: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, each))
}
