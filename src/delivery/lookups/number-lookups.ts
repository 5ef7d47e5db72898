/**
 * Asks lookup services about numbers, by the routes of the channel `lookup`. Questions under way are bounded, in total
 * and for each account; others wait, accounts taking turns, until their time is over.
 */
import type { Directory } from '../../domain/directory/directory.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { NO_MONEY } from '../../domain/money/money.ts'
import type { Carrier, LookupVerdict } from '../../ports/carriers/carrier.ts'
import type { AskedNumber, NumberAnswer, NumberLookup, NumberQuestion } from '../../ports/carriers/lookup.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Breaker } from '../carriers/breaker.ts'
import type { CarrierFleet } from '../carriers/carrier-fleet.ts'
import { NumberCache } from './number-cache.ts'
import { QuestionFailures } from './question-failures.ts'

export interface NumberLookupTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly clock: Clock
  readonly log: Log
  /** Currency of costs that name none, ISO 4217. */
  readonly currency: string
}

/** How many questions may be under way or wait, of all accounts and of one, and how many answers are kept. */
const LOOKUP_BOUNDS = {
  asked: 200,
  askedOfAccount: 50,
  waiting: 5_000,
  waitingOfAccount: 500,
  kept: 100_000,
} as const

type LookupBounds = Readonly<Record<keyof typeof LOOKUP_BOUNDS, number>>

interface Job {
  readonly question: NumberQuestion
  /** On the monotonic clock, milliseconds. */
  readonly until: number
  readonly settle: (answer: NumberAnswer | null) => void
}

export class NumberLookups implements NumberLookup {
  readonly #tools: NumberLookupTools
  readonly #bounds: LookupBounds
  readonly #cache: NumberCache
  readonly #failures: QuestionFailures
  /** By account, those with waiting jobs; the account whose turn is next comes first. */
  readonly #waitingOf = new Map<AccountId, Set<Job>>()
  readonly #askedOf = new Map<AccountId, number>()
  #waiting = 0
  #asked = 0

  constructor(tools: NumberLookupTools, bounds: Partial<LookupBounds> = {}) {
    this.#tools = tools
    this.#bounds = { ...LOOKUP_BOUNDS, ...bounds }
    this.#cache = new NumberCache(this.#bounds.kept)
    this.#failures = new QuestionFailures(tools.clock)
  }

  serves(number: AskedNumber): boolean {
    return this.#routed(number).length > 0
  }

  /** Answers of carriers that were changed, or that the routes of the account no longer lead to, are not used. */
  known(question: NumberQuestion): NumberAnswer | null {
    const { clock, currency } = this.#tools
    const kept = this.#cache.find(question, clock.now() - question.maxAgeMs)
    if (kept === null || !this.#routed(question).includes(kept.carrier)) return null
    return { ...kept.answer, cached: true, cost: { micros: NO_MONEY, currency } }
  }

  ask(question: NumberQuestion): Promise<NumberAnswer | null> {
    const { accountId, withinMs } = question
    const { clock } = this.#tools
    const known = this.known(question)
    if (known !== null) return Promise.resolve(known)
    const { waiting, waitingOfAccount } = this.#bounds
    const jobs = this.#waitingOf.get(accountId) ?? new Set<Job>()
    if (this.#waiting >= waiting || jobs.size >= waitingOfAccount) return Promise.resolve(null)
    return new Promise((resolve) => {
      const cancel = clock.after(withinMs, () => this.#giveUp(job))
      const settle = (answer: NumberAnswer | null) => {
        cancel()
        resolve(answer)
      }
      const job: Job = { question, until: clock.monotonic() + withinMs, settle }
      this.#waitingOf.set(accountId, jobs.add(job))
      this.#waiting += 1
      this.#askNext()
    })
  }

  forget(phone: NumberQuestion['phone']): void {
    this.#cache.forget(phone)
  }

  /** Its carrier may still answer: the answer is then kept for the next question. */
  #giveUp(job: Job): void {
    this.#takeOut(job)
    job.settle(null)
  }

  #takeOut(job: Job): void {
    const { accountId } = job.question
    const jobs = this.#waitingOf.get(accountId)
    if (jobs?.delete(job) !== true) return
    this.#waiting -= 1
    this.#waitingOf.delete(accountId)
    if (jobs.size > 0) this.#waitingOf.set(accountId, jobs)
  }

  #askNext(): void {
    while (this.#asked < this.#bounds.asked) {
      const job = this.#next()
      if (job === undefined) return
      this.#takeOut(job)
      void this.#run(job)
    }
  }

