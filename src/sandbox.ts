/**
 * The sandbox: the gateway together with the simulator, whose carriers it reaches through the ordinary drivers and the
 * real protocols. It makes a demo account with money, senders and prices, and keeps its data between runs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type AccountId, type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from './domain/account.ts'
import type { CarrierSetup } from './domain/directory.ts'
import { parseDecimal } from './domain/money.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { makeHookSecret } from './operations/admin/hook-secret.ts'
import { hashKey, makeKey } from './operations/admin/issue-key.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Random } from './ports/random.ts'
import type { Change, Store } from './ports/store.ts'
import { openVault, readOrMakeKey } from './seal.ts'
import { type CalledPhone, startCalledPhone } from './simulator/called-phone.ts'
import { SERVED_OPERATOR, simulatorLookup } from './simulator/lookup.ts'
import { type RbmDouble, startRbmDouble } from './simulator/rbm.ts'
import { type Smsc, startSmsc } from './simulator/smsc.ts'
import { Traffic } from './simulator/traffic.ts'
import { startViberDouble, type ViberDouble } from './simulator/viber.ts'
import { openSqliteStore } from './stores/sqlite/open-store.ts'

export interface Sandbox {
  readonly address: string
  readonly adminAddress: string
  /** The demo account's API key. */
  readonly key: string
  /** The demo account's secret for verifying reports. */
  readonly hookSecret: string
  /** A line that sends a first message when pasted into a shell. */
  readonly curl: string
  readonly box: SandboxBox
  readonly gateway: Gateway
  stop(): Promise<void>
}

/** The simulator: the phones, and the doubles of the carriers that reach them. */
export interface SandboxBox {
  /** What reached the phones. */
  readonly traffic: Traffic
  readonly rbm: RbmDouble
  readonly viber: ViberDouble
  readonly smsc: Smsc
  readonly phone: CalledPhone
  /** How the ordinary drivers reach the doubles. */
  readonly carriers: readonly CarrierSetup[]
  /** From now on carriers report to the gateway at this address. */
  connect(gatewayAddress: string): void
  stop(): Promise<void>
}

export interface SandboxTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** How long a double that says nothing is waited for: shorter than in life, for whoever tries the phones by hand. */
const PATIENCE_MS = 5_000

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export async function startSandbox(tools: SandboxTools): Promise<Sandbox> {
  const { clock, random, log } = tools
  const config: Config = { ...tools.config, hookAllow: [...tools.config.hookAllow, ...LOOPBACK] }
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const box = await openBox(tools)
  const { demo, gateway } = await startWith(box, { config, clock, random, log }).catch(async (error: unknown) => {
    await box.stop()
    throw error
  })
  box.connect(gateway.address)
  return {
    address: gateway.address,
    adminAddress: gateway.adminAddress,
    key: demo.key,
    hookSecret: demo.hookSecret,
    curl: curlLine(gateway.address, demo.key),
    box,
    gateway,
    stop: async () => {
      await gateway.stop()
      await box.stop()
    },
  }
}

async function startWith(box: SandboxBox, tools: SandboxTools) {
  const demo = await setUp(tools, box.carriers)
  return { demo, gateway: await startGateway({ ...tools, lookup: simulatorLookup }) }
}

/** Each double on a free port of its own. */
async function openBox({ clock, random }: SandboxTools): Promise<SandboxBox> {
  const traffic = new Traffic()
  const tools = { clock, random, traffic }
  const smpp = { systemId: 'posthorn', password: 'sandbox' }
  const [rbm, viber, smsc, phone] = await Promise.all([
    startRbmDouble(tools),
    startViberDouble(tools),
    startSmsc({ ...tools, ...smpp }),
    startCalledPhone(tools),
  ])
  const carriers: readonly CarrierSetup[] = [
    {
      id: 'sandbox-rcs',
      channel: 'rcs',
      kind: 'rbm',
      settings: {
        baseUrl: rbm.address,
        serviceAccount: rbm.serviceAccount,
        agentId: 'sandbox-agent',
        clientToken: rbm.clientToken,
        requestTimeoutMs: PATIENCE_MS,
      },
    },
    {
      id: 'sandbox-chat',
      channel: 'chatapp',
      kind: 'viber',
      settings: {
        baseUrl: viber.address,
        serviceId: 4_321,
        webhookToken: viber.webhookToken,
        requestTimeoutMs: PATIENCE_MS,
      },
    },
    {
      id: 'sandbox-sms',
      channel: 'sms',
      kind: 'smpp',
      settings: { host: '127.0.0.1', port: smsc.port, ...smpp, window: 100, responseTimeoutMs: PATIENCE_MS },
    },
    {
      id: 'sandbox-voice',
      channel: 'call',
      kind: 'sip',
      settings: { host: '127.0.0.1', port: phone.port, window: 50 },
    },
  ]
  return {
    traffic,
    rbm,
    viber,
    smsc,
    phone,
    carriers,
    connect: (address) => {
      rbm.setWebhook(`${address}/carriers/sandbox-rcs`)
      viber.setWebhook(`${address}/carriers/sandbox-chat`)
    },
    stop: async () => {
      await Promise.all([rbm.stop(), viber.stop(), smsc.stop(), phone.stop()])
    },
  }
}

