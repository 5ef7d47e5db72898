/**
 * Short links as they are clicked: links are looked up for many requests at once and kept for a while, clicks are
 * gathered and counted in batches. Clicks that are not yet counted when the process dies are lost; a redirect never
 * waits for the count.
 */
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ClickCount, LinkStore, ShortLink } from '../ports/short-link.ts'
import { BatchWriter } from './batch-writer.ts'

const MOST_KEPT = 10_000
const MAX_BATCH = 1_000
/** Clicks that wait while the store does not take them; what comes on top is not counted. */
const MOST_WAITING = 100_000

export type Visitor = 'human' | 'robot'

export interface ClickTools {
  readonly store: LinkStore
  readonly clock: Clock
  readonly log: Log
  /**
   * A person has followed the link and no recorded turn has told of it yet. Resolves once one has; until then, and
   * after that, it is not called again for the link. A rejection is logged, and the next click calls again.
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
  /** The least lately used first. */
  readonly #kept = new Map<string, ShortLink>()
  readonly #telling = new Set<string>()
  #callers: Caller[] = []
  #finding = false
  #waiting = 0

  constructor(tools: ClickTools) {
    this.#tools = tools
    this.#writer = new BatchWriter(tools, 'clicks', MAX_BATCH, (batch) => this.#count(batch))
  }

  get idle(): boolean {
    return this.#writer.idle && this.#telling.size === 0
  }

  /** The link of a code, expired ones included; null when there is none. Rejects when the store cannot say. */
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
    if (this.#waiting >= MOST_WAITING) return
    this.#waiting += 1
    this.#writer.add({ link, visitor, at: this.#tools.clock.now() })
  }

  /** Counts what is gathered. */
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
      if (this.#kept.size <= MOST_KEPT) return
      this.#kept.delete(oldest)
    }
  }

  async #count(batch: readonly Click[]): Promise<void> {
    const byCode = Map.groupBy(batch, ({ link }) => link.code)
    const counts: ClickCount[] = [...byCode].map(([code, clicks]) => {
      const humans = clicks.filter(({ visitor }) => visitor === 'human').length
      return { code, humans, robots: clicks.length - humans }
    })
    const untold = await this.#tools.store.countClicks(counts, this.#tools.clock.now())
    this.#waiting -= batch.length
    for (const code of untold) {
      const first = byCode.get(code)?.find(({ visitor }) => visitor === 'human')
      if (first !== undefined) void this.#tell(first)
    }
  }

  async #tell({ link, at }: Click): Promise<void> {
    if (this.#telling.has(link.code)) return
    this.#telling.add(link.code)
    try {
      await this.#tools.onFirstClick(link, at)
    } catch (error) {
      this.#tools.log.error({ error: error as Error, messageId: link.messageId }, 'a first click could not be told of')
    }
    this.#telling.delete(link.code)
  }
}
