/**
 * Seals the queries of hook addresses, where clients put tokens. The address before its query names a hook: reports
 * wait by it and statistics are counted by it, so it stays readable, and the indexes of reports need no key.
 */
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { AddressVault, Vault } from '../../ports/system/vault.ts'

/** Clients name the same few addresses again and again: each is sealed and opened once. */
const MAX_KEPT = 2_000
/** Longer ones are sealed each time. */
const MAX_KEPT_LENGTH = 512

/** An address in JSON, up to its query, and the query, both as JSON writes them. A seal is written as it is. */
const IN_JSON = /"(https?:\/\/(?:[^"\\?]|\\.)*\?)((?:[^"\\]|\\.)*)"/gi

type Keys = Pick<Vault, 'keyId' | 'keyOf' | 'seal' | 'openText'>

export class AddressSeals implements AddressVault {
  isSealing = true
  readonly #vault: Keys
  #sealedWith = ''
  #sealed = new KeptValues<string, string>(MAX_KEPT)
  readonly #opened = new KeptValues<string, string>(MAX_KEPT)

  constructor(vault: Keys) {
    this.#vault = vault
  }

  seal(address: string): string {
    const at = queryAt(address)
    if (at === 0 || !this.isSealing) return address
    if (this.#sealedWith !== this.#vault.keyId) {
      this.#sealedWith = this.#vault.keyId
      this.#sealed = new KeptValues(MAX_KEPT)
    }
    return kept(this.#sealed, address, () => address.slice(0, at) + this.#vault.seal(address.slice(at)))
  }

  open(stored: string): string {
    const at = queryAt(stored)
    if (at === 0) return stored
    return kept(this.#opened, stored, () => stored.slice(0, at) + this.#openQuery(stored.slice(at)))
  }

  sealIn(json: string): string {
    if (!this.isSealing) return json
    return json.replace(IN_JSON, (_, hook, query) => `"${hook}${this.#vault.seal(JSON.parse(`"${query}"`))}"`)
  }

  openIn(json: string): string {
    return json.replace(IN_JSON, (whole, hook, query) => {
      const opened = this.#openQuery(query)
      return opened === query ? whole : `"${hook}${JSON.stringify(opened).slice(1)}`
    })
  }

  keyOf(stored: string): string | null {
    return this.#keyOfQuery(stored.slice(queryAt(stored)))
  }

  keysIn(json: string): readonly (string | null)[] {
    return [...json.matchAll(IN_JSON)].map(([, , query = '']) => this.#keyOfQuery(query))
  }

  #openQuery(query: string): string {
    return this.#keyOfQuery(query) === null ? query : this.#vault.openText(query)
  }

  /** Clients can write a query that begins like a seal. */
  #keyOfQuery(query: string): string | null {
    return query.startsWith('v2.') ? this.#vault.keyOf(query) : null
  }
}

/** Where the query begins; 0 if there is none. */
function queryAt(address: string): number {
  return address.indexOf('?') + 1
}

function kept(values: KeptValues<string, string>, key: string, make: () => string): string {
  const known = values.get(key)
  if (known !== undefined) return known
  const value = make()
  if (key.length <= MAX_KEPT_LENGTH) values.set(key, value)
  return value
}
