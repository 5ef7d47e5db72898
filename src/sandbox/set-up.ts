/**
 * Sets up the sandbox through the store's ordinary changes: a demo account with money, senders, prices, routes, a
 * number pool, chat templates, and the simulated carriers.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstOperators } from '../app/installation/first-operators.ts'
import { createInstallation, openInstallation, placeOfData } from '../app/installation/installation.ts'
import { InstallationError } from '../app/installation/installation-error.ts'
import type { Config } from '../app/settings/config.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../domain/accounts/account.ts'
import { KEY_DEFAULTS, KEY_SCOPES } from '../domain/accounts/api-key.ts'
import { approvedSender } from '../domain/accounts/sender.ts'
import { MESSAGE_CHANNELS, ROUTED_CHANNELS } from '../domain/channels/channel.ts'
import type { CarrierSetup, DirectoryRows } from '../domain/directory/directory.ts'
import type { AccountId } from '../domain/ids/account-id.ts'
import type { InboundNumber } from '../domain/inbound/inbound-number.ts'
import { type Micros, parseDecimal } from '../domain/money/money.ts'
import { GENERAL_PRICES } from '../domain/money/price.ts'
import { UNLIMITED } from '../domain/money/rate.ts'
import { EVENT_FEED } from '../domain/reports/event-feed.ts'
import type { Route } from '../domain/routing/route.ts'
import { TEST_POOL } from '../domain/routing/test-mode.ts'
import { openAccount } from '../operations/admin/accounts/accounts.ts'
import { topUpAccount } from '../operations/admin/money/payments.ts'
import { makeSignInLink } from '../operations/admin/session/sign-in-link.ts'
import { addUser, issueToken } from '../operations/admin/users/users.ts'
import { hashKey, makeKey } from '../operations/request/api-key.ts'
import type { Change } from '../ports/stores/setup-store.ts'
import type { Store } from '../ports/stores/store.ts'
import type { Clock } from '../ports/system/clock.ts'
import type { Random } from '../ports/system/random.ts'
import { SERVED_OPERATOR } from '../simulator/lookup/lookup.ts'
import { displayedNumber, WHATSAPP_NUMBER_ID, WHATSAPP_SENDER } from '../simulator/phones/reply-channels.ts'
import { SIMULATED_AGENT, SIMULATED_SERVICE } from '../simulator/simulator-box.ts'
import { makePrivateFolder } from '../stores/vault/durable-folder.ts'

export interface SandboxSetupTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
}

export interface Demo {
  /** The API key. */
  readonly key: string
  readonly hookSecret: string
  /** Owner's token for the admin API. */
  readonly adminToken: string
  /** Path of the link that signs the owner in to the console, once. */
  readonly consolePath: string
}

const DEMO_ACCOUNT = 'Sandbox'
const OWNER = 'sandbox'
/** A sandbox is tried out in a day. */
const CONSOLE_LINK_MS = 12 * 3_600_000

/**
 * Creates the demo account and its money on the first run. Every run sets everything else again, which repairs an
 * interrupted run. The key is kept in a file, because the database stores only its hash.
 */
export async function setUpSandbox(tools: SandboxSetupTools, carriers: readonly CarrierSetup[]): Promise<Demo> {
  const { config, clock, random } = tools
  // Uses this thread: nothing else runs concurrently, and a worker thread takes longer to start than to use.
  await createInstallation(config)
  // Locks the database: while another gateway runs on it, its carriers must not be replaced.
  const role = config.database === null ? 'gateway' : 'tool'
  const store = await openInstallation(config, { role, inline: true })
  try {
    const rows = await store.loadDirectory()
    const known = rows.accounts.find((account) => account.name === DEMO_ACCOUNT)
    if (known === undefined && (rows.accounts.length > 0 || rows.carriers.length > 0)) {
      // Keeps sandbox carriers, routes and money out of real installations.
      throw new InstallationError(
        `${placeOfData(config)} has an installation that is not a sandbox: choose another directory for the sandbox with --data-dir`,
      )
    }
    const accountId = known?.id ?? (await openAccount(store, random, { name: DEMO_ACCOUNT, currency: 'EUR' })).accountId
    if ((await store.balancesOf(accountId))?.paid === 0)
      await topUpAccount(store, clock, { accountId, amountMicros: money('1000') })
    for (const change of demoChanges(accountId, { config, rows })) await store.change(change)
    for (const carrier of carriers) await store.change({ kind: 'set carrier', carrier })
    for (const route of demoRoutes()) await store.change({ kind: 'set route', route })
    for (const number of newNumbers(demoNumbers(accountId), rows)) {
      await store.change({ kind: 'set inbound number', number })
    }
    const key = config.sandboxKey ?? readSecret(keyFile(config)) ?? makeKey('sandbox', random)
    if (!rows.keys.some(({ hash }) => hash === hashKey(key))) {
      await store.change({
        kind: 'add key',
        key: {
          hash: hashKey(key),
          accountId,
          name: 'sandbox',
          scopes: KEY_SCOPES,
          // Charged to the balance of the sandbox, whose carriers are simulated.
          test: false,
          createdAt: clock.now(),
          ...KEY_DEFAULTS,
        },
      })
    }
    makePrivateFolder(config.dataDir)
    if (config.sandboxKey === null) writeFileSync(keyFile(config), `${key}\n`, { mode: 0o600 })
    const adminToken = await setUpOwner(store, tools, rows)
    const account = (await store.loadDirectory()).accounts.find(({ id }) => id === accountId)
    const { path: consolePath } = await makeSignInLink({ store, clock, random }, OWNER, CONSOLE_LINK_MS)
    return { key, hookSecret: account?.hookSecrets[0] ?? '', adminToken, consolePath }
  } finally {
    await store.close()
  }
}

