/** Limits the lookups of a request and of an account per second, before any service is asked. */
import { tooManyLookups, tooManyLookupsPerSecond } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { type Inquiry, isLookup, type Planned, type Scope } from '../request/planned.ts'
import { RateLimits } from '../request/rate-limits.ts'

export class LookupRates {
  readonly #tools: OperationTools
  readonly #rates = new RateLimits()

  constructor(tools: OperationTools) {
    this.#tools = tools
  }

  /** Throws Refused. The lookups of test keys ask nothing. */
  check({ account, key }: Scope, read: readonly (Planned | Inquiry)[]): void {
    const lookups = read.filter(isLookup).length
    if (lookups === 0) return
    const { limits, clock, store } = this.#tools
    if (lookups > limits.lookupsInRequest) throw new Refused(tooManyLookups(limits.lookupsInRequest))
    if (key.test) return
    const perSecond = account.settings.lookupsPerSecond ?? limits.lookupsPerSecond
    // Each node that takes requests gets an equal part of the limit.
    const part = perSecond / (store.cluster?.intakeNodes ?? 1)
    if (!this.#rates.take(account.id, part, lookups, clock.monotonic())) {
      throw new Refused(tooManyLookupsPerSecond(perSecond))
    }
  }
}