interface Demo {
  readonly key: string
  readonly hookSecret: string
}

/** Makes the demo account on the first run; on every run points the carriers at the doubles of this run. */
async function setUp({ config, clock, random }: SandboxTools, carriers: readonly CarrierSetup[]): Promise<Demo> {
  const vault = openVault(readOrMakeKey(config.secretKeyFile ?? join(config.dataDir, 'secret.key')))
  // In this thread: nothing else is to be done meanwhile, and a thread of its own would take longer to start.
  const store = await openSqliteStore({ file: join(config.dataDir, 'posthorn.db'), vault, role: 'tool', inline: true })
  try {
    for (const carrier of carriers) await store.change({ kind: 'set carrier', carrier })
    const settings = { ...DEFAULT_ACCOUNT_SETTINGS, stepLifetimeSeconds: config.lifetimeMinSeconds }
    const file = join(config.dataDir, 'sandbox.json')
    const known = readDemo(file)
    const demo = known ?? (await createDemo(store, { clock, random }, config.sandboxKey, settings))
    if (known === null) writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
    const { keys } = await store.loadDirectory()
    const accountId = keys.find((key) => key.hash === hashKey(demo.key))?.accountId
    if (accountId === undefined) throw new Error(`${file} names a key that the database does not know`)
    await store.change({ kind: 'set account settings', accountId, settings })
    if (config.sandboxKey === null || keys.some((key) => key.hash === hashKey(config.sandboxKey ?? ''))) {
      return { ...demo, key: config.sandboxKey ?? demo.key }
    }
    await addKey(store, accountId, config.sandboxKey, clock.now())
    return { ...demo, key: config.sandboxKey }
  } finally {
    await store.close()
  }
}

function readDemo(file: string): Demo | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch {
    return null
  }
}

async function createDemo(
  store: Store,
  { clock, random }: Pick<SandboxTools, 'clock' | 'random'>,
  fixedKey: string | null,
  settings: AccountSettings,
): Promise<Demo> {
  const demo: Demo = { key: fixedKey ?? makeKey('test', random), hookSecret: makeHookSecret(random) }
  const accountId = await store.change({
    kind: 'create account',
    account: {
      name: 'Sandbox',
      currency: 'EUR',
      state: 'active',
      hookSecrets: [demo.hookSecret],
      settings,
    },
  })
  if (accountId === null) throw new Error('the store made no account')
  await addKey(store, accountId, demo.key, clock.now())
  for (const change of demoChanges(accountId, clock.now())) await store.change(change)
  return demo
}

async function addKey(store: Store, accountId: AccountId, key: string, createdAt: number): Promise<void> {
  await store.change({ kind: 'add key', key: { hash: hashKey(key), accountId, name: 'sandbox' }, createdAt })
}

const SENDERS = ['RCSTest', 'ChatTest', 'SMSTest', 'Posthorn']
const PRICES = { rcs: '0.03', chatapp: '0.04', sms: '0.05', call: '0.02' } as const

function demoChanges(accountId: AccountId, now: number): readonly Change[] {
  const channels = ['rcs', 'chatapp', 'sms', 'call'] as const
  const money = (text: string) => parseDecimal(text) ?? fail(`${text} is not an amount`)
  const carriers = { rcs: 'sandbox-rcs', chatapp: 'sandbox-chat', sms: 'sandbox-sms', call: 'sandbox-voice' } as const
  const numbers = Array.from({ length: 1_000 }, (_, index) => `49322112${String(30_000 + index * 7)}`)
  return [
    { kind: 'top up', accountId, amountMicros: money('1000'), at: now },
    ...SENDERS.flatMap((name) =>
      (['rcs', 'chatapp', 'sms'] as const).map(
        (channel): Change => ({ kind: 'set sender', sender: { accountId, channel, name, approved: true } }),
      ),
    ),
    ...channels.map(
      (channel): Change => ({
        kind: 'set price',
        price: { accountId: null, currency: 'EUR', channel, prefix: '', priceMicros: money(PRICES[channel]) },
      }),
    ),
    { kind: 'set pool', pool: { id: 'sandbox', numbers, codeDigits: 4 } },
    ...channels.map(
      (channel): Change => ({
        kind: 'set route',
        route: {
          channel,
          prefix: '',
          operators: channel === 'call' ? [SERVED_OPERATOR] : null,
          carrierId: carriers[channel],
          priority: 0,
          poolId: channel === 'call' ? 'sandbox' : null,
        },
      }),
    ),
    chatTemplate(accountId, 1, 'Your order {{1}} is on its way.'),
    chatTemplate(accountId, 2, 'Your code is {{1}}.'),
  ]
}

function chatTemplate(accountId: AccountId, id: number, template: string): Change {
  return {
    kind: 'set chat template',
    template: { id, accountId, template, signature: 'ChatTest', status: 'approved' },
  }
}

function curlLine(address: string, key: string): string {
  const body = {
    auth: key,
    data: [{ type: 'rcs', id: 1, phone: 491701234500, rcs_signature: 'RCSTest', rcs_message: 'Hello from Posthorn' }],
  }
  return `curl -s ${address}/api/json.php -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}

function fail(reason: string): never {
  throw new Error(reason)
}
