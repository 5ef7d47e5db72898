/**
 * One installation of the gateway: a data folder of its own, three accounts, carriers, and the real program as a process
 * that can be killed and started again. Its ports stay the same over all its lives.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type AccountId, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/account.ts'
import type { CarrierSetup } from '../../src/domain/directory.ts'
import { toMicros } from '../../src/domain/money.ts'
import { addCarrier, type CarrierKind } from '../../src/operations/admin/add-carrier.ts'
import { addPool } from '../../src/operations/admin/add-pool.ts'
import { createAccount } from '../../src/operations/admin/create-account.ts'
import { issueKey } from '../../src/operations/admin/issue-key.ts'
import { setPrice } from '../../src/operations/admin/set-price.ts'
import { setSender } from '../../src/operations/admin/set-sender.ts'
import { topUp } from '../../src/operations/admin/top-up.ts'
import type { Random } from '../../src/ports/random.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { makeKeyFile } from '../../src/stores/vault/key-ring.ts'
import { systemClock } from '../../src/system-clock.ts'
import { buildPrice } from '../support/build-price.ts'
import { ChildProgram } from '../support/child-program.ts'
import { turnLoop } from '../support/eventually.ts'
import { within } from './patiently.ts'

export const TOP_UP_MICROS = toMicros(10_000_000_000)

/** `steady` waits long for its deliveries, `hasty` gives them up soon and hears of every step, `unique` repeats ids. */
const ACCOUNT_NAMES = ['steady', 'hasty', 'unique'] as const
export type AccountName = (typeof ACCOUNT_NAMES)[number]

const SETTINGS = {
  steady: { stepLifetimeSeconds: 3_600 },
  hasty: { stepLifetimeSeconds: 2, reportSteps: true },
  unique: { stepLifetimeSeconds: 3_600, uniqueIds: true },
} as const satisfies Record<AccountName, object>

/** The gateway writes again and again, and the one who wants the lock has to meet a gap. */
const LOCK_PATIENCE_MS = 30_000

const PRICES_MICROS = { rcs: 30_000, chatapp: 40_000, sms: 50_000, call: 20_000 } as const

export interface TestAccount {
  readonly name: AccountName
  readonly id: AccountId
  readonly key: string
}

export class Installation {
  readonly folder: string
  readonly accounts: readonly TestAccount[]
  readonly address: string
  readonly #adminPort: number
  #program: ChildProgram | null = null
  #isKilled = false
  #isUp = false
  #up: PromiseWithResolvers<void> = Promise.withResolvers()

  private constructor(folder: string, accounts: readonly TestAccount[], ports: readonly [number, number]) {
    this.folder = folder
    this.accounts = accounts
    this.address = `http://127.0.0.1:${ports[0]}`
    this.#adminPort = ports[1]
  }

  static async make(carriers: readonly CarrierSetup[], random: Random): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-crash-'))
    makeKeyFile(join(folder, 'secret.key'))
    const accounts = await withStore(folder, async (store) => {
      await setUpCarriers(store, carriers)
      return Promise.all(ACCOUNT_NAMES.map((name) => makeAccount(store, name, random)))
    })
    return new Installation(folder, accounts, await freePorts())
  }

  /** Resolves while the program answers; otherwise once it does again. */
  untilUp(): Promise<void> {
    return this.#up.promise
  }

  /** Starts the program; resolves once it answers, and does nothing more when it is killed before. */
  async start(): Promise<void> {
    const program = new ChildProgram(
      ['serve', '--json', '--log-level', 'error', '--lifetime-min-seconds', '1', '--hook-allow', '127.0.0.0/8'],
      {
        POSTHORN_DATA_DIR: this.folder,
        POSTHORN_PORT: new URL(this.address).port,
        POSTHORN_ADMIN_PORT: String(this.#adminPort),
      },
    )
    this.#program = program
    this.#isKilled = false
    try {
      await within('the gateway to start', program.firstAnswer())
      this.#isUp = true
      this.#up.resolve()
    } catch (error) {
      if (!this.#isKilled) throw error
    }
  }

  /** kill -9, now: when this returns, the signal is on its way. Follow it by `buried`. */
  kill(): void {
    this.#isKilled = true
    this.#goDown()
    this.#program?.end()
  }

  /** Resolves when the killed process is gone and the doubles have read its last words. */
  async buried(): Promise<void> {
    await this.#ended()
  }

  /** Asks the process to stop in order; its exit code. */
  async terminate(): Promise<unknown> {
    this.#goDown()
    this.#program?.signal('SIGTERM')
    return this.#ended()
  }

  /** From now on nothing more gets on the disk, as when it hangs; until what this answers is called. */
  stallDisk(): () => void {
    const database = new DatabaseSync(join(this.folder, 'posthorn.db'), { timeout: LOCK_PATIENCE_MS })
    database.exec('BEGIN IMMEDIATE')
    return () => database.close()
  }

  withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return withStore(this.folder, work)
  }

  async destroy(): Promise<void> {
    this.kill()
    await this.#ended()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #ended(): Promise<unknown> {
    const program = this.#program
    if (program === null) return null
    const exitCode = await within('the gateway to end', program.ended())
    this.#program = null
    await turnLoop()
    return exitCode
  }

  #goDown(): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.#up = Promise.withResolvers()
  }
}

/** The store of a folder as an operator's tool opens it, beside a gateway that may be running. */
async function withStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const keys = { kind: 'file', path: join(folder, 'secret.key') } as const
  const store = await openSqliteStore({ file: join(folder, 'posthorn.db'), keys, role: 'tool', inline: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function setUpCarriers(store: Store, carriers: readonly CarrierSetup[]): Promise<void> {
  await addPool(store, { id: 'pool', numbers: ['4930123400000-4930123400999'], codeDigits: 4 })
  for (const { id, kind, channel, settings } of carriers) {
    const poolId = channel === 'call' ? 'pool' : null
    const route = { prefix: '', operators: null, priority: 0, poolId }
    await addCarrier(store, () => {}, { id, kind: kind as CarrierKind, settings, route })
    const priceMicros = toMicros(PRICES_MICROS[channel])
    await setPrice(store, buildPrice({ channel, priceMicros }))
  }
}

async function makeAccount(store: Store, name: AccountName, random: Random): Promise<TestAccount> {
  const settings = { ...DEFAULT_ACCOUNT_SETTINGS, ...SETTINGS[name] }
  const { accountId } = await createAccount(store, random, { name, currency: 'EUR', settings })
  await topUp(store, systemClock, { accountId, amountMicros: TOP_UP_MICROS })
  for (const channel of ['rcs', 'chatapp', 'sms'] as const)
    await setSender(store, { accountId, channel, name, state: 'approved' })
  const { secret: key } = await issueKey(store, systemClock, random, { accountId, name: 'load' })
  return { name, id: accountId, key }
}

/**
 * Two ports that nobody listens on, below those that the system gives to outgoing connections: while the gateway is
 * down, none of the many that try to reach it may be given its port.
 */
async function freePorts(): Promise<readonly [number, number]> {
  const ports: number[] = []
  while (ports.length < 2) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree && !ports.includes(port)) ports.push(port)
  }
  return [ports[0] ?? 0, ports[1] ?? 0]
}
