/**
 * The names under which reports to hooks are counted: the address without user, query and fragment, and without what
 * looks like a token in its path. Bounded, because clients choose addresses: further ones are counted together.
 */
import type { AccountId } from './account.ts'
import { isFeed } from './event-feed.ts'
import { hookOf } from './report-schedule.ts'
import { DAY_MS } from './retention.ts'

/** Of an account, on a day, in one gateway. */
export const MAX_COUNTED_HOOKS = 100
/** Of all accounts. */
const MAX_NAMES = 20_000
const MAX_LENGTH = 200
export const OTHER_HOOKS = 'other addresses'

/** Scheme, host with port, path. */
const ADDRESS = /^\s*(https?):[/\\]*(?:[^/\\?#]*@)?([^/\\?#\s]+)([^?#]*)/i
/** At least 20 letters and digits in a row, as words are not. */
const TOKEN = /^[A-Za-z0-9_-]{20,}$/
const WORDS = /^[a-z]+(?:[-_][a-z]+)*$/

/** Returns the name of a hook: `https://shop.example/hooks/…/sms`. */
export function hookName(address: string): string {
  if (isFeed(address)) return address
  const [, scheme, host, path = ''] = ADDRESS.exec(address) ?? []
  if (scheme === undefined || host === undefined) return OTHER_HOOKS
  const parts = path.split(/[/\\]/).map((part) => (TOKEN.test(part) && !WORDS.test(part) ? '…' : part))
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${parts.join('/')}`.slice(0, MAX_LENGTH)
}

export class CountedHooks {
  readonly #names = new Map<string, string>()
  readonly #ofAccount = new Map<AccountId, Set<string>>()
  #day = 0

  /** Returns the name under which a report to this address is counted at this time, milliseconds. */
  nameOf({ accountId, address }: { readonly accountId: AccountId; readonly address: string }, at: number): string {
    const day = Math.floor(at / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#names.clear()
      this.#ofAccount.clear()
    }
    const key = `${accountId} ${hookOf(address)}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    if (this.#names.size >= MAX_NAMES) return OTHER_HOOKS
    const names = this.#ofAccount.get(accountId) ?? new Set()
    const name = hookName(address)
    if (!names.has(name) && names.size >= MAX_COUNTED_HOOKS) return OTHER_HOOKS
    this.#ofAccount.set(accountId, names.add(name))
    this.#names.set(key, name)
    return name
  }
}
