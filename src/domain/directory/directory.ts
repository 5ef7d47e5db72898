/**
 * The directory: everything that operators have set up, as one snapshot in memory, replaced as a whole on every change.
 */
import type { Account } from '../accounts/account.ts'
import { type AdminToken, type AdminUser, mayLogIn } from '../accounts/admin-user.ts'
import type { ApiKey, KeyInUse } from '../accounts/api-key.ts'
import type { Login } from '../accounts/login.ts'
import type { Passkey } from '../accounts/passkey.ts'
import { ApprovedSenders, isPool, isRated, type RatedSender, type Sender, withSenderIds } from '../accounts/sender.ts'
import { type AlarmRuleSetting, type AlarmRules, alarmRules } from '../alarms/alarm-rule.ts'
import type { StoredTarget } from '../alarms/notification.ts'
import { carriesTexts, type MessageChannel, type RoutedChannel } from '../channels/channel.ts'
import { appliesTo, forSharing, type OptOut, type OptOutChange } from '../consent/opt-out.ts'
import { type GuardRows, Guards } from '../guards/guards.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { InboundNumber } from '../inbound/inbound-number.ts'
import type { Step } from '../message/message.ts'
import { type Cost, CostTable } from '../money/cost.ts'
import type { Micros } from '../money/money.ts'
import {
  type GroupMembership,
  GroupMemberships,
  type Price,
  type PriceGroup,
  type PriceQuestion,
  Tariff,
} from '../money/price.ts'
import { NetworkSet } from '../network/networks.ts'
import { OperatorTable } from '../numbers/operator-table.ts'
import type { Phone } from '../numbers/phone.ts'
import type { CarrierCheck } from '../routing/carrier-check.ts'
import { type Demotion, Demotions, NO_DEMOTIONS } from '../routing/demotion.ts'
import { type QualityRuleSetting, QualityRules } from '../routing/quality-rule.ts'
import { type NumberPool, type Route, RouteTable, tagOf } from '../routing/route.ts'
import type { ChatTemplate } from '../text/template.ts'

/** The rows as stored. */
export interface DirectoryRows extends GuardRows {
  /** Grows with every change. */
  readonly revision: number
  readonly accounts: readonly Account[]
  readonly keys: readonly ApiKey[]
  readonly logins: readonly Login[]
  readonly senders: readonly Sender[]
  readonly prices: readonly Price[]
  readonly priceGroups: readonly PriceGroup[]
  readonly groupMemberships: readonly GroupMembership[]
  readonly routes: readonly Route[]
  readonly costs: readonly Cost[]
  readonly carriers: readonly StoredCarrier[]
  /** The last of each carrier and country. */
  readonly carrierChecks: readonly CarrierCheck[]
  readonly qualityRules: readonly QualityRuleSetting[]
  /** Those that last. */
  readonly demotions: readonly Demotion[]
  readonly pools: readonly NumberPool[]
  readonly inboundNumbers: readonly InboundNumber[]
  /** The text of an OperatorTable. */
  readonly operators: string
  readonly chatTemplates: readonly ChatTemplate[]
  readonly adminUsers: readonly AdminUser[]
  readonly adminTokens: readonly AdminToken[]
  readonly passkeys: readonly Passkey[]
  readonly notificationTargets: readonly StoredTarget[]
  readonly alarmRules: readonly AlarmRuleSetting[]
}

type Networks = Pick<NetworkSet, 'has'>

/** A message that is to be sent under a name. */
interface SenderUse {
  readonly accountId: AccountId
  readonly channel: MessageChannel
  readonly sender: string
  readonly phone: Phone
}

/** What a key gives access to. */
export interface Access {
  readonly account: Account
  readonly key: KeyInUse
  /** Networks from which its requests are accepted; null for all. */
  readonly networks: Networks | null
}

export interface CarrierSetup {
  readonly id: string
  readonly channel: RoutedChannel
  /** The driver: `rbm`, `viber`, `whatsapp`, `smpp`, `sip`, `http`. */
  readonly kind: string
  /** As the driver reads them; stored sealed, because they contain passwords. */
  readonly settings: unknown
}

