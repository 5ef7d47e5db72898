/** Limits what one request lists: answers that list something can be much longer than the request. */
import { listsTooLong, REQUEST_ERRORS, tooManyLists } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import { MAX_LISTS_BYTES } from '../../domain/structures/answer-size.ts'
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
