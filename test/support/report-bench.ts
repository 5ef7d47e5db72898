/**
 * A reporter on a real store and real sockets, with a clock that stands still, and the accounts whose reports it sends.
 */
import type { DatabaseSync } from 'node:sqlite'
import { Reporter } from '../../src/delivery/reports/report.ts'
import type { Account } from '../../src/domain/accounts/account.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { type AccountHooks, NO_HOOKS } from '../../src/domain/reports/client-hook.ts'
import type { Report } from '../../src/domain/reports/report.ts'
import { REPORT_LIFETIME_MS } from '../../src/domain/reports/report-schedule.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import type { HookPost } from '../../src/ports/hooks/hook-post.ts'
import type { TracedReport } from '../../src/ports/records/pending-report.ts'
import type { ReportStore } from '../../src/ports/stores/report-store.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { buildAccount, buildMessage, buildStep, NO_GUARDS } from './build-message.ts'
import { eventually } from './eventually.ts'
import { HookSink } from './hook-sink.ts'
import { memoryDatabase } from './memory-database.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { TEST_KEYS } from './test-keys.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface ReportBenchSetup {
  readonly clock?: VirtualClock
  /** May put something between the reporter and the store. */
  readonly tamper?: (store: ReportStore) => ReportStore
  /** Posts to hooks; from this thread if absent. */
  readonly openHookPost?: (clock: VirtualClock, log: SilentLog) => HookPost
}

interface ReportText extends Pick<Report, 'address' | 'number'> {
  readonly text: string
  /** In place of one with the text. */
  readonly body?: string | undefined
  readonly test: boolean
}

// Every name leads to loopback, so that one sink can be many hooks.
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }]
const openHookPostHere = (clock: VirtualClock) => createHookPost({ clock, allow: ['127.0.0.0/8'], resolve: toLoopback })

export class ReportBench implements AsyncDisposable {
  readonly clock: VirtualClock
  readonly log = new SilentLog()
  store: Store
  reporter: Reporter
  readonly #database: DatabaseSync
  readonly #sinks: HookSink[] = []
  readonly #tamper: (store: ReportStore) => ReportStore
  readonly #openHookPost: () => HookPost
  #hookPost: HookPost
  #directory = new Directory(EMPTY_ROWS)
  #hooks: ReadonlyMap<AccountId, AccountHooks> = new Map()
  #messages = 0
  #die = () => {}

  private constructor(database: DatabaseSync, store: Store, setup: ReportBenchSetup) {
    const { clock = new VirtualClock(), tamper = (reportStore) => reportStore } = setup
    const { openHookPost = openHookPostHere } = setup
    this.#openHookPost = () => openHookPost(clock, this.log)
    this.#database = database
    this.#tamper = tamper
    this.clock = clock
    this.store = store
    this.#hookPost = this.#openHookPost()
    this.reporter = this.#buildReporter()
  }

  static async open(setup: ReportBenchSetup = {}): Promise<ReportBench> {
    const database = memoryDatabase()
    return new ReportBench(database, await openOn(database), setup)
  }

  async openSink(): Promise<HookSink> {
    const sink = await HookSink.open(this.clock)
    this.#sinks.push(sink)
    return sink
  }

  async addAccount(change: Partial<Account> = {}): Promise<AccountId> {
    const { id: _, ...account } = buildAccount(change)
    const id = await this.store.change({ kind: 'create account', account })
    await this.refresh()
    return id ?? toAccountId(1)
  }

  /** The gateway learns of the hooks that clients manage. */
  async refreshHooks(): Promise<void> {
    this.#hooks = new Map((await this.store.loadHooks(0)).accounts)
  }

  async refresh(): Promise<void> {
    this.#directory = new Directory(await this.store.loadDirectory())
  }