export interface InstalledCarrier extends CarrierSetup {
  /** Takes no new messages. Parts in flight are completed, and receipts are still accepted. */
  readonly draining: boolean
}

interface StoredCarrier extends InstalledCarrier {
  /** Changes whenever the settings are written or resealed; discloses nothing of them. */
  readonly settingsVersion: string
}

/** Why a key is rejected. */
export type KeyRefusal =
  | 'mistyped key'
  | 'unknown key'
  | 'expired key'
  | 'account suspended'
  | 'account closed'
  | 'address not allowed'
  | 'wrong login'

export interface KeyExplanation {
  /** Null for a key that was never issued here or was revoked. */
  readonly key: ApiKey | null
  readonly account: Account | null
  readonly refusal: KeyRefusal | null
}

/** Tables of the long lists. */
interface RateTables {
  readonly tariff: Tariff
  readonly costs: CostTable
}

export class Directory {
  readonly revision: number
  /** The same object as long as no route and no cost has changed. */
  readonly routes: RouteTable
  readonly carriers: readonly InstalledCarrier[]
  readonly carrierChecks: readonly CarrierCheck[]
  readonly qualityRules: QualityRules
  readonly demotions: Demotions
  /** Identifies the routes and carriers: two directories with the same tag route alike. */
  readonly routingTag: string
  /** Approved senders with a rate. */
  readonly ratedSenders: readonly RatedSender[]
  /** Whether some approved sender is registered in a country. */
  readonly hasRegistrations: boolean
  /** Identifies pools and rates: two directories with the same tag send from the same senders at the same rates. */
  readonly senderTag: string
  readonly guards: Guards
  /** Whether accounts get inbound messages. */
  readonly inboundNumbers: readonly InboundNumber[]
  readonly notificationTargets: readonly StoredTarget[]
  readonly alarmRules: AlarmRules
  readonly #accounts: ReadonlyMap<AccountId, Account>
  readonly #accessByHash: ReadonlyMap<string, Access>
  readonly #logins: ReadonlyMap<string, OpenLogin>
  readonly #keys: readonly ApiKey[]
  /** Built on first use: only rejected keys are looked up in it. */
  #keyByHash: ReadonlyMap<string, ApiKey> | null = null
  /** Those that are approved. */
  readonly #senders: readonly Sender[]
  readonly #sendersOf: ReadonlyMap<AccountId, ApprovedSenders>
  readonly #pools: ReadonlyMap<string, NumberPool>
  readonly #chatTemplates: ReadonlyMap<AccountId, readonly ChatTemplate[]>
  readonly #adminUsers: ReadonlyMap<string, AdminUser>
  readonly #adminTokens: ReadonlyMap<string, AdminToken>
  readonly #operators: OperatorTable
  readonly #prices: readonly Price[]
  readonly #tariff: Tariff
  readonly #costs: readonly Cost[]
  readonly #memberships: GroupMemberships
  readonly #rulesOf = new Map<AccountId, string>()
  readonly #numbersOf = new Map<NumberPool, ReadonlySet<string>>()

