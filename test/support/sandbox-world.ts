/**
 * The whole sandbox in this process: real gateway, real store on disk, simulator, all over real sockets, under a clock
 * that the test turns. Also the client: it sends requests, and its hook receives and verifies every report.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Gateway, startGateway } from '../../src/app/gateway.ts'
import { openInstallation } from '../../src/app/installation/installation.ts'
import { type Config, readConfig } from '../../src/app/settings/config.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Balances } from '../../src/domain/money/ledger.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { sandboxLookup } from '../../src/simulator/lookup/lookup.ts'
import type { SimulatorBox } from '../../src/simulator/simulator-box.ts'
import { type AdminAskOptions, type AdminReply, askAdminApi } from './ask-admin-api.ts'
import { eventually, settled, turnLoop } from './eventually.ts'
import { HookSink } from './hook-sink.ts'
import type { TestDatabase } from './postgres-databases.ts'
import { type ReceivedReport, readReports } from './received-report.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { takeStoreOfRun } from './store-of-run.ts'
import { type Story, writeStory } from './story.ts'
import { VirtualClock } from './virtual-clock.ts'

/** Lifetime of a step, seconds: short, so that steps without an answer end soon. */
export const LIFETIME_SECONDS = 20

/** Of password hashes: little work, for they are many. */
const PASSWORD_LOG_N = 4

const LONGEST_STEP_MS = 1_000
/** No carrier is given up in so short a time. */
const STRIDE_MS = 5_000
/** How often in a row everything must be found as it was before. */
const STILL_LOOKS = 3
const BUSY_LOOKS = 60

export interface Answer {
  readonly success: boolean
  readonly error?: string
  readonly data?: readonly AnswerItem[]
}

interface AnswerItem {
  readonly success: boolean
  readonly error?: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface AskOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

export class SandboxWorld {
  readonly clock: VirtualClock
  readonly log: SilentLog
  readonly sink: HookSink
  readonly accountId: AccountId = toAccountId(1)
  gateway: Gateway
  readonly #sandbox: Sandbox
  readonly #config: Config
  readonly #database: TestDatabase | null
  readonly #random: SeededRandom
  readonly #reports: ReceivedReport[] = []
  /** Calls whose reports have been read. */
  #callsRead = 0

  private constructor(parts: WorldParts, sink: HookSink, sandbox: Sandbox) {
    this.clock = parts.clock
    this.log = parts.log
    this.#random = parts.random
    this.#config = parts.config
    this.#database = parts.database
    this.sink = sink
    this.#sandbox = sandbox
    this.gateway = sandbox.gateway
  }

