/**
 * A gateway in a process of its own, set up for a benchmark: accounts with money, one SMPP carrier for SMS, and for RCS
 * and the chat app one each, bound to an SMSC that can reach no phone. Its storage is durable, in a folder that is
 * thrown away or in a database that is given. Reports to its parent the port of its API and the keys.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../src/app/gateway.ts'
import { createInstallation, openInstallation } from '../src/app/installation/installation.ts'
import { openLog } from '../src/app/log/json-log.ts'
import { readConfig } from '../src/app/settings/config.ts'
import { systemClock } from '../src/app/system/system-clock.ts'
import { systemRandom } from '../src/app/system/system-random.ts'
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../src/domain/accounts/account.ts'
import { LOGIN_DEFAULTS } from '../src/domain/accounts/login.ts'
import { approvedSender } from '../src/domain/accounts/sender.ts'
import type { MessageChannel } from '../src/domain/channels/channel.ts'
import type { AccountId } from '../src/domain/ids/account-id.ts'
import { toMicros } from '../src/domain/money/money.ts'
import { hashKey, makeKey } from '../src/operations/request/api-key.ts'
import { makeHookSecret } from '../src/operations/request/hook-secret.ts'
import { makeSecrets } from '../src/operations/request/logins.ts'
import type { Store } from '../src/ports/stores/store.ts'
import type { Clock } from '../src/ports/system/clock.ts'
import { buildKey } from '../test/support/build-message.ts'
import { buildPrice } from '../test/support/build-price.ts'

export interface GatewaySetup {
  readonly smscPort: number
  readonly refusingPort: number
  /** The address of a PostgreSQL database; SQLite if absent. */
  readonly database?: string
  /** An installation that is there already, also one of grown.ts; a new one, thrown away in the end, if absent. */
  readonly folder?: string
  readonly accounts?: number
  /** Of one more account, whose reports are batched; 100 if absent. */
  readonly reportsPerPost?: number
  /** Messages per second that the carrier for SMS takes; any number if absent. */
  readonly throughput?: number
  /** Nothing is done by the clock that is not for a message: no refreshing, sweeping, counting of traffic. */
  readonly isQuiet?: boolean
  /** Listens for SMPP, with a login of the first account. */
  readonly smpp?: boolean
}

export interface GatewayNews {
  readonly port: number
  readonly adminPort: number
  readonly keys: readonly string[]
  /** Of the account whose reports are batched; empty in an installation that is there already. */
  readonly batchedKey: string
  readonly folder: string
  /** Null without SMPP. */
  readonly smppPort: number | null
  readonly login: { readonly systemId: string; readonly password: string } | null
}

const setup = JSON.parse(process.argv[2] ?? '') as GatewaySetup
const { accounts = 1, reportsPerPost = 100, isQuiet = false } = setup
const folder = setup.folder ?? mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const config = readConfig(
  {
    ...{ port: '0', 'admin-port': '0', 'data-dir': folder, 'hook-allow': '127.0.0.0/8' },
    ...(setup.database === undefined ? {} : { database: setup.database }),
    ...(setup.smpp === true ? { apis: 'json,smpp', 'smpp-port': '0' } : {}),
  },
  {},
)
const CHANNELS = { rcs: setup.refusingPort, chatapp: setup.refusingPort, sms: setup.smscPort } as const
/** Timers of messages are shorter when nothing goes wrong. */
const LONGEST_QUIET_TIMER_MS = 900
const quietClock: Clock = {
  ...systemClock,
  after: (ms, work) => (ms > LONGEST_QUIET_TIMER_MS ? () => {} : systemClock.after(ms, work)),
}

