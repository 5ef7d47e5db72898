/** Opens accounts by login: checks name, password and network, and slows down those who guess. */
import { hash, timingSafeEqual } from 'node:crypto'
import { KEY_SCOPES } from '../../domain/accounts/api-key.ts'
import type { Login, LoginSecrets } from '../../domain/accounts/login.ts'
import { countAttempt, type LoginLimit, type LoginTally, waitOf } from '../../domain/accounts/login-limits.ts'
import type { Access, Directory, KeyRefusal } from '../../domain/directory/directory.ts'
import { firstOfNetwork } from '../../domain/network/networks.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { internalKey } from './internal-key.ts'

/** A login that was proven, and what it opens. */
export interface LoginAccess {
  readonly login: Login
  readonly access: Access
}

/**
 * `denied`: unknown, wrong, or from elsewhere. `inactive`: right, but its account is suspended or closed. `wait`: after
 * too many failures.
 */
export type LoginRefusal = 'denied' | 'inactive' | 'wait'

/** Of a name from an address. Programs keep trying, and must get in soon after they were set right. */
const PAIR_LIMIT: LoginLimit = { free: 10, waits: 'fixed', longestWaitMs: 60_000 }
/** Of an address, which many programs may share. */
const ADDRESS_LIMIT: LoginLimit = { free: 100, waits: 'fixed', longestWaitMs: 60_000 }
/** Of a name from all addresses that have not opened it lately. */
const NAME_LIMIT: LoginLimit = { free: 100, waits: 'fixed', longestWaitMs: 3_600_000 }
const MAX_TALLIES = 20_000
const SALT_BYTES = 16
/** Who shares a network of this length shares its failures. */
const NETWORK_BITS = 64

export function makeSecrets(password: string, signingKey: string | null, random: Random): LoginSecrets {
  const salt = Buffer.from(random.bytes(SALT_BYTES)).toString('hex')
  return { salt, passwordHash: hashPassword(password, salt), signingKey }
}

/** The result is stored encrypted: who reads a copy of the database cannot even try passwords. */
function hashPassword(password: string, salt: string): string {
  return hash('sha256', `${salt}\n${password}`)
}

function isPassword(password: string, { salt, passwordHash }: LoginSecrets): boolean {
  return timingSafeEqual(Buffer.from(hashPassword(password, salt)), Buffer.from(passwordHash))
}

/** Stands for a login that does not exist, so that an unknown name takes as long as a known one. */
const NO_LOGIN: LoginSecrets = { salt: '', passwordHash: '0'.repeat(64), signingKey: null }

interface LoginTools {
  readonly directory: () => Directory
  readonly clock: Clock
  /** Receives that a login was refused. */
  readonly onDenied?: (cause: KeyRefusal, key: null) => void
}

export class Logins {
  readonly #tools: LoginTools
  readonly #tallies = new KeptValues<string, LoginTally>(MAX_TALLIES)
  /** Names with the addresses from which they were opened. */
  readonly #opened = new KeptValues<string, true>(MAX_TALLIES)

  constructor(tools: LoginTools) {
    this.#tools = tools
  }

  find(name: string): Login | null {
    return this.#tools.directory().login(name)
  }

  /** Attempts that fail are counted on this node, and only they. `address` is null if it is unknown. */
  open(name: string, password: string, address: string | null): LoginAccess | LoginRefusal {
    const now = this.#tools.clock.now()
    const keys = this.#keysOf(name, address)
    if (keys.some(({ key, limit }) => waitOf(this.#tallies.get(key) ?? null, limit, now) > 0)) return 'wait'
    const login = this.find(name)
    const isRight = isPassword(password, login?.secrets ?? NO_LOGIN)
    const access = login === null || !isRight || !this.#mayComeFrom(login, address) ? 'denied' : this.accessOf(login)
    if (access === 'denied') {
      this.#tools.onDenied?.('wrong login', null)
      for (const { key, limit } of keys)
        this.#tallies.set(key, countAttempt(this.#tallies.get(key) ?? null, limit, now))
    } else {
      this.#opened.set(pairOf(name, address), true)
    }
    return access
  }

  /** Opens a login that has proven itself otherwise than by its password, such as by a signature. */
  openProven(login: Login, address: string | null): LoginAccess | LoginRefusal {
    return this.#mayComeFrom(login, address) ? this.accessOf(login) : 'denied'
  }

  /** Returns the access of a login that has proven itself, as the account is now. */
  accessOf(login: Login): LoginAccess | 'inactive' {
    const { name, accountId, test, createdAt, priority } = login
    const account = this.#tools.directory().account(accountId)
    if (account?.state !== 'active') return 'inactive'
    const key = internalKey({ accountId, name: `login ${name}`, scopes: KEY_SCOPES, test, createdAt, priority })
    return { login, access: { account, key, networks: null } }
  }

  #mayComeFrom({ name }: Login, address: string | null): boolean {
    const networks = this.#tools.directory().networksOfLogin(name)
    return networks === null || networks.has(address ?? '')
  }

  #keysOf(name: string, address: string | null): readonly { readonly key: string; readonly limit: LoginLimit }[] {
    const pair = pairOf(name, address)
    const own = { key: `pair ${pair}`, limit: PAIR_LIMIT }
    if (this.#opened.get(pair) === true) return [own]
    return [
      own,
      { key: `address ${networkOf(address)}`, limit: ADDRESS_LIMIT },
      { key: `name ${name}`, limit: NAME_LIMIT },
    ]
  }
}

function pairOf(name: string, address: string | null): string {
  return `${networkOf(address)} ${name}`
}

function networkOf(address: string | null): string {
  return address === null ? '' : firstOfNetwork(address, NETWORK_BITS)
}