  /**
   * @param lifetimeSeconds the shortest that a client may ask for, and that of the steps of a chain.
   * @param startAt what the clock shows, milliseconds; a time of its own when absent.
   * @param settings further flags of the gateway.
   */
  static async start(
    lifetimeSeconds = LIFETIME_SECONDS,
    startAt?: number,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<SandboxWorld> {
    const dataDir = settings['data-dir'] ?? mkdtempSync(join(tmpdir(), 'posthorn-journey-'))
    const database = await takeStoreOfRun()
    const folder = { 'data-dir': dataDir, ...(database === null ? {} : { database: database.url }) }
    const flags = { port: '0', 'admin-port': '0', 'hook-allow': '127.0.0.0/8', ...folder }
    const config = readConfig({ ...flags, ...settings, 'lifetime-min-seconds': String(lifetimeSeconds) }, {})
    const parts = {
      config,
      database,
      clock: new VirtualClock(startAt),
      random: new SeededRandom(),
      log: new SilentLog(),
    }
    const sink = await HookSink.open(parts.clock)
    try {
      const world = new SandboxWorld(parts, sink, await startSandbox({ ...parts, passwordLogN: PASSWORD_LOG_N }))
      await world.carriersUp()
      return world
    } catch (error) {
      await sink.close()
      rmSync(dataDir, { recursive: true, force: true })
      throw error
    }
  }

  get box(): SimulatorBox {
    return this.#sandbox.box
  }

  get dataDir(): string {
    return this.#config.dataDir
  }

  get adminToken(): string {
    return this.#sandbox.adminToken
  }

  /** The link that signs the sandbox's owner in to the console. */
  get console(): string {
    return this.#sandbox.console
  }

  get key(): string {
    return this.#sandbox.key
  }

  /** Asks the admin API, as the sandbox's owner unless another token is given. */
  askAdmin(method: string, path: string, { body, token, headers = {} }: AdminAskOptions = {}): Promise<AdminReply> {
    const bearer = { authorization: `Bearer ${token ?? this.#sandbox.adminToken}` }
    return askAdminApi(`${this.gateway.adminAddress}/admin/v1${path}`, method, body, { ...bearer, ...headers })
  }

  /** The demo account's secret for verifying reports. */
  get hookSecret(): string {
    return this.#sandbox.hookSecret
  }

  /** The reports that the client's hook has received, in order of arrival, with verified signatures. */
  get reports(): readonly ReceivedReport[] {
    const calls = this.sink.calls.slice(this.#callsRead)
    this.#callsRead += calls.length
    for (const call of calls) this.#reports.push(...readReports(call, this.hookSecret))
    return this.#reports
  }

  /** Sends any request body; the answer is an envelope with status 200, whatever happened. */
  async post(body: unknown, { path = '/api/json.php', headers = {} }: AskOptions = {}): Promise<Answer> {
    const response = await fetch(this.gateway.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }

  /** Asks for operations with the demo account's key. */
  ask(data: readonly object[], options?: AskOptions): Promise<Answer> {
    return this.post({ auth: this.key, data }, options)
  }

  /** Sends items with the hook of this world, all of which must be accepted; answers with their messages. */
  async send(...items: readonly object[]): Promise<readonly MessageId[]> {
    const answer = await this.ask(items.map((item) => ({ hook: this.sink.address, ...item })))
    expect(answer.data?.filter(({ success }) => !success)).toEqual([])
    return (answer.data ?? []).map(({ data }) => data['msg_id'] as MessageId)
  }

  async sendOne(item: object): Promise<MessageId> {
    const [id] = await this.send(item)
    if (id === undefined) throw new Error('the answer holds no result')
    return id
  }

  /** Waits until nothing moves any more as long as the clock stands still. */
  async rest(): Promise<void> {
    let before = ''
    // An answer of a server takes longer than a few rounds of the loop: what is under way gets some more of them.
    let patience = this.#database === null ? 0 : BUSY_LOOKS
    for (let looks = 0; looks < STILL_LOOKS; looks += 1) {
      await turnLoop(25)
      const facts = await this.#facts()
      const { pump, reporter } = this.gateway.delivery
      const isBusy = patience > 0 && !(pump.idle && reporter.idle)
      if (isBusy) patience -= 1
      if (facts !== before || isBusy) looks = 0
      before = facts
    }
  }

  /** Turns the clock on, from one planned moment to the next, with a rest after each. */
  async pass(seconds: number): Promise<void> {
    await this.rest()
    const until = this.clock.now() + seconds * 1_000
    while (this.clock.now() < until) {
      const next = this.clock.nextAt() ?? until
      this.clock.turnTo(Math.min(next, this.clock.now() + LONGEST_STEP_MS, until))
      await this.rest()
    }
  }

  /** The same in long strides, for hours in which nothing happens. */
  async passInSilence(seconds: number): Promise<void> {
    const until = this.clock.now() + seconds * 1_000
    while (this.clock.now() < until) {
      this.clock.turnTo(Math.min(this.clock.now() + STRIDE_MS, until))
      await this.rest()
    }
  }

  async trace(id: MessageId): Promise<Trace> {
    const trace = await this.gateway.store.trace(id)
    if (trace === null) throw new Error(`there is no message ${id}`)
    return trace
  }

  /** Everything that a message brought about. */
  async story(id: MessageId): Promise<Story> {
    const reports = this.reports.filter((report) => report.body['msg_id'] === id)
    return writeStory(await this.trace(id), reports, this.box.traffic)
  }

  /** Where an answer names no message, as those to calls. */
  async lastMessageTo(phone: string): Promise<MessageId> {
    const query = {
      of: 'messages',
      accountId: null,
      phone: phone as Phone,
      status: null,
      after: null,
      limit: 1,
    } as const
    const [message] = (await this.gateway.store.page(query)).rows
    if (message === undefined) throw new Error(`there is no message to ${phone}`)
    return message.id
  }

  stories(ids: readonly MessageId[]): Promise<readonly Story[]> {
    return Promise.all(ids.map((id) => this.story(id)))
  }

  async balances(): Promise<Balances> {
    const balances = await this.gateway.store.balancesOf(this.accountId)
    if (balances === null) throw new Error('the demo account has no balances')
    expect(await this.gateway.store.verifyLedger()).toEqual([])
    return balances
  }

  /** A command of an operator, in the way of the command line: beside the running gateway, which then looks. */
  async operate<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openInstallation(this.#config, { role: 'tool', inline: true })
    try {
      return await work(store)
    } finally {
      await store.close()
      await this.gateway.refresh()
    }
  }

  /**
   * The first token of RCS takes its time: signing it is real work in another thread, of which `rest` knows nothing.
   */
  carriersUp(): Promise<unknown> {
    // Where nodes share carriers, those with limits begin when this one has its part of them.
    const known = Object.values(SANDBOX_CARRIERS)
    const { fleet } = this.gateway.delivery
    const areUp = () =>
      known.every((id) => fleet.get(id) !== undefined) && fleet.all().every((carrier) => carrier.state().up)
    return eventually('the carriers to be up', areUp, { clock: this.clock })
  }

  async stopGateway(): Promise<void> {
    await settled('the gateway to stop', this.gateway.stop(), this.clock)
  }

  /** Starts a gateway on the data that the one before has left; the carriers and their phones have lived on. */
  async startGateway(change: Partial<Config> = {}): Promise<void> {
    const { clock, log } = this
    const config = { ...this.#config, ...change }
    const tools = { config, clock, random: this.#random, log, passwordLogN: PASSWORD_LOG_N }
    this.gateway = await startGateway({ ...tools, lookup: sandboxLookup })
    this.box.connect(this.gateway.address)
    await this.carriersUp()
  }

  async stop(): Promise<void> {
    try {
      await this.stopGateway()
    } finally {
      await this.#sandbox.stopSimulator()
      await this.sink.close()
      await this.#database?.giveBack()
      rmSync(this.#config.dataDir, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Asking the store stands in line behind all that it was asked before, so its answer says that those are done. */
  async #facts(): Promise<string> {
    const { store, delivery } = this.gateway
    const { pump, reporter, fleet } = delivery
    return JSON.stringify([
      await store.counts(),
      [pump.idle, pump.facts, reporter.idle, reporter.facts, this.clock.nextAt()],
      fleet.all().map((carrier) => carrier.state()),
      [this.box.smsc.bound(), this.box.smsc.pending(), this.box.traffic.arrivals.length],
      [this.sink.calls.length, this.log.lines.length],
    ])
  }
}

interface WorldParts {
  readonly config: Config
  readonly database: TestDatabase | null
  readonly clock: VirtualClock
  readonly random: SeededRandom
  readonly log: SilentLog
}
