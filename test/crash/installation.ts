/** One installation: a data folder of its own, accounts of three kinds, carriers, and one gateway or several. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { Channel } from '../../src/domain/channels/channel.ts'
import type { CarrierSetup } from '../../src/domain/directory/directory.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { openAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { setItem } from '../../src/operations/admin/endpoint/resource-endpoints.ts'
import type { CarrierKind } from '../../src/operations/admin/fields/carrier-kinds.ts'
import { issueKey } from '../../src/operations/admin/keys/api-keys.ts'
import { topUpAccount } from '../../src/operations/admin/money/payments.ts'
import { POOL } from '../../src/operations/admin/pools/pool.ts'
import { setPrice } from '../../src/operations/admin/prices/price.ts'
import { setSender } from '../../src/operations/admin/senders/senders.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import type { Random } from '../../src/ports/system/random.ts'
import { makeKeyFile } from '../../src/stores/vault/key-ring.ts'
import { buildPrice } from '../support/build-price.ts'
import { GatewayProcess } from './gateway-process.ts'
import { type Place, sqlitePlace } from './place.ts'

export const TOP_UP_MICROS = toMicros(10_000_000_000)

/**
 * `steady` waits long for its deliveries, `hasty` gives them up soon and gets reports of every step, several in one
 * POST, `unique` repeats ids.
 */
const ACCOUNT_NAMES = ['steady', 'hasty', 'unique'] as const
export type AccountName = (typeof ACCOUNT_NAMES)[number]

const SETTINGS = {
  steady: { stepLifetimeSeconds: 3_600 },
  hasty: { stepLifetimeSeconds: 2, reportSteps: true, reportsPerPost: 20 },
  unique: { stepLifetimeSeconds: 3_600, uniqueIds: true },
} as const satisfies Record<AccountName, object>

const PRICES_MICROS = { rcs: 30_000, chatapp: 40_000, sms: 50_000, telegram: 20_000, call: 20_000 } as const

export interface TestAccount {
  readonly name: AccountName
  readonly id: AccountId
  readonly key: string
}

export interface InstallationSetup {
  readonly carriers: readonly CarrierSetup[]
  readonly random: Random
  /** One when absent. */
  readonly gateways?: number
  /** Of each kind; one when absent. */
  readonly accounts?: number
  /** A file in the installation's folder when absent. */
  readonly place?: (folder: string) => Place
  /** Made by another version; its folder and accounts are used as they are. */
  readonly made?: Pick<Installation, 'folder' | 'accounts'>
}

export class Installation {
  readonly folder: string
  readonly accounts: readonly TestAccount[]
  readonly gateways: readonly GatewayProcess[]
  readonly #place: Place

  private constructor(
    folder: string,
    place: Place,
    accounts: readonly TestAccount[],
    gateways: readonly GatewayProcess[],
  ) {
    this.folder = folder
    this.#place = place
    this.accounts = accounts
    this.gateways = gateways
  }

  static async make(setup: InstallationSetup): Promise<Installation> {
    const { gateways: count = 1, place: placeIn = sqlitePlace, made } = setup
    const folder = made?.folder ?? mkdtempSync(join(tmpdir(), 'posthorn-crash-'))
    const place = placeIn(folder)
    const accounts = made?.accounts ?? (await setUp(folder, place, setup))
    const gateways: GatewayProcess[] = []
    while (gateways.length < count) gateways.push(await GatewayProcess.make(place.environment))
    return new Installation(folder, place, accounts, gateways)
  }

  /** Every next start of a gateway runs this program; this version's if absent. */
  run(main?: string): void {
    for (const gateway of this.gateways) gateway.main = main
  }

  stall(): Promise<() => unknown> {
    return this.#place.stall()
  }

  messageIds(): Promise<readonly MessageId[]> {
    return this.#place.messageIds()
  }

  withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return withStore(this.#place, work)
  }

  async destroy(): Promise<void> {
    for (const gateway of this.gateways) gateway.kill()
    for (const gateway of this.gateways) await gateway.buried()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function withStore<T>(place: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await place.openStore()
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function setUp(folder: string, place: Place, { carriers, random, accounts: copies = 1 }: InstallationSetup) {
  makeKeyFile(join(folder, 'secret.key'))
  return withStore(place, async (store) => {
    await setUpCarriers(store, carriers)
    const numbers = Array.from({ length: copies }, (_, index) => index + 1)
    const wanted = numbers.flatMap((number) => ACCOUNT_NAMES.map((name) => ({ name, number })))
    return Promise.all(wanted.map(({ name, number }) => makeAccount(store, name, number, random)))
  })
}

async function setUpCarriers(store: Store, carriers: readonly CarrierSetup[]): Promise<void> {
  const pool = { id: 'pool', numbers: ['4930123400000-4930123400999'] }
  await setItem(POOL, { store, checkSettings: () => {} }, pool)
  for (const { id, kind, channel, settings } of carriers) {
    const poolId = channel === 'call' ? 'pool' : null
    const route = { prefix: '', operators: null, priority: 0, poolId }
    await addCarrier(store, () => {}, { id, kind: kind as CarrierKind, settings, route })
    const priceMicros = toMicros(PRICES_MICROS[channel as Channel])
    await setPrice(store, buildPrice({ channel, priceMicros }))
  }
}

async function makeAccount(store: Store, name: AccountName, number: number, random: Random): Promise<TestAccount> {
  const settings = { ...DEFAULT_ACCOUNT_SETTINGS, ...SETTINGS[name] }
  const { accountId } = await openAccount(store, random, { name: `${name} ${number}`, currency: 'EUR', settings })
  await topUpAccount(store, systemClock, { accountId, amountMicros: TOP_UP_MICROS })
  for (const channel of ['rcs', 'chatapp', 'sms'] as const)
    await setSender(store, { accountId, channel, name, state: 'approved' })
  const { secret: key } = await issueKey(store, systemClock, random, { accountId, name: 'load' })
  return { name, id: accountId, key }
}
