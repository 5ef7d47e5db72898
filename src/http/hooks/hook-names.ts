/**
 * Resolves the host names of hooks, which clients choose. Concurrent lookups are bounded in total and per account, so
 * that names of unresponsive servers cannot block others. Caches results and failures for a while; during a DNS outage
 * known addresses stay in use.
 */
import type { LookupAddress } from 'node:dns'
import { SlotRing } from '../../delivery/queues/slot-ring.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Returns all addresses of a host, at least one. Rejects if there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

const MAX_LOOKUPS = 512
const MAX_LOOKUPS_OF_ACCOUNT = 8
const MAX_WAITING_OF_ACCOUNT = 64
const MAX_REMEMBERED = 10_000
const FOUND_FOR_MS = 30_000
const MISSED_FOR_MS = 10_000
/** Maximum age of addresses during a DNS outage. */
const STALE_FOR_MS = 3_600_000

type Found = { readonly addresses: readonly LookupAddress[] } | { readonly error: Error }

interface Remembered {
  readonly found: Found
  /** Monotonic milliseconds. */
  readonly foundAt: number
  readonly until: number
}

interface Party {
  readonly account: number
  active: number
  isWaiting: boolean
  /** Names whose lookup has not begun. */
  readonly waiting: Map<string, PromiseWithResolvers<Found>>
}

export class HookNames {
  readonly #clock: Clock
  readonly #resolve: ResolveHost
  /** Ordered by time, oldest first. */
  readonly #remembered = new Map<string, Remembered>()
  /** Lookups that have begun. Accounts share these alone, so that none waits behind what another one waits for. */
  readonly #open = new Map<string, Promise<Found>>()
  readonly #parties = new Map<number, Party>()
  readonly #ring = new SlotRing<Party>(MAX_LOOKUPS)

  constructor(clock: Clock, resolve: ResolveHost) {
    this.#clock = clock
    this.#resolve = resolve
  }

  /** Lookups in progress, for tests and metrics. */
  get active(): number {
    return this.#ring.active
  }

  /** Whether `resolve` would find addresses at once. */
  has(hostname: string): boolean {
    const known = this.#remembered.get(hostname)
    return known !== undefined && 'addresses' in known.found && this.#clock.monotonic() < known.until
  }

  /** The addresses found last, however old; none if the last lookup failed. */
  found(hostname: string): readonly LookupAddress[] {
    const known = this.#remembered.get(hostname)
    return known !== undefined && 'addresses' in known.found ? known.found.addresses : []
  }

  /** @param account pays for the lookup. */
  async resolve(hostname: string, account: number): Promise<readonly LookupAddress[]> {
    const found = this.#fresh(hostname) ?? (await (this.#open.get(hostname) ?? this.#wait(hostname, account)))
    if ('error' in found) throw found.error
    return found.addresses
  }

  #fresh(hostname: string): Found | null {
    const known = this.#remembered.get(hostname)
    return known !== undefined && this.#clock.monotonic() < known.until ? known.found : null
  }

  #wait(hostname: string, account: number): Promise<Found> {
    const party: Party = this.#parties.get(account) ?? { account, active: 0, isWaiting: false, waiting: new Map() }
    const waiting = party.waiting.get(hostname)
    if (waiting !== undefined) return waiting.promise
    if (party.waiting.size >= MAX_WAITING_OF_ACCOUNT) {
      return Promise.resolve({ error: new Error('too many host names are being looked up') })
    }
    this.#parties.set(account, party)
    const asked = Promise.withResolvers<Found>()
    party.waiting.set(hostname, asked)
    this.#offer(party)
    this.#startAll()
    return asked.promise
  }

  async #lookUp(hostname: string): Promise<Found> {
    // Another account may have asked since.
    const known = this.#fresh(hostname) ?? this.#open.get(hostname)
    if (known !== undefined) return known
    const asked = this.#resolve(hostname).then(
      (addresses) => this.#remember(hostname, { addresses }),
      (error: Error) => this.#remember(hostname, { error }),
    )
    this.#open.set(hostname, asked)
    try {
      return await asked
    } finally {
      this.#open.delete(hostname)
    }
  }

  #offer(party: Party): void {
    if (party.waiting.size > 0 && party.active < MAX_LOOKUPS_OF_ACCOUNT) this.#ring.offer(party)
  }

  #startAll(): void {
    for (let party = this.#ring.next(); party !== null; party = this.#ring.next()) {
      const [next] = party.waiting
      if (next === undefined) continue
      const [hostname, asked] = next
      party.waiting.delete(hostname)
      party.active += 1
      this.#ring.active += 1
      this.#offer(party)
      void this.#lookUp(hostname).then((found) => {
        this.#end(party)
        asked.resolve(found)
      })
    }
  }

  #end(party: Party): void {
    party.active -= 1
    this.#ring.release()
    if (party.active + party.waiting.size === 0) this.#parties.delete(party.account)
    this.#offer(party)
    this.#startAll()
  }

  /** Stores the result for further calls. */
  #remember(hostname: string, found: Found): Found {
    const now = this.#clock.monotonic()
    const before = this.#remembered.get(hostname)
    const isOutage = 'error' in found && (found.error as NodeJS.ErrnoException).code !== 'ENOTFOUND'
    const isStillUsed = before !== undefined && 'addresses' in before.found && now - before.foundAt < STALE_FOR_MS
    const kept = isOutage && isStillUsed ? before : { found, foundAt: now }
    this.#remembered.delete(hostname)
    this.#remembered.set(hostname, { ...kept, until: now + ('error' in found ? MISSED_FOR_MS : FOUND_FOR_MS) })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
    return kept.found
  }
}
