/**
 * The phones of users whom a messenger may name by an id only: of all in the store, of those named lately in memory
 * too, so that a messenger that names them again and again causes no writes.
 */
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Inbox } from '../../ports/carriers/carrier.ts'
import type { CarrierUser } from '../../ports/carriers/user-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { RecentMap } from './recent-map.ts'

const MAX_RECENT = 200_000
/** Afterwards the store gets them again, and keeps them longer. */
const RECENT_MS = 30 * 86_400_000

export class KnownUsers {
  readonly #carrierId: string
  readonly #clock: Clock
  readonly #recent: RecentMap<Phone>

  constructor(carrierId: string, clock: Clock) {
    this.#carrierId = carrierId
    this.#clock = clock
    this.#recent = new RecentMap(clock, MAX_RECENT)
  }

  /** Resolves once they are on disk. */
  async remember(inbox: Inbox, users: readonly Omit<CarrierUser, 'carrierId'>[]): Promise<void> {
    const fresh = users.filter(({ userId, phone }) => this.#recent.get(userId) !== phone)
    if (fresh.length === 0) return
    await inbox.rememberUsers(fresh.map((user) => ({ carrierId: this.#carrierId, ...user })))
    const until = this.#clock.now() + RECENT_MS
    for (const { userId, phone } of fresh) this.#recent.set(userId, phone, until)
  }

  /** Returns the phones by user id, without those that are unknown. */
  async phonesOf(inbox: Inbox, userIds: readonly string[]): Promise<ReadonlyMap<string, Phone>> {
    const carrierId = this.#carrierId
    const known = new Map<string, Phone>()
    const absent: string[] = []
    for (const userId of new Set(userIds)) {
      const phone = this.#recent.get(userId)
      if (phone === undefined) absent.push(userId)
      else known.set(userId, phone)
    }
    if (absent.length === 0) return known
    const stored = await inbox.findUsers(absent.map((userId) => ({ carrierId, userId })))
    for (const [index, userId] of absent.entries()) {
      const phone = stored[index] ?? null
      if (phone !== null) known.set(userId, phone)
    }
    return known
  }
}
