/** The directory: all that operators have set up, as one snapshot in memory, replaced whole when something changes. */
import type { Account, AccountId } from './account.ts'
import type { Channel, MessageChannel } from './channel.ts'
import { type Price, Tariff } from './price.ts'
import { type NumberPool, type Route, RouteTable } from './route.ts'
import type { ChatTemplate } from './template.ts'

/** The rows as a store keeps them. */
export interface DirectoryRows {
  /** Grows with every change. */
  readonly revision: number
  readonly accounts: readonly Account[]
  readonly keys: readonly ApiKey[]
  readonly senders: readonly Sender[]
  readonly prices: readonly Price[]
  readonly routes: readonly Route[]
  readonly carriers: readonly CarrierSetup[]
  readonly pools: readonly NumberPool[]
  readonly chatTemplates: readonly ChatTemplate[]
  readonly stoppedHooks: readonly StoppedHook[]
}

export interface ApiKey {
  /** SHA-256 of the key, hexadecimal; the key itself is kept nowhere. */
  readonly hash: string
  readonly accountId: AccountId
  readonly name: string
}

export interface Sender {
  readonly accountId: AccountId
  readonly channel: MessageChannel
  readonly name: string
  readonly approved: boolean
}

export interface CarrierSetup {
  readonly id: string
  readonly channel: Channel
  /** The driver: `rbm`, `viber`, `smpp`, `sip`. */
  readonly kind: string
  /** As the driver reads them; kept sealed, for they hold passwords. */
  readonly settings: unknown
}

/** A hook that answered 410: no more reports go there until an operator resumes it. */
export interface StoppedHook {
  readonly accountId: AccountId
  readonly address: string
}

export class Directory {
  readonly revision: number
  readonly tariff: Tariff
  readonly routes: RouteTable
  readonly carriers: readonly CarrierSetup[]
  readonly #accounts: ReadonlyMap<AccountId, Account>
  readonly #accountsByKey: ReadonlyMap<string, AccountId>
  readonly #senders: ReadonlySet<string>
  readonly #pools: ReadonlyMap<string, NumberPool>
  readonly #chatTemplates: ReadonlyMap<AccountId, readonly ChatTemplate[]>
  readonly #stoppedHooks: ReadonlySet<string>

  constructor(rows: DirectoryRows) {
    this.revision = rows.revision
    this.tariff = new Tariff(rows.prices)
    this.routes = new RouteTable(rows.routes)
    this.carriers = rows.carriers
    this.#accounts = new Map(rows.accounts.map((account) => [account.id, account]))
    this.#accountsByKey = new Map(rows.keys.map((key) => [key.hash, key.accountId]))
    this.#senders = new Set(
      rows.senders.flatMap((sender) =>
        sender.approved ? [senderKey(sender.accountId, sender.channel, sender.name)] : [],
      ),
    )
    this.#pools = new Map(rows.pools.map((pool) => [pool.id, pool]))
    this.#chatTemplates = Map.groupBy(rows.chatTemplates, (template) => template.accountId)
    this.#stoppedHooks = new Set(rows.stoppedHooks.map((hook) => `${hook.accountId} ${hook.address}`))
  }

  account(id: AccountId): Account | null {
    return this.#accounts.get(id) ?? null
  }

  /** The account that a key opens; null for an unknown key and for an account that is not active. */
  accountOfKey(hash: string): Account | null {
    const id = this.#accountsByKey.get(hash)
    const account = id === undefined ? undefined : this.#accounts.get(id)
    return account?.state === 'active' ? account : null
  }

  isApproved(accountId: AccountId, channel: MessageChannel, name: string): boolean {
    return this.#senders.has(senderKey(accountId, channel, name))
  }

  pool(id: string): NumberPool | null {
    return this.#pools.get(id) ?? null
  }

  chatTemplatesOf(accountId: AccountId): readonly ChatTemplate[] {
    return this.#chatTemplates.get(accountId) ?? []
  }

  isStoppedHook(accountId: AccountId, address: string): boolean {
    return this.#stoppedHooks.has(`${accountId} ${address}`)
  }
}

function senderKey(accountId: AccountId, channel: MessageChannel, name: string): string {
  return `${accountId} ${channel} ${name}`
}
