/**
 * The ids of the checks of codes in one request. A repeat under the same Idempotency-Key gets the same ones, so that
 * the check that approved a verification is approved again although the gateway lost its answer.
 */
import { hash } from 'node:crypto'
import type { Random } from '../../ports/system/random.ts'
import type { ClientRequest } from './client-request.ts'

const CHARACTERS = 16

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
