/**
 * Looks up short links, many requests at once, and caches them; counts clicks in batches. A redirect never waits for
 * the count: clicks that are not yet counted when the process dies are lost.
 */
import { hourOf } from '../../domain/statistics/message-statistics.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { ClickCount, LinkStore, ShortLink } from '../../ports/records/short-link.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { BatchWriter } from '../queues/batch-writer.ts'

const MAX_KEPT = 10_000
const MAX_BATCH = 1_000
/** Links and hours whose clicks wait while the store is unavailable; clicks on further ones are not counted. */
const MAX_WAITING = 100_000

export type Visitor = 'human' | 'robot'

export interface ClickTools {
  readonly store: LinkStore
  readonly clock: Clock
  readonly log: Log
  /**
   * Called when a human followed the link and no recorded turn has reported it yet. Resolves once one has; it is not
   * called again for the link, except after a rejection, which is logged, by the next click.
   */
  readonly onFirstClick: (link: ShortLink, at: number) => Promise<void>
}

/** Clicks on a link in one hour, until the store is asked to count them. */
interface Tally {
  readonly link: ShortLink
  /** The time of the first. */
  readonly at: number
  humans: number
  robots: number
  firstHumanAt: number | null
}

interface Caller {
  readonly code: string
  readonly resolve: (link: ShortLink | null) => void
  readonly reject: (error: unknown) => void
}

export class ClickCounter {
  readonly #tools: ClickTools
  readonly #writer: BatchWriter<Tally>
  /** The latest tally of each link, by code. */
  readonly #tallies = new Map<string, Tally>()
  /** By code. */
  readonly #links = new KeptValues<string, ShortLink>(MAX_KEPT)
  readonly #reporting = new Set<string>()
  #callers: Caller[] = []
  #finding = false

  constructor(tools: ClickTools) {
    this.#tools = tools
    this.#writer = new BatchWriter(tools, 'clicks', MAX_BATCH, (batch) => this.#count(batch))
  }

  get idle(): boolean {
    return this.#writer.idle && this.#reporting.size === 0
  }

  /** Returns the link of a code, even an expired one, if it is in memory. */
  known(code: string): ShortLink | null {
    return this.#links.get(code) ?? null
  }

  /** Returns the link of a code, even an expired one; null if there is none. Rejects if the store fails. */
  find(code: string): Promise<ShortLink | null> {
    const link = this.known(code)
    if (link !== null) return Promise.resolve(link)
    return new Promise((resolve, reject) => {
      this.#callers.push({ code, resolve, reject })
      if (!this.#finding) void this.#findAll()
    })
  }

  count(link: ShortLink, visitor: Visitor): void {
    const at = this.#tools.clock.now()
    const tally = this.#tallyOf(link, at)
    if (tally === null) return
    if (visitor === 'robot') {
      tally.robots += 1
    } else {
      tally.humans += 1
      tally.firstHumanAt ??= at
    }
  }

  /** Writes the clicks that are not counted yet. */
  async stop(): Promise<void> {
    await this.#writer.close()
  }

  async #findAll(): Promise<void> {
    this.#finding = true
    while (this.#callers.length > 0) {
      const callers = this.#callers.splice(0, MAX_BATCH)
      try {
        const links = await this.#tools.store.findLinks([...new Set(callers.map(({ code }) => code))])
        for (const link of links) this.#links.set(link.code, link)
        const byCode = new Map(links.map((link) => [link.code, link]))
        for (const { code, resolve } of callers) resolve(byCode.get(code) ?? null)
      } catch (error) {
        for (const { reject } of callers) reject(error)
      }
    }
    this.#finding = false
  }

  /** Returns null if too many wait. */
  #tallyOf(link: ShortLink, at: number): Tally | null {
    const latest = this.#tallies.get(link.code)
    if (latest !== undefined && hourOf(latest.at) === hourOf(at)) return latest
    if (this.#writer.size >= MAX_WAITING) return null
    const tally: Tally = { link, at, humans: 0, robots: 0, firstHumanAt: null }
    this.#tallies.set(link.code, tally)
    this.#writer.add(tally)
    return tally
  }

  async #count(batch: readonly Tally[]): Promise<void> {
    // Later clicks are counted by the next batch.
    for (const tally of batch) if (this.#tallies.get(tally.link.code) === tally) this.#tallies.delete(tally.link.code)
    const counts = batch.map(({ link, at, humans, robots }): ClickCount => ({ code: link.code, humans, robots, at }))
    const unreported = new Set(await this.#tools.store.countClicks(counts))
    for (const { link, firstHumanAt } of batch) {
      if (firstHumanAt !== null && unreported.delete(link.code)) void this.#report(link, firstHumanAt)
    }
  }

  async #report(link: ShortLink, at: number): Promise<void> {
    if (this.#reporting.has(link.code)) return
    this.#reporting.add(link.code)
    try {
      await this.#tools.onFirstClick(link, at)
    } catch (error) {
      this.#tools.log.error(
        { error: error as Error, messageId: link.messageId },
        'could not report the first click of a short link',
      )
    }
    this.#reporting.delete(link.code)
  }
}