  /**
   * A message with so many reports, on disk. They are born where the reporter says, unless they are to be due in the
   * store.
   */
  async addReports(
    accountId: AccountId,
    hook: string,
    setup: {
      readonly count?: number
      readonly held?: boolean
      readonly text?: string
      readonly test?: true
      readonly body?: string
    } = {},
  ): Promise<Message> {
    const { count = 1, held = true, text = 'ä€🙂', test = false, body } = setup
    const now = this.clock.now()
    const plan = [buildStep('sms', { priceMicros: toMicros(0) })]
    this.#messages += 1
    const accepted = buildMessage({ counter: this.#messages, accountId, hook, plan, createdAt: now })
    await this.store.accept({
      accountId,
      now,
      idempotency: null,
      items: [{ kind: 'message', message: accepted, waits: false, links: [], uniqueId: false }],
    })
    const reports = Array.from({ length: count }, (_, number) =>
      buildReport(accepted, { address: hook, number, text, test, body }),
    )
    const journey = { ...accepted.journey, version: 1, reports: count }
    const message = { ...accepted, journey }
    const turn = { message, timeline: [], postings: [], reports, calls: [], counts: [], refs: [], revokes: [] }
    const place = held ? this.reporter.placeFor(reports) : 'due'
    const where = { reportsHeld: place === 'held', places: reports.map(() => place) }
    await this.store.record([{ turn, held: false, ...where, clickedCode: null }])
    const first = reports.slice(0, 1)
    if (place === 'parked') this.reporter.noteParked(first)
    if (place === 'held') {
      const endsAt = now + REPORT_LIFETIME_MS
      this.reporter.take(first.map((report) => ({ ...report, tries: 0, createdAt: now, endsAt })))
    }
    return message
  }

  async reportsOf(message: Message): Promise<readonly TracedReport[]> {
    return (await this.store.trace(message.id))?.reports ?? []
  }

  /** Waits for what sockets and store bring about while the clock stands still. */
  async rest(): Promise<void> {
    await eventually('the reporter to come to rest', () => this.reporter.idle)
  }

  /** Turns the clock from one planned moment to the next until it is `at`, letting everything come to rest between. */
  async turnTo(at: number): Promise<void> {
    await this.rest()
    for (let next = this.clock.nextAt(); next !== null && next <= at; next = this.clock.nextAt()) {
      this.clock.turnTo(next)
      await this.rest()
    }
    this.clock.turnTo(at)
  }

  /** The process dies with all that it has in memory and under way, and another one opens the same database. */
  async crash(): Promise<void> {
    this.#die()
    await this.#hookPost.stop()
    this.store = await openOn(this.#database)
    this.#hookPost = this.#openHookPost()
    this.reporter = this.#buildReporter()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hookPost.stop()
    await this.reporter.stop()
    for (const sink of this.#sinks) await sink.close()
    await this.store.close()
  }

  #buildReporter(): Reporter {
    const { clock, log } = this
    const random = new SeededRandom()
    const { store: alive } = this
    let dead = false
    this.#die = () => {
      dead = true
    }
    const unlessDead = <T>(call: () => Promise<T>) => (dead ? new Promise<T>(() => {}) : call())
    const store = this.#tamper({
      claimReports: (claim) => unlessDead(() => alive.claimReports(claim)),
      claimReportsOf: (claim) => unlessDead(() => alive.claimReportsOf(claim)),
      stoppedHooks: (query) => unlessDead(() => alive.stoppedHooks(query)),
      waitingHooks: () => unlessDead(() => alive.waitingHooks()),
      settleReports: (results) => unlessDead(() => alive.settleReports(results)),
    })
    const known = {
      directory: () => this.#directory,
      hooksOf: (accountId: AccountId) => this.#hooks.get(accountId) ?? NO_HOOKS,
    }
    return new Reporter({ store, hookPost: this.#hookPost, ...known, clock, random, log })
  }
}

function openOn(database: DatabaseSync): Promise<Store> {
  return openSqliteStore({ file: ':memory:', database, keys: TEST_KEYS })
}

function buildReport(message: Message, { address, number, text, test, body }: ReportText): Report {
  const { id, accountId } = message
  return {
    messageId: id,
    accountId,
    number,
    address,
    body: body ?? JSON.stringify({ msg_id: id, number, text, ...(test ? { test } : {}) }),
  }
}

const EMPTY_ROWS = {
  revision: 0,
  accounts: [],
  keys: [],
  logins: [],
  senders: [],
  prices: [],
  priceGroups: [],
  groupMemberships: [],
  routes: [],
  costs: [],
  operators: '',
  carriers: [],
  carrierChecks: [],
  qualityRules: [],
  demotions: [],
  pools: [],
  inboundNumbers: [],
  chatTemplates: [],
  ...NO_GUARDS,
  adminUsers: [],
  adminTokens: [],
  passkeys: [],
  notificationTargets: [],
  alarmRules: [],
}
