/** Keeps secrets sealed on the far side: seals them in changes that go there, opens them in directories that come back. */
import type { Account } from '../../domain/account.ts'
import type { CarrierSetup, DirectoryRows, InstalledCarrier } from '../../domain/directory.ts'
import type { NewAccount } from '../../ports/account-change.ts'
import type { RoutingChange } from '../../ports/routing-change.ts'
import type { Change } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** A Change whose secrets are sealed; the secret of a user's codes is, in its place. */
export type SealedChange =
  | Exclude<Change, { kind: 'create account' | 'set hook secrets' | 'set carrier' | 'all' }>
  | { readonly kind: 'create account'; readonly account: Omit<NewAccount, 'hookSecrets'> & { hookSecrets: string } }
  | (Omit<ChangeOf<'set hook secrets'>, 'hookSecrets'> & { readonly hookSecrets: string })
  | SealedRoutingChange
  | (Omit<ChangeOf<'all'>, 'changes'> & { readonly changes: readonly SealedRoutingChange[] })

/** A RoutingChange whose secrets are sealed. */
export type SealedRoutingChange =
  | Exclude<RoutingChange, { kind: 'set carrier' }>
  | { readonly kind: 'set carrier'; readonly carrier: SealedCarrier }

export type SealedCarrier = Omit<CarrierSetup, 'settings'> & { readonly settings: string }

export interface SealedDirectory extends Omit<DirectoryRows, 'accounts' | 'carriers'> {
  readonly accounts: readonly (Omit<Account, 'hookSecrets'> & { readonly hookSecrets: string })[]
  readonly carriers: readonly (Omit<InstalledCarrier, 'settings'> & { readonly settings: string })[]
}

export function sealChange(change: Change, vault: Vault): SealedChange {
  const seal = (secret: unknown) => vault.seal(JSON.stringify(secret))
  switch (change.kind) {
    case 'create account':
      return { ...change, account: { ...change.account, hookSecrets: seal(change.account.hookSecrets) } }
    case 'set hook secrets':
      return { ...change, hookSecrets: seal(change.hookSecrets) }
    case 'set carrier':
      return { ...change, carrier: { ...change.carrier, settings: seal(change.carrier.settings) } }
    case 'set admin user': {
      const { totpSecret } = change.user
      return totpSecret === null ? change : { ...change, user: { ...change.user, totpSecret: seal(totpSecret) } }
    }
    case 'set admin secrets':
      return change.totpSecret === null ? change : { ...change, totpSecret: seal(change.totpSecret) }
    case 'set chat template': {
      const { template } = change
      return { ...change, template: { ...template, template: vault.seal(template.template) } }
    }
    case 'all':
      // What is in the list seals to what may be in a list.
      return { ...change, changes: change.changes.map((each) => sealChange(each, vault) as SealedRoutingChange) }
    default:
      return change
  }
}

/** Throws when a secret was sealed with another key. */
export function openDirectory(sealed: SealedDirectory, vault: Vault): DirectoryRows {
  const open = (secret: string) => JSON.parse(vault.open(secret))
  return {
    ...sealed,
    accounts: sealed.accounts.map((account) => ({ ...account, hookSecrets: open(account.hookSecrets) })),
    carriers: sealed.carriers.map((carrier) => ({ ...carrier, settings: open(carrier.settings) })),
    chatTemplates: sealed.chatTemplates.map((each) => ({ ...each, template: vault.openText(each.template) })),
    adminUsers: sealed.adminUsers.map((user) => {
      return user.totpSecret === null ? user : { ...user, totpSecret: open(user.totpSecret) }
    }),
  }
}