  /**
   * `before` is the directory that it replaces: large tables that have not changed are reused. `tables` are those of
   * the rows, if they have been built.
   */
  constructor(rows: DirectoryRows, before?: Directory, tables?: RateTables) {
    this.revision = rows.revision
    this.#tariff = tables?.tariff ?? before?.tariffOf(rows.prices) ?? new Tariff(rows.prices)
    this.#prices = rows.prices
    this.#memberships = new GroupMemberships(rows.groupMemberships)
    const costs = tables?.costs ?? before?.costsOf(rows.costs) ?? new CostTable(rows.costs)
    this.#costs = rows.costs
    this.routes = before?.routes.isOf(rows.routes, costs) === true ? before.routes : new RouteTable(rows.routes, costs)
    this.carriers = rows.carriers.map((carrier) => withSenderIds(carrier, rows.senders))
    this.carrierChecks = rows.carrierChecks
    this.qualityRules = new QualityRules(rows.qualityRules)
    this.demotions = rows.demotions.length === 0 ? NO_DEMOTIONS : new Demotions(rows.demotions)
    this.routingTag = tagOf([this.routes.tag, ...rows.carriers.map(({ id }) => id)].join(' '))
    this.guards = new Guards(rows)
    this.inboundNumbers = rows.inboundNumbers
    this.notificationTargets = rows.notificationTargets
    this.alarmRules = alarmRules(rows.alarmRules)
    this.#accounts = new Map(rows.accounts.map((account) => [account.id, account]))
    this.#accessByHash = openAccounts(this.#accounts, rows.keys)
    this.#keys = rows.keys
    this.#logins = openLogins(this.#accounts, rows.logins)
    this.#senders = rows.senders.filter(({ state }) => state === 'approved')
    this.#sendersOf = groupSenders(this.#senders)
    this.ratedSenders = this.#senders.filter(isRated)
    this.hasRegistrations = this.#senders.some(({ registrations }) => Object.keys(registrations).length > 0)
    const pools = this.#senders.filter(isPool)
    this.senderTag = tagOf(JSON.stringify([this.ratedSenders, pools]))
    this.#pools = new Map(rows.pools.map((pool) => [pool.id, pool]))
    this.#chatTemplates = Map.groupBy(rows.chatTemplates, (template) => template.accountId)
    this.#adminUsers = new Map(rows.adminUsers.map((user) => [user.name, user]))
    this.#adminTokens = new Map(rows.adminTokens.map((token) => [token.hash, token]))
    this.#operators = before?.tableOf(rows.operators) ?? new OperatorTable(rows.operators)
  }

  /** Builds the directory that replaces `before`; yields after each slice of the work on long lists. */
  static *build(rows: DirectoryRows, before?: Directory): Generator<undefined, Directory> {
    const tariff = before?.tariffOf(rows.prices) ?? (yield* Tariff.build(rows.prices))
    const costs = before?.costsOf(rows.costs) ?? (yield* CostTable.build(rows.costs))
    return new Directory(rows, before, { tariff, costs })
  }

  account(id: AccountId): Account | null {
    return this.#accounts.get(id) ?? null
  }

  /** Returns the price of one part; null if none is set. */
  priceOf(asked: PriceQuestion): Micros | null {
    return this.#tariff.priceOf(asked, this.priceGroupOf(asked.accountId, asked.at))
  }

  /** Returns the price group of the account at a time; null for none. */
  priceGroupOf(id: AccountId, at: number): string | null {
    return this.#memberships.groupOf(id, at)
  }

  /** Whether messages of the account are submitted to carriers: also those that it sent before it was closed. */
  maySend(id: AccountId): boolean {
    const account = this.account(id)
    return account?.state !== 'suspended'
  }

  /** Identifies what its messages may have to wait for although carriers could take them: its state and quiet hours. */
  rulesOf(id: AccountId): string {
    const known = this.#rulesOf.get(id)
    if (known !== undefined) return known
    const settings = this.account(id)?.settings
    const quiet = settings === undefined ? null : [this.guards.quietHoursOf(settings), settings.timeZone]
    const rules = tagOf(JSON.stringify([this.maySend(id), quiet]))
    this.#rulesOf.set(id, rules)
    return rules
  }

  /** Returns what a key gives access to; null for an unknown or expired key or an account that is not active. */
  accessBy(hash: string, now: number): Access | null {
    const access = this.#accessByHash.get(hash)
    if (access === undefined || (access.key.expiresAt ?? now + 1) <= now) return null
    return access
  }

  login(name: string): Login | null {
    return this.#logins.get(name)?.login ?? null
  }

  /** Returns the networks from which a login is accepted, within those of its account; null for all. */
  networksOfLogin(name: string): Networks | null {
    return this.#logins.get(name)?.networks ?? null
  }

  /** Returns why a key is rejected, for operators; `refusal` is null if it is accepted. */
  explainKey(hash: string, now: number): KeyExplanation {
    this.#keyByHash ??= new Map(this.#keys.map((key) => [key.hash, key]))
    const key = this.#keyByHash.get(hash)
    if (key === undefined) return { key: null, account: null, refusal: 'unknown key' }
    const account = this.account(key.accountId)
    const isOver = (key.expiresAt ?? now + 1) <= now
    const refusal =
      account?.state !== 'active' ? `account ${account?.state ?? 'closed'}` : isOver ? 'expired key' : null
    return { key, account, refusal: refusal as KeyRefusal | null }
  }

