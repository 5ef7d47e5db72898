/**
 * Finds out whether phones have RCS and what they can show. Asks Google before the first message to a phone and caches
 * the answer. Phones of one agent and country that are requested in the same turn of the event loop share one
 * `users:batchGet`, which returns reachability only. A message with an image or a button requests the features of its
 * phone alone.
 */
import { callingCodeOf, type Phone } from '../../domain/numbers/phone.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import { RecentMap } from '../shared/recent-map.ts'
import { capabilityUuid } from './message-uuid.ts'
import { type Region, regionOf } from './regions.ts'
import { type Features, readCapability, readReachable } from './submit.ts'

/** `features`: whether the message depends on what the device can show; otherwise only reachability matters. */
export interface CapabilityQuestion {
  readonly phone: Phone
  readonly agentId: string
  /** Reference of the message. */
  readonly ref: string
  readonly features: boolean
}

/** False for a phone without RCS; null if unknown: the answer to the message decides. */
export type Capability = Features | false

interface Waiting {
  readonly question: CapabilityQuestion
  readonly answer: (capability: Capability) => void
}

interface Tools {
  readonly baseUrl: string
  /** Where phones of this region are asked together: Google takes them at the host of their region only. */
  readonly batchUrl: (region: Region) => string
  readonly keptSeconds: number
  readonly clock: Clock
  /** One exchange with Google. Returns an Error if there can be none. Never rejects. */
  readonly call: (request: HttpRequest) => Promise<HttpResult | Error>
}

const MAX_KNOWN = 100_000
/** Phones in one request. Google accepts more, but no more messages are under way at once. */
const MAX_BATCH = 1_000
/** Google accepts 600 batches a minute, and none with phones of another region than its host's. */
const BATCHES_REFUSED_MS = 60_000

export class Capabilities {
  readonly #tools: Tools
  /** By agent and phone: what the device can show; `reachable` if only that is known. */
  readonly #known: RecentMap<ReadonlySet<string> | 'reachable' | false>
  /** Groups whose batches Google refused recently. */
  readonly #refused: RecentMap<true>
  /** By group: questions for the next batch. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Groups with a batch under way. */
  readonly #busy = new Set<string>()

  constructor(tools: Tools) {
    this.#tools = tools
    this.#known = new RecentMap(tools.clock, MAX_KNOWN)
    this.#refused = new RecentMap(tools.clock, MAX_KNOWN)
  }

  async find(question: CapabilityQuestion): Promise<Capability> {
    const known = this.#known.get(keyOf(question))
    if (known === 'reachable' && !question.features) return null
    if (known !== undefined && known !== 'reachable') return known
    const isSingle = question.features || this.#refused.get(groupOf(question)) === true
    return isSingle ? this.#requestOne(question) : this.#join(question)
  }

  async #requestOne(question: CapabilityQuestion): Promise<Capability> {
    const { phone, agentId, ref } = question
    // The request id must differ from that of the message.
    const query = new URLSearchParams({ requestId: capabilityUuid(ref), agentId })
    const url = `${this.#tools.baseUrl}/v1/phones/+${phone}/capabilities?${query}`
    const result = await this.#tools.call({ method: 'GET', url })
    const found = result instanceof Error ? null : readCapability(result)
    if (found !== null) this.#keep(question, found)
    return found
  }

  #join(question: CapabilityQuestion): Promise<Capability> {
    const group = groupOf(question)
    return new Promise((answer) => {
      const waiting = this.#waiting.get(group)
      if (waiting !== undefined) {
        waiting.push({ question, answer })
        return
      }
      this.#waiting.set(group, [{ question, answer }])
      if (!this.#busy.has(group)) setImmediate(() => void this.#requestWaiting(group))
    })
  }

  /** Sends one batch at a time for each group: later questions go into the next batch. */
  async #requestWaiting(group: string): Promise<void> {
    this.#busy.add(group)
    for (let waiting = this.#waiting.get(group); waiting !== undefined; waiting = this.#waiting.get(group)) {
      this.#waiting.delete(group)
      for (let from = 0; from < waiting.length; from += MAX_BATCH) {
        await this.#requestBatch(group, waiting.slice(from, from + MAX_BATCH))
      }
    }
    this.#busy.delete(group)
  }

  async #requestBatch(group: string, batch: readonly Waiting[]): Promise<void> {
    const [first, ...others] = new Set(batch.map(({ question }) => question.phone))
    if (first === undefined || others.length === 0) {
      this.#requestEach(batch)
      return
    }
    const result = await this.#tools.call({
      method: 'POST',
      url: `${this.#tools.batchUrl(regionOf(first))}/v1/users:batchGet`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        users: [first, ...others].map((phone) => `+${phone}`),
        agentId: batch[0]?.question.agentId,
      }),
    })
    if (result instanceof Error || result.kind === 'silent') {
      for (const { answer } of batch) answer(null)
      return
    }
    const reachable = readReachable(result)
    if (reachable === null) {
      this.#refused.set(group, true, this.#tools.clock.now() + BATCHES_REFUSED_MS)
    }
    // An empty list is no proof: testers of an agent that is not launched are reported to single requests only.
    if (reachable === null || reachable.size === 0) {
      this.#requestEach(batch)
      return
    }
    for (const { question, answer } of batch) {
      const isReachable = reachable.has(`+${question.phone}`)
      this.#keep(question, isReachable ? 'reachable' : false)
      answer(isReachable ? null : false)
    }
  }

  #requestEach(batch: readonly Waiting[]): void {
    for (const { question, answer } of batch) {
      this.#requestOne(question).then(answer, () => answer(null))
    }
  }

  #keep(question: CapabilityQuestion, found: ReadonlySet<string> | 'reachable' | false): void {
    this.#known.set(keyOf(question), found, this.#tools.clock.now() + this.#tools.keptSeconds * 1000)
  }
}

function keyOf({ agentId, phone }: CapabilityQuestion): string {
  return `${agentId} ${phone}`
}

/** Phones of one country are in one region, wherever Google puts it. */
function groupOf({ agentId, phone }: CapabilityQuestion): string {
  return `${agentId} ${callingCodeOf(phone)}`
}
