/** Changes what an account may do: its state and its settings. What is not named stays as it is. */
import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { Account, AccountId, AccountSettings, AccountState } from '../../domain/account.ts'
import { readNetwork } from '../../domain/networks.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { accountRow } from './account-row.ts'
import { checkAccountGuards } from './check-guards.ts'

const OPERATIONS_MOST = 1_000_000
const NETWORKS_MOST = 100

export interface AccountChange {
  readonly accountId: AccountId
  readonly state?: AccountState
  readonly settings?: Partial<AccountSettings>
}

/** Answers with the account as it is then. Throws a ChangeRefused. */
export async function changeAccount(store: Store, { accountId, state, settings }: AccountChange): Promise<Account> {
  if (state === undefined && Object.keys(settings ?? {}).length === 0) {
    throw new ChangeRefused('nothing to change was named')
  }
  const before = accountRow(await store.loadDirectory(), accountId)
  const wished = settings?.allowedNetworks
    ? { ...settings, allowedNetworks: readNetworks(settings.allowedNetworks) }
    : settings
  const after = { ...before, state: state ?? before.state, settings: { ...before.settings, ...wished } }
  const { operationsPerSecond } = after.settings
  // What stays may be shorter: a sandbox has lifetimes of its own.
  const stepLifetimeSeconds = settings?.stepLifetimeSeconds
  const { lifetimeMinSeconds, lifetimeMaxSeconds } = DEFAULT_LIMITS
  if (stepLifetimeSeconds !== undefined && !isWhole(stepLifetimeSeconds, lifetimeMinSeconds, lifetimeMaxSeconds)) {
    throw new ChangeRefused(
      `the lifetime of steps must be a whole number of seconds from ${lifetimeMinSeconds} to ${lifetimeMaxSeconds}`,
    )
  }
  if (operationsPerSecond !== null && !isWhole(operationsPerSecond, 1, OPERATIONS_MOST)) {
    throw new ChangeRefused(`operations per second must be a whole number from 1 to ${OPERATIONS_MOST}`)
  }
  checkAccountGuards(after.settings)
  if (Object.keys(settings ?? {}).length > 0)
    await store.change({ kind: 'set account settings', accountId, settings: after.settings })
  if (state !== undefined) await store.change({ kind: 'set account state', accountId, state })
  return after
}

/** Throws a ChangeRefused that names what is no network. */
function readNetworks(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) throw new ChangeRefused('allowed networks must be one or more, or none at all for everywhere')
  if (texts.length > NETWORKS_MOST) throw new ChangeRefused(`allowed networks must be at most ${NETWORKS_MOST}`)
  return texts.map((text) => {
    const network = readNetwork(text)
    if (network !== null) return network
    throw new ChangeRefused(
      `${JSON.stringify(text)} is not a network such as 192.0.2.0/24 or 2001:db8::/32, with no bits beyond its length`,
    )
  })
}

function isWhole(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most
}