  /** Returns the user and the token; null if the token is unknown or expired or the user may not log in. */
  userOfToken(hash: string, now: number): { readonly user: AdminUser; readonly token: AdminToken } | null {
    const token = this.#adminTokens.get(hash)
    if (token === undefined || (token.expiresAt !== null && token.expiresAt <= now)) return null
    const user = this.#adminUsers.get(token.user)
    if (user === undefined) return null
    const account = user.accountId === null ? null : this.account(user.accountId)
    return mayLogIn(user, account?.state ?? null) ? { user, token } : null
  }

  /**
   * Returns the accounts for which one of our numbers or names is an approved sender, with or without a leading plus.
   */
  approvedAs(
    channel: MessageChannel,
    name: string,
  ): readonly { readonly accountId: AccountId; readonly sender: string }[] {
    const bare = name.replace(/^\+/, '')
    return this.#senders.flatMap((sender) =>
      sender.channel === channel && sender.name === bare ? { accountId: sender.accountId, sender: bare } : [],
    )
  }

  /** Returns every approved sender of the channel that has a route for this phone to the carrier. */
  approvedBy(
    channel: MessageChannel,
    carrierId: string,
    phone: Phone,
  ): readonly { readonly accountId: AccountId; readonly sender: string }[] {
    const operator = this.operatorOf(phone)
    return this.#senders.flatMap(({ channel: on, accountId, name }) => {
      if (on !== channel) return []
      // At any time: costs only decide the order.
      const routes = this.routes.candidates({ channel, phone, operator, accountId, sender: name, at: 0 }, 0)
      return routes.some((route) => route.carrierId === carrierId) ? { accountId, sender: name } : []
    })
  }

  /** Returns whether the account may send under the name to that number. */
  isApproved(accountId: AccountId, channel: MessageChannel, name: string, phone: Phone): boolean {
    return this.senderShown({ accountId, channel, sender: name, phone }) !== null
  }

  /** Returns the sender that the phone sees for the name (ApprovedSenders.shownTo); null if it is not approved. */
  senderShown({ accountId, channel, sender, phone }: SenderUse): Sender | null {
    return this.#sendersOf.get(accountId)?.shownTo(phone, channel, sender) ?? null
  }

  /** Returns the names that share opt-outs with a sender, itself included: a pool and its members, the pool first. */
  sharingOf(accountId: AccountId, { channel, sender }: Pick<Step, 'channel' | 'sender'>): readonly string[] {
    const senders = carriesTexts(channel) ? this.#sendersOf.get(accountId) : undefined
    return senders?.sharing(channel as MessageChannel, sender) ?? [sender]
  }

  /** Returns those of a recipient's opt-outs that apply to a sender of the account. */
  optOutsFor<T extends Pick<OptOut, 'sender' | 'by'>>(
    accountId: AccountId,
    step: Pick<Step, 'channel' | 'sender'>,
    optOuts: readonly T[],
  ): readonly T[] {
    if (optOuts.length === 0) return optOuts
    const isAccountWide = this.guards.settings.optOutScope === 'account'
    const reach = { sharing: this.sharingOf(accountId, step), isAccountWide }
    return optOuts.filter((optOut) => appliesTo(optOut, reach))
  }

  /** Returns the changes of opt-outs for all senders that share them (forSharing). Only senders of SMS do. */
  forSharing(changes: readonly OptOutChange[]): readonly OptOutChange[] {
    return changes.flatMap((change) => {
      const { accountId, sender } = change.optOut
      return forSharing(change, sender === null ? [] : this.sharingOf(accountId, { channel: 'sms', sender }))
    })
  }

  /** Returns the approved sender of the account. */
  sender(accountId: AccountId, channel: MessageChannel, name: string): Sender | undefined {
    return this.#sendersOf.get(accountId)?.find(channel, name)
  }

  /** Returns whether the account may send under the name to any number. */
  hasSender(accountId: AccountId, channel: MessageChannel, name: string): boolean {
    return this.sender(accountId, channel, name) !== undefined
  }

  /** Returns the first approved sender of the account that it may use for the number; null if it has none. */
  senderFor(account: AccountId, channel: MessageChannel, phone: Phone): string | null {
    const mayUse = (sender: Sender): boolean =>
      sender.accountId === account &&
      sender.channel === channel &&
      this.isApproved(account, channel, sender.name, phone)
    return this.#senders.find(mayUse)?.name ?? null
  }

  /** Returns the operator that assigned the number according to the prefix table; null if unknown. */
  operatorOf(phone: Phone): string | null {
    return this.#operators.operatorOf(phone)
  }

  /** Returns its operator table if it has this text. */
  tableOf(text: string): OperatorTable | undefined {
    return this.#operators.text === text ? this.#operators : undefined
  }

  /** Returns its table of costs if it was built from this very list. */
  costsOf(costs: readonly Cost[]): CostTable | undefined {
    return this.#costs === costs ? this.routes.costs : undefined
  }

  /** Returns its tariff if it was built from this very list. */
  tariffOf(prices: readonly Price[]): Tariff | undefined {
    return this.#prices === prices ? this.#tariff : undefined
  }

  /** Returns the name of an operator in the prefix table; null if it has none. */
  operatorName(operator: string | null): string | null {
    return operator === null ? null : this.#operators.nameOf(operator)
  }

  /** Returns a prefix of the operator in the prefix table, that of the number if it has one; null if it has none. */
  operatorPrefix(operator: string, phone: Phone): string | null {
    return this.#operators.prefixOf(operator, phone)
  }

  pool(id: string): NumberPool | null {
    return this.#pools.get(id) ?? null
  }

  isInPool(poolId: string, number: string): boolean {
    const pool = this.#pools.get(poolId)
    if (pool === undefined) return false
    const numbers = this.#numbersOf.get(pool) ?? new Set(pool.numbers)
    this.#numbersOf.set(pool, numbers)
    return numbers.has(number)
  }

  chatTemplatesOf(accountId: AccountId): readonly ChatTemplate[] {
    return this.#chatTemplates.get(accountId) ?? []
  }
}