  #next(): Job | undefined {
    for (const [accountId, jobs] of this.#waitingOf) {
      if ((this.#askedOf.get(accountId) ?? 0) < this.#bounds.askedOfAccount) return jobs.values().next().value
    }
    return undefined
  }

  async #run(job: Job): Promise<void> {
    const { accountId } = job.question
    this.#count(accountId, 1)
    job.settle(await this.#askCarriers(job))
    this.#count(accountId, -1)
    this.#askNext()
  }

  #count(accountId: AccountId, change: 1 | -1): void {
    const asked = (this.#askedOf.get(accountId) ?? 0) + change
    this.#asked += change
    if (asked === 0) this.#askedOf.delete(accountId)
    else this.#askedOf.set(accountId, asked)
  }

  /** Asks one carrier after the other until one answers or the time is over. */
  async #askCarriers({ question, until }: Job): Promise<NumberAnswer | null> {
    const { clock, directory, currency } = this.#tools
    const { phone, accountId } = question
    for (const carrier of this.#routed(question)) {
      if (clock.monotonic() >= until) return null
      const verdict = await this.#askCarrier(carrier, question)
      if (verdict?.kind !== 'answered') continue
      const { facts } = verdict
      const number = { phone, operator: facts.operator ?? question.operator }
      const at = clock.now()
      const cost = directory().routes.costs.amount(carrier.id, number, { category: null, at, currency })
      const answer = { facts, carrierId: carrier.id, at, cached: false, cost }
      this.#cache.keep({ accountId, phone, answer, carrier })
      return answer
    }
    return null
  }

  /** Returns null if the carrier takes no questions now. */
  async #askCarrier(carrier: Carrier, { phone, accountId }: NumberQuestion): Promise<LookupVerdict | null> {
    const { fleet, log } = this.#tools
    const breaker = fleet.breakerOf(carrier.id)
    if (breaker?.mayTry !== true || carrier.lookUp === undefined) return null
    breaker.begin()
    const verdict = await carrier.lookUp(phone)
    this.#judge(carrier, breaker, { verdict, accountId })
    if (verdict.kind === 'answered') fleet.rateOf(carrier.id)?.add(1)
    else log.warn({ carrier: carrier.id, reason: verdict.reason }, 'a lookup service did not answer a question')
    return verdict
  }

  #judge(
    carrier: Carrier,
    breaker: Breaker,
    { verdict, accountId }: { readonly verdict: LookupVerdict; readonly accountId: AccountId },
  ): void {
    if (verdict.kind === 'slow') breaker.slow(verdict.reason)
    else if (verdict.kind === 'answered' || verdict.aboutMessage === true) {
      this.#failures.noteAnswer(carrier)
      breaker.succeed()
    } else {
      const isOfService = this.#failures.isOfService(carrier, accountId)
      // A probe has to end either way.
      if (isOfService || verdict.kind === 'unreachable' || breaker.state !== 'closed') breaker.fail(verdict.reason)
    }
  }

  /** Returns the running carriers of the number's routes, the best first. */
  #routed({ phone, operator, accountId }: AskedNumber): readonly Carrier[] {
    const { fleet, directory, clock } = this.#tools
    const step = { channel: 'lookup', phone, operator, accountId, sender: '', at: clock.now() } as const
    return directory()
      .routes.candidates(step, drawOf(phone))
      .flatMap(({ carrierId }) => (fleet.isDraining(carrierId) ? [] : (fleet.get(carrierId) ?? [])))
  }
}

/** Returns a number in [0, 1), evenly spread over phones. Fibonacci hashing. */
function drawOf(phone: AskedNumber['phone']): number {
  return (Number(phone) * 0.618033988749895) % 1
}
