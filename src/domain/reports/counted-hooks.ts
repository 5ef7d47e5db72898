/**
 * The names under which reports to hooks are counted: the address without user, query and fragment, and without what
 * looks like a token in its path. Bounded, because clients choose addresses: further ones are counted together.
 */
import { DAY_MS } from '../accounts/retention.ts'
import type { AccountId } from '../ids/account-id.ts'
import { IdMap } from '../structures/id-map.ts'
import { isFeed } from './event-feed.ts'
import { hookOf } from './report-schedule.ts'
import { formOf, urlOf } from './report-target.ts'

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
  const form = formOf(address)
  if (isFeed(address) || form === 'smpp') return address.slice(0, MAX_LENGTH)
  const [, scheme, host, path = ''] = ADDRESS.exec(urlOf(address)) ?? []
  if (scheme === undefined || host === undefined) return OTHER_HOOKS
  const parts = path.split(/[/\\]/).map((part) => (TOKEN.test(part) && !WORDS.test(part) ? '…' : part))
  const prefix = form === null ? '' : `${form}:`
  return `${prefix}${scheme.toLowerCase()}://${host.toLowerCase()}${parts.join('/')}`.slice(0, MAX_LENGTH)
}

interface AccountNames {
  readonly ofHook: Map<string, string>
  readonly distinct: Set<string>
  /** The hook of the last report, and its name: usually the only one. */
  lastHook: string
  lastName: string
}

export class CountedHooks {
  #ofAccount = new IdMap<AccountId, AccountNames>()
  #count = 0
  #day = 0

  /** Returns the name under which a report to this address is counted at this time, milliseconds. */
  nameOf({ accountId, address }: { readonly accountId: AccountId; readonly address: string }, at: number): string {
    const day = Math.floor(at / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#count = 0
      this.#ofAccount = new IdMap()
    }
    const hook = hookOf(address)
    const known = this.#ofAccount.get(accountId)
    if (known?.lastHook === hook) return known.lastName
    const name = known?.ofHook.get(hook)
    if (known === undefined || name === undefined) return this.#add(accountId, hook, known)
    known.lastHook = hook
    known.lastName = name
    return name
  }

  #add(accountId: AccountId, hook: string, known: AccountNames | undefined): string {
    if (this.#count >= MAX_NAMES) return OTHER_HOOKS
    const name = hookName(hook)
    const names = known ?? { ofHook: new Map(), distinct: new Set(), lastHook: hook, lastName: name }
    if (!names.distinct.has(name) && names.distinct.size >= MAX_COUNTED_HOOKS) return OTHER_HOOKS
    names.distinct.add(name)
    names.ofHook.set(hook, name)
    this.#ofAccount.set(accountId, names)
    this.#count += 1
    return name
  }
}