/** Returns the token of the sandbox's owner, from its file or a new one. */
async function setUpOwner(
  store: Store,
  { config, clock, random }: SandboxSetupTools,
  rows: DirectoryRows,
): Promise<string> {
  const file = join(config.dataDir, 'sandbox-admin.token')
  const known = readSecret(file)
  if (known !== null && rows.adminTokens.some(({ hash }) => hash === hashKey(known))) return known
  if (!rows.adminUsers.some(({ name }) => name === OWNER))
    await addUser(store, { name: OWNER, role: 'owner', accountId: null })
  if (rows.adminTokens.some(({ user, label }) => user === OWNER && label === OWNER)) {
    await store.change({ kind: 'remove admin token', user: OWNER, label: OWNER })
  }
  const token = await issueToken(store, clock, random, { user: OWNER, label: OWNER, expiresAt: null })
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}

function keyFile(config: Config): string {
  return join(config.dataDir, 'sandbox.key')
}

function readSecret(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

const SENDERS = ['RCSTest', 'ChatTest', 'SMSTest', 'Posthorn']
const PRICES = { rcs: '0.03', chatapp: '0.04', sms: '0.05', telegram: '0.02', call: '0.02', lookup: '0.004' } as const
/** Names of the simulated carriers. */
export const SANDBOX_CARRIERS = {
  rcs: 'sandbox-rcs',
  chatapp: 'sandbox-chat',
  sms: 'sandbox-sms',
  telegram: 'sandbox-telegram',
  call: 'sandbox-voice',
  whatsapp: 'sandbox-whatsapp',
  lookup: 'sandbox-lookup',
} as const

function demoChanges(
  accountId: AccountId,
  { config, rows }: { readonly config: Config; readonly rows: DirectoryRows },
): readonly Change[] {
  // A price that was set since may overlap with the first one.
  const priced = new Set(rows.prices.map(({ channel }) => channel))
  return [
    {
      kind: 'set account',
      accountId,
      settings: { ...DEFAULT_ACCOUNT_SETTINGS, stepLifetimeSeconds: config.lifetimeMinSeconds },
    },
    ...SENDERS.flatMap((name) =>
      MESSAGE_CHANNELS.map(
        (channel): Change => ({ kind: 'set sender', sender: approvedSender(accountId, channel, name) }),
      ),
    ),
    { kind: 'set sender', sender: approvedSender(accountId, 'chatapp', WHATSAPP_SENDER) },
    ...ROUTED_CHANNELS.filter((channel) => !priced.has(channel)).map(
      (channel): Change => ({
        kind: 'set price',
        price: {
          ...GENERAL_PRICES,
          currency: 'EUR',
          channel,
          prefix: '',
          ...UNLIMITED,
          priceMicros: money(PRICES[channel]),
        },
      }),
    ),
    { kind: 'set pool', pool: { ...TEST_POOL, id: 'sandbox' } },
    chatTemplate(accountId, 1, 'Your order {{1}} is on its way.'),
    chatTemplate(accountId, 2, 'Your code is {{1}}.'),
  ]
}

function demoRoutes(): readonly Route[] {
  const served = [...new Set([SERVED_OPERATOR, ...firstOperators().map(({ operator }) => operator)])]
  const ofChannels = ROUTED_CHANNELS.map((channel) => ({
    channel,
    accountId: null,
    sender: null,
    prefix: '',
    operators: channel === 'call' ? served : null,
    carrierId: SANDBOX_CARRIERS[channel],
    priority: 0,
    weight: 1,
    poolId: channel === 'call' ? 'sandbox' : null,
  }))
  const everywhere = { accountId: null, prefix: '', operators: null, priority: 0, weight: 1, poolId: null }
  const { whatsapp: carrierId } = SANDBOX_CARRIERS
  return [...ofChannels, { ...everywhere, channel: 'chatapp', sender: WHATSAPP_SENDER, carrierId }]
}

/** Their messages are reported to the event feed, which needs no server. Operators may change them. */
function demoNumbers(accountId: AccountId): readonly InboundNumber[] {
  const addresses = [
    ...SENDERS.map((name) => [SANDBOX_CARRIERS.sms, name] as const),
    [SANDBOX_CARRIERS.rcs, SIMULATED_AGENT] as const,
    [SANDBOX_CARRIERS.chatapp, String(SIMULATED_SERVICE)] as const,
    [SANDBOX_CARRIERS.whatsapp, displayedNumber(WHATSAPP_NUMBER_ID)] as const,
  ]
  return addresses.map(([carrierId, address]) => ({
    carrierId,
    address,
    keyword: null,
    accountId,
    hook: EVENT_FEED,
    reply: null,
    replySender: null,
  }))
}

/** Those of new carriers: of the others, operators may have removed some. */
function newNumbers(
  numbers: readonly InboundNumber[],
  { inboundNumbers, carriers }: DirectoryRows,
): readonly InboundNumber[] {
  if (inboundNumbers.length === 0) return numbers
  const known = new Set(carriers.map(({ id }) => id))
  return numbers.filter(({ carrierId }) => !known.has(carrierId))
}

function money(text: string): Micros {
  const amount = parseDecimal(text)
  if (amount === null) throw new RangeError(`${text} is not an amount`)
  return amount
}

function chatTemplate(accountId: AccountId, id: number, template: string): Change {
  return {
    kind: 'set chat template',
    template: { id, accountId, template, signature: 'ChatTest', status: 'approved' },
  }
}