/** A login, and the networks from which it is accepted; null for all. */
interface OpenLogin {
  readonly login: Login
  readonly networks: Networks | null
}

function setOf(networks: readonly string[] | null): NetworkSet | null {
  return networks === null ? null : new NetworkSet(networks)
}

/** Returns the addresses that are in both. */
function within(one: Networks | null, other: Networks | null): Networks | null {
  if (one === null || other === null) return one ?? other
  return { has: (address) => one.has(address) && other.has(address) }
}

/** Returns the access of each key; keys of inactive accounts have none. */
function openAccounts(accounts: ReadonlyMap<AccountId, Account>, keys: readonly ApiKey[]): ReadonlyMap<string, Access> {
  const access = new Map<string, Access>()
  for (const [accountId, itsKeys] of Map.groupBy(keys, (key) => key.accountId)) {
    const account = accounts.get(accountId)
    if (account?.state !== 'active') continue
    const networks = setOf(account.settings.allowedNetworks)
    for (const key of itsKeys) access.set(key.hash, { account, key, networks: within(networks, setOf(key.networks)) })
  }
  return access
}

function openLogins(
  accounts: ReadonlyMap<AccountId, Account>,
  logins: readonly Login[],
): ReadonlyMap<string, OpenLogin> {
  const opened = new Map<string, OpenLogin>()
  for (const [accountId, itsLogins] of Map.groupBy(logins, (login) => login.accountId)) {
    const networks = setOf(accounts.get(accountId)?.settings.allowedNetworks ?? null)
    for (const login of itsLogins) opened.set(login.name, { login, networks: within(networks, setOf(login.networks)) })
  }
  return opened
}

function groupSenders(senders: readonly Sender[]): ReadonlyMap<AccountId, ApprovedSenders> {
  const ofAccount = Map.groupBy(senders, (sender) => sender.accountId)
  return new Map([...ofAccount].map(([accountId, its]) => [accountId, new ApprovedSenders(its)]))
}
