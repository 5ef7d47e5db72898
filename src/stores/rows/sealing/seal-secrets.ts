/** Keeps secrets sealed in the store: seals them in changes, and opens them in directories. */
import { hash } from 'node:crypto'
import type { Account, AccountSettings } from '../../../domain/accounts/account.ts'
import type { Login } from '../../../domain/accounts/login.ts'
import type { NotificationTarget } from '../../../domain/alarms/notification.ts'
import type { CarrierSetup, DirectoryRows, InstalledCarrier } from '../../../domain/directory/directory.ts'
import type { NewAccount } from '../../../ports/changes/account-change.ts'
import type { RoutingChange } from '../../../ports/changes/routing-change.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { hookSecretsPlace, loginSecretsPlace, settingsPlace, targetPlace, totpSecretPlace } from './seal-place.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** A Change with sealed secrets; the secret of a user's login codes is sealed with its place. */
export type SealedChange =
  | Exclude<
      Change,
      {
        kind:
          | 'create account'
          | 'set hook secrets'
          | 'set client login'
          | 'set carrier'
          | 'set notification target'
          | 'all'
      }
    >
  | {
      readonly kind: 'create account'
      readonly account: Omit<NewAccount, 'hookSecrets'>
      /** Called once the account has its id, which is part of their place. */
      readonly sealHookSecrets: (accountId: number) => string
    }
  | (Omit<ChangeOf<'set hook secrets'>, 'hookSecrets'> & { readonly hookSecrets: string })
  | (Omit<ChangeOf<'set client login'>, 'login'> & { readonly login: SealedLogin })
  | SealedRoutingChange
  | (Omit<ChangeOf<'all'>, 'changes'> & { readonly changes: readonly SealedRoutingChange[] })

/** A RoutingChange with sealed secrets. */
export type SealedRoutingChange =
  | Exclude<RoutingChange, { kind: 'set carrier' | 'set notification target' }>
  | { readonly kind: 'set carrier'; readonly carrier: SealedCarrier }
  | { readonly kind: 'set notification target'; readonly target: SealedTarget }

export type SealedCarrier = Omit<CarrierSetup, 'settings'> & { readonly settings: string }

type SealedLogin = Omit<Login, 'secrets'> & { readonly secrets: string }

/** A target whose address and secret are sealed. */
export type SealedTarget = NotificationTarget

/** Lists of the directory that may have very many items: they are read apart. */
export type LongList = 'prices' | 'costs'

/** A directory without its long lists, which have no secrets. */
export interface SealedDirectory extends Omit<DirectoryRows, LongList | 'accounts' | 'carriers' | 'logins'> {
  readonly accounts: readonly (Omit<Account, 'hookSecrets'> & { readonly hookSecrets: string })[]
  readonly logins: readonly SealedLogin[]
  readonly carriers: readonly (Omit<InstalledCarrier, 'settings'> & { readonly settings: string })[]
}

export function sealChange(change: Change, vault: Vault): SealedChange {
  const seal = (secret: unknown, place: string) => vault.sealAt(JSON.stringify(secret), place)
  switch (change.kind) {
    case 'create account':
      return sealNewAccount(change, vault)
    case 'set account':
      return change.settings === undefined ? change : { ...change, settings: sealSettings(change.settings, vault) }
    case 'set inbound number': {
      const { number } = change
      return { ...change, number: { ...number, hook: number.hook && vault.addresses.seal(number.hook) } }
    }
    case 'set hook secrets':
      return { ...change, hookSecrets: seal(change.hookSecrets, hookSecretsPlace(change.accountId)) }
    case 'set client login': {
      const { login } = change
      return { ...change, login: { ...login, secrets: seal(login.secrets, loginSecretsPlace(login.name)) } }
    }
    case 'set carrier': {
      const { id, settings } = change.carrier
      return { ...change, carrier: { ...change.carrier, settings: seal(settings, settingsPlace(id)) } }
    }
    case 'set notification target':
      return { ...change, target: mapTarget(change.target, (text, place) => vault.sealAt(text, place)) }
    case 'set admin user':
    case 'admit user': {
      const { name, totpSecret } = change.user
      if (totpSecret === null) return change
      return { ...change, user: { ...change.user, totpSecret: seal(totpSecret, totpSecretPlace(name)) } }
    }
    case 'set admin secrets': {
      const { user, totpSecret } = change
      return totpSecret === null ? change : { ...change, totpSecret: seal(totpSecret, totpSecretPlace(user)) }
    }
    case 'set chat template': {
      const { template } = change
      return { ...change, template: { ...template, template: vault.seal(template.template) } }
    }
    case 'all':
      // Changes in the list seal to changes allowed in a list.
      return { ...change, changes: change.changes.map((each) => sealChange(each, vault) as SealedRoutingChange) }
    default:
      return change
  }
}

function sealNewAccount(
  { kind, account: { hookSecrets, ...account } }: ChangeOf<'create account'>,
  vault: Vault,
): SealedChange {
  const settings = sealSettings(account.settings, vault)
  const sealHookSecrets = (accountId: number) => vault.sealAt(JSON.stringify(hookSecrets), hookSecretsPlace(accountId))
  return { kind, account: { ...account, settings }, sealHookSecrets }
}

function sealSettings<T extends Partial<AccountSettings>>(settings: T, { addresses }: Vault): T {
  const { defaultHook = null } = settings
  return defaultHook === null ? settings : { ...settings, defaultHook: addresses.seal(defaultHook) }
}

/** Throws if a secret was sealed with another key, or for another row. */
export function openDirectory(sealed: SealedDirectory, vault: Vault): Omit<DirectoryRows, LongList> {
  const open = (secret: string, place: string) => JSON.parse(vault.openAt(secret, place))
  return {
    ...sealed,
    accounts: sealed.accounts.map((account) => {
      const { defaultHook } = account.settings
      const hookSecrets = open(account.hookSecrets, hookSecretsPlace(account.id))
      const opened = defaultHook === null ? null : vault.addresses.open(defaultHook)
      // Equal settings of accounts share one object.
      const settings = opened === defaultHook ? account.settings : { ...account.settings, defaultHook: opened }
      return { ...account, hookSecrets, settings }
    }),
    logins: sealed.logins.map((login) => ({ ...login, secrets: open(login.secrets, loginSecretsPlace(login.name)) })),
    inboundNumbers: sealed.inboundNumbers.map((number) => {
      return number.hook === null ? number : { ...number, hook: vault.addresses.open(number.hook) }
    }),
    carriers: sealed.carriers.map((carrier) => {
      const settings = open(carrier.settings, settingsPlace(carrier.id))
      // Hash of the sealed text, which differs each time: a hash of the settings would let secrets be guessed.
      return { ...carrier, settings, settingsVersion: hash('sha256', carrier.settings, 'base64url') }
    }),
    notificationTargets: sealed.notificationTargets.map((target) =>
      mapTarget(target, (text, place) => vault.openAt(text, place)),
    ),
    chatTemplates: sealed.chatTemplates.map((each) => ({ ...each, template: vault.openText(each.template) })),
    adminUsers: sealed.adminUsers.map((user) => {
      if (user.totpSecret === null) return user
      return { ...user, totpSecret: open(user.totpSecret, totpSecretPlace(user.name)) }
    }),
  }
}

/** Seals or opens what is secret in a target. */
function mapTarget<T extends NotificationTarget>(target: T, map: (text: string, place: string) => string): T {
  const { name, address, secret } = target
  return {
    ...target,
    address: address === null ? null : map(address, targetPlace(name, 'address')),
    secret: secret === null ? null : map(secret, targetPlace(name, 'secret')),
  }
}
