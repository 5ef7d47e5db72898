/**
 * Looks up short links, many requests at once, and caches them; counts clicks in batches. A redirect never waits for
 * the count: clicks that are not yet counted when the process dies are lost.
 */
import { hourOf } from '../domain/message-statistics.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ClickCount, LinkStore, ShortLink } from '../ports/short-link.ts'
import { BatchWriter } from './batch-writer.ts'

const MAX_KEPT = 10_000
const MAX_BATCH = 1_000
/** Clicks that wait while the store is unavailable; further ones are not counted. */
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

interface Click {
  readonly link: ShortLink
  readonly visitor: Visitor
  readonly at: number
}

interface Caller {
  readonly code: string
  readonly resolve: (link: ShortLink | null) => void
  readonly reject: (error: unknown) => void
}

export class ClickCounter {
  readonly #tools: ClickTools
  readonly #writer: BatchWriter<Click>
  /** Least recently used first. */
  readonly #kept = new Map<string, ShortLink>()
  readonly #reporting = new Set<string>()
  #callers: Caller[] = []
  #finding = false
  #waiting = 0

  constructor(tools: ClickTools) {
    this.#tools = tools
    this.#writer = new BatchWriter(tools, 'clicks', MAX_BATCH, (batch) => this.#count(batch))
  }

  get idle(): boolean {
    return this.#writer.idle && this.#reporting.size === 0
  }

  /** Returns the link of a code, even an expired one; null if there is none. Rejects if the store fails. */
  find(code: string): Promise<ShortLink | null> {
    const link = this.#kept.get(code)
    if (link !== undefined) {
      this.#keep(link)
      return Promise.resolve(link)
    }
    return new Promise((resolve, reject) => {
      this.#callers.push({ code, resolve, reject })
      if (!this.#finding) void this.#findAll()
    })
  }

  count(link: ShortLink, visitor: Visitor): void {
    if (this.#waiting >= MAX_WAITING) return
    this.#waiting += 1
    this.#writer.add({ link, visitor, at: this.#tools.clock.now() })
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
        for (const link of links) this.#keep(link)
        const byCode = new Map(links.map((link) => [link.code, link]))
        for (const { code, resolve } of callers) resolve(byCode.get(code) ?? null)
      } catch (error) {
        for (const { reject } of callers) reject(error)
      }
    }
    this.#finding = false
  }

  #keep(link: ShortLink): void {
    this.#kept.delete(link.code)
    this.#kept.set(link.code, link)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) return
      this.#kept.delete(oldest)
    }
  }

  async #count(batch: readonly Click[]): Promise<void> {
    const byHour = Map.groupBy(batch, ({ link, at }) => `${hourOf(at)} ${link.code}`)
    const counts: ClickCount[] = [...byHour.values()].flatMap((clicks) => {
      const [first] = clicks
      if (first === undefined) return []
      const humans = clicks.filter(({ visitor }) => visitor === 'human').length
      return [{ code: first.link.code, humans, robots: clicks.length - humans, at: first.at }]
    })
    const unreported = await this.#tools.store.countClicks(counts)
    this.#waiting -= batch.length
    const humans = Map.groupBy(
      batch.filter(({ visitor }) => visitor === 'human'),
      ({ link }) => link.code,
    )
    for (const code of unreported) {
      const first = humans.get(code)?.[0]
      if (first !== undefined) void this.#report(first)
    }
  }

  async #report({ link, at }: Click): Promise<void> {
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