async function setUp(): Promise<{ readonly keys: readonly string[]; readonly batchedKey: string }> {
  await createInstallation(config)
  const store = await openInstallation(config, { role: 'tool' })
  for (const [channel, port] of Object.entries(CHANNELS)) await addChannel(store, channel as MessageChannel, port)
  const keys = Array.from({ length: accounts }, () => makeKey('live', systemRandom))
  // A commit for many: the store takes what comes while it commits together.
  const waiting = keys.entries()
  const addNext = async () => {
    for (const [index, key] of waiting) await addAccount(store, { name: `Account ${index}`, key })
  }
  await Promise.all(Array.from({ length: 200 }, addNext))
  if (setup.smpp === true) await addLogin(store)
  const batchedKey = makeKey('live', systemRandom)
  await addAccount(store, { name: 'Batched reports', key: batchedKey, settings: { reportsPerPost } })
  await store.close()
  return { keys, batchedKey }
}

const LOGIN = { systemId: 'bench', password: 'bench-password' }

async function addLogin(store: Store): Promise<void> {
  const [account] = (await store.loadDirectory()).accounts
  if (account === undefined) throw new Error('there is no account')
  const secrets = makeSecrets(LOGIN.password, null, systemRandom)
  const login = { ...LOGIN_DEFAULTS, name: LOGIN.systemId, accountId: account.id, secrets, createdAt: 0 }
  await store.change({ kind: 'set client login', login })
}

/** Connects an installation of grown.ts to the SMSC; another one is left as it is. */
async function takeOver(): Promise<{ readonly keys: readonly string[]; readonly batchedKey: string }> {
  const file = join(folder, 'keys.json')
  if (!existsSync(file)) return { keys: [], batchedKey: '' }
  const store = await openInstallation(config, { role: 'tool' })
  await addChannel(store, 'sms', setup.smscPort)
  await store.close()
  return { keys: JSON.parse(readFileSync(file, 'utf8')).keys, batchedKey: '' }
}

async function addChannel(store: Store, channel: MessageChannel, port: number): Promise<void> {
  const settings = {
    ...{ host: '127.0.0.1', port, systemId: 'bench', password: 'bench' },
    ...{ window: 1_000, responseTimeoutMs: 600_000 },
    ...(setup.throughput === undefined ? {} : { throughput: setup.throughput }),
  }
  const anyone = { accountId: null, sender: null, prefix: '', operators: null }
  await store.change({ kind: 'set carrier', carrier: { id: channel, channel, kind: 'smpp', settings } })
  await store.change({ kind: 'set price', price: buildPrice({ channel, priceMicros: toMicros(10) }) })
  await store.change({
    kind: 'set route',
    route: { ...anyone, channel, carrierId: channel, priority: 0, weight: 1, poolId: null },
  })
}

interface AccountUnderLoad {
  readonly name: string
  readonly key: string
  readonly settings?: Partial<AccountSettings>
}

async function addAccount(store: Store, { name, key, settings }: AccountUnderLoad): Promise<void> {
  const account = {
    ...{ name, currency: 'EUR', state: 'active' as const, settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings } },
    hookSecrets: [makeHookSecret(systemRandom)],
  }
  const accountId = (await store.change({ kind: 'create account', account })) as AccountId | null
  if (accountId === null) throw new Error('the account could not be created')
  await store.change({ kind: 'add key', key: buildKey({ hash: hashKey(key), accountId }) })
  await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1_000_000_000_000), at: 0 })
  for (const channel of Object.keys(CHANNELS) as MessageChannel[]) {
    await store.change({ kind: 'set sender', sender: approvedSender(accountId, channel, 'Posthorn') })
  }
}

const keysOf = setup.folder === undefined ? await setUp() : await takeOver()
const clock = isQuiet ? quietClock : systemClock
const tools = { clock, random: systemRandom, log: openLog('error') }
const gateway = await startGateway({ config, ...tools })
const portOf = (address: string) => Number(new URL(address).port)
const ports = { port: portOf(gateway.address), adminPort: portOf(gateway.adminAddress) }
const smpp = { smppPort: gateway.smppPort, login: gateway.smppPort === null ? null : LOGIN }
process.send?.({ ...ports, ...smpp, folder, ...keysOf } satisfies GatewayNews)

process.on('message', (question) => {
  if (question === 'counters') void import('./count-work.ts').then(({ readCounters }) => process.send?.(readCounters()))
})
process.on('disconnect', () => {
  if (setup.folder === undefined) rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
process.on('SIGTERM', () => {})
