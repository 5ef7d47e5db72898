/** What the operations of one request share: the limit of what they list, and the ids of their checks of codes. */
import { hash } from 'node:crypto'
import { listsTooLong, REQUEST_ERRORS, tooManyLists } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import { MAX_LISTS_BYTES } from '../../domain/structures/answer-size.ts'
import type { Random } from '../../ports/system/random.ts'
import type { ClientRequest } from './client-request.ts'

export class ListBudget {
  readonly #request: Pick<ClientRequest, 'reserve'>
  readonly #maxLists: number
  #lists = 0
  #bytes = 0

  constructor(request: Pick<ClientRequest, 'reserve'>, maxLists: number) {
    this.#request = request
    this.#maxLists = maxLists
  }

  /** Call before a list of about this many bytes is built. Throws Refused if the request lists too much. */
  count(bytes: number): void {
    this.#lists += 1
    this.#bytes += bytes
    if (this.#lists > this.#maxLists) throw new Refused(tooManyLists(this.#maxLists))
    if (this.#bytes > MAX_LISTS_BYTES) throw new Refused(listsTooLong(MAX_LISTS_BYTES))
    if (!this.#request.reserve(bytes)) throw new Refused(REQUEST_ERRORS.unavailable)
  }
}

const CHARACTERS = 16

/**
 * The ids of the checks of codes in one request. A repeat under the same Idempotency-Key gets the same ones, so that
 * the check that approved a verification is approved again although the gateway lost its answer.
 */
export class CheckIds {
  readonly #request: Pick<ClientRequest, 'body' | 'idempotencyKey'>
  readonly #random: Random
  #name: string | null = null
  #count = 0

  constructor(request: Pick<ClientRequest, 'body' | 'idempotencyKey'>, random: Random) {
    this.#request = request
    this.#random = random
  }

  next(): string {
    this.#name ??= this.#nameRequest()
    this.#count += 1
    return `${this.#name}-${this.#count}`
  }

  #nameRequest(): string {
    const { body, idempotencyKey } = this.#request
    if (idempotencyKey === null) return Buffer.from(this.#random.bytes(CHARACTERS / 2)).toString('hex')
    return hash('sha256', `${idempotencyKey}\n${hash('sha256', body)}`).slice(0, CHARACTERS)
  }
}
