/**
 * What was used of the limits of requests: read once for all of them, counted in memory, written once. A request knows what
 * those before it have used.
 */
import { bucketOf } from '../../domain/message-id.ts'
import type { UsageGuard, UsageLimit } from '../../domain/usage.ts'
import type { Cell } from '../rows/cell.ts'
import { bucketOfRef } from './bucket-of.ts'
import { ByBucket } from './by-bucket.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'

const ASKED = { place: 'integer', account_id: 'bigint', key: 'text', since: 'bigint' } as const
const FIND = inBucket<[place: number, messages: number, micros: number]>(
  `SELECT new.place, sum(usage.messages), sum(usage.micros) FROM usage
   JOIN ${unnest(ASKED, 2)} ON usage.account_id = new.account_id AND usage.key = new.key AND usage.slot >= new.since
   WHERE usage.bucket = $1 GROUP BY new.place`,
)
const ADD = insertion(
  'usage',
  { account_id: 'bigint', key: 'text', slot: 'bigint', messages: 'bigint', micros: 'bigint', keep_until: 'bigint' },
  `ON CONFLICT (bucket, account_id, key, slot) DO UPDATE SET messages = usage.messages + excluded.messages,
     micros = usage.micros + excluded.micros, keep_until = greatest(usage.keep_until, excluded.keep_until)`,
)

interface Used {
  messages: number
  micros: number
}

/** What one transaction adds in one slot. */
interface Added extends Used {
  readonly limit: UsageLimit
}

/** Limits of all accounts together are everybody's: these names are to be locked. */
export function namesOfLimits(limits: readonly UsageLimit[]): readonly string[] {
  return limits.flatMap(({ accountId, key }) => (accountId === null ? [`usage ${key}`] : []))
}

export class Meter {
  readonly #session: Session
  /** As it was before the transaction, by limit and its first slot. */
  readonly #before = new Map<string, Used>()
  /** By limit, and then by slot. */
  readonly #added = new Map<string, Map<number, Added>>()

  private constructor(session: Session) {
    this.#session = session
  }

  /** The accounts, and the names of limits of all, are locked by then. */
  static async open(session: Session, limits: readonly UsageLimit[]): Promise<Meter> {
    const meter = new Meter(session)
    if (limits.length > 0) await meter.#read(limits)
    return meter
  }

  /** The limit that one more message of this price would be beyond; null when there is room in all of them. */
  reached(
    limits: readonly UsageLimit[],
    micros: number,
  ): { readonly guard: UsageGuard; readonly of: 'messages' | 'money' } | null {
    for (const limit of limits) {
      const used = this.#usedOf(limit)
      if (limit.mostMessages !== null && used.messages + 1 > limit.mostMessages) {
        return { guard: limit.guard, of: 'messages' }
      }
      if (limit.mostMicros !== null && used.micros + micros > limit.mostMicros) {
        return { guard: limit.guard, of: 'money' }
      }
    }
    return null
  }

  count(limits: readonly UsageLimit[], micros: number): void {
    for (const limit of limits) {
      const slots = this.#added.get(nameOf(limit)) ?? new Map<number, Added>()
      const added = slots.get(limit.slot) ?? { limit, messages: 0, micros: 0 }
      added.messages += 1
      added.micros += micros
      slots.set(limit.slot, added)
      this.#added.set(nameOf(limit), slots)
    }
  }

  write(): void {
    const rows = new ByBucket<Cell[]>()
    for (const slots of this.#added.values()) {
      for (const { limit, messages, micros } of slots.values()) {
        const { accountId, key, slot, keepUntil } = limit
        rows.add(bucketOfLimit(limit), [accountId ?? 0, key, slot, messages, micros, keepUntil])
      }
    }
    for (const [bucket, each] of rows.entries()) this.#session.insert(ADD, bucket, each)
  }

  async #read(limits: readonly UsageLimit[]): Promise<void> {
    const asked = new ByBucket<Cell[]>()
    for (const [place, limit] of limits.entries()) {
      asked.add(bucketOfLimit(limit), [place, limit.accountId ?? 0, limit.key, limit.since])
    }
    const read = await Promise.all(asked.entries().map(([bucket, rows]) => this.#session.askFor(FIND, bucket, rows)))
    for (const [place, messages, micros] of read.flat()) {
      const limit = limits[place]
      if (limit !== undefined) this.#before.set(`${limit.since} ${nameOf(limit)}`, { messages, micros })
    }
  }

  #usedOf(limit: UsageLimit): Used {
    const used = { ...(this.#before.get(`${limit.since} ${nameOf(limit)}`) ?? { messages: 0, micros: 0 }) }
    for (const [slot, { messages, micros }] of this.#added.get(nameOf(limit)) ?? []) {
      if (slot < limit.since) continue
      used.messages += messages
      used.micros += micros
    }
    return used
  }
}

function nameOf({ accountId, key }: UsageLimit): string {
  return `${accountId ?? 0} ${key}`
}

export function bucketOfLimit({ accountId, key }: Pick<UsageLimit, 'accountId' | 'key'>): number {
  return accountId === null ? bucketOfRef('usage', key) : bucketOf(accountId)
}
