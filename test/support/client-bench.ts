/**
 * The client's side of the gateway on a real socket: the API paths over a store in memory, with the sandbox's account.
 * Delivery is a witness that collects what it is handed.
 */

import { hash } from 'node:crypto'
import { createApiRoutes } from '../../src/apis/apis.ts'
import { ASYNC_PATH, SYNC_PATH } from '../../src/apis/json/json-api.ts'
import { LiveHooks } from '../../src/app/live/live-hooks.ts'
import type { ApiName } from '../../src/contract/operations/api-names.ts'
import { ChatappNames } from '../../src/contract/operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../src/contract/operations/default-chatapp-names.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/contract/request/limits.ts'
import { type Account, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { Channel } from '../../src/domain/channels/channel.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Canceller, Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { AddressGuard } from '../../src/http/hooks/guard-address.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import { startHttpServer } from '../../src/http/server/server.ts'
import { KeyUses } from '../../src/operations/request/api-key.ts'
import { Logins } from '../../src/operations/request/logins.ts'
import { MessageIds } from '../../src/operations/request/message-ids.ts'
import type { OperationTools } from '../../src/operations/request/operation-tools.ts'
import { RateLimits, RequestRates } from '../../src/operations/request/rate-limits.ts'
import type { NumberLookup } from '../../src/ports/carriers/lookup.ts'
import type { HookOutbox } from '../../src/ports/hooks/outbox.ts'
import type { Change } from '../../src/ports/stores/setup-store.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import type { Clock } from '../../src/ports/system/clock.ts'
import { SERVED_OPERATOR, simulatorLookup, simulatorNumbers } from '../../src/simulator/lookup/lookup.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'

import { buildKey } from './build-message.ts'
import { buildPrice } from './build-price.ts'
import { memoryDatabase } from './memory-database.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { TEST_KEYS } from './test-keys.ts'
import { VirtualClock } from './virtual-clock.ts'

export const KEY = 'demo-key'
export const PUBLIC_URL = 'https://posthorn.example'
export { ASYNC_PATH, SYNC_PATH }

/** What delivery was handed, and what a test lets it answer. */
class OutboxWitness implements HookOutbox {
  readonly taken: Message[] = []
  readonly full = new Set<Channel>()
  /** Carriers that are down. */
  readonly down = new Set<string>()
  /** The `dueAt` of each call: when the first message in the store is due. */
  readonly dueAts: number[] = []
  readonly waits: { readonly id: MessageId; readonly withinMs: number }[] = []
  readonly cancels: (readonly MessageId[])[] = []
  readonly #store: Store
  readonly #clock: Clock
  /** Plays the carrier's answer to a call. By default the phone rings. */
  answerCall: (message: Message) => Message | null | Promise<Message | null> = (message) =>
    this.record(message, { kind: 'taken', ref: `call-${message.id}` })

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  hasRoom(channel: Channel): boolean {
    return !this.full.has(channel)
  }

  isOpen(carrierId: string): boolean {
    return !this.down.has(carrierId)
  }

  take(messages: readonly Message[], dueAt: number | null): void {
    this.taken.push(...messages)
    if (dueAt !== null) this.dueAts.push(dueAt)
  }

  /** Records a carrier's verdict on the first step of a message, as delivery does. */
  async record(message: Message, verdict: Verdict): Promise<Message> {
    const at = this.#clock.now()
    const verdicts = [{ ...verdict, part: 0 }]
    const answered = {
      kind: 'answered',
      at,
      step: 0,
      carrierId: 'voice',
      verdicts,
      anotherLeft: false,
      jitter: 0,
    } as const
    const turn = advance(message, answered)
    if (turn === null) throw new Error('the answer changed nothing')
    await this.#store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
    return turn.message
  }

  /** Cancels as delivery does while nothing is on the wire. */
  async cancel(messages: readonly Message[], by: Canceller = 'client'): Promise<readonly Message[]> {
    this.cancels.push(messages.map(({ id }) => id))
    const cancelled = messages.map(async (message) => {
      const turn = advance(message, { kind: 'cancelled', at: this.#clock.now(), by })
      if (turn === null) return message
      await this.#store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
      return turn.message
    })
    return Promise.all(cancelled)
  }

  async discard(messages: readonly Message[], by: Canceller): ReturnType<HookOutbox['discard']> {
    const after = await this.cancel(messages, by)
    return {
      messages: after.filter(({ journey }) => journey.status === 'CANCELLED').length,
      releasedMicros: toMicros(0),
    }
  }

  settle(): never {
    throw new Error('unexpected')
  }

  noteOptOuts(): never {
    throw new Error('no operation of clients does this')
  }

  sendNow(): never {
    throw new Error('no operation of clients does this')
  }

  /** Checks codes as delivery does while one node has the message. */
  async check(checks: Parameters<HookOutbox['check']>[0]): Promise<readonly (Message | undefined)[]> {
    const after: (Message | undefined)[] = []
    for (const { messageId, ...check } of checks) {
      const [message] = await this.#store.loadMessages([messageId])
      const turn = message && advance(message, { kind: 'checked', at: this.#clock.now(), ...check })
      if (turn) await this.#store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
      after.push(turn?.message ?? message)
    }
    return after
  }

  async resend(resends: Parameters<HookOutbox['resend']>[0]): Promise<readonly (Message | undefined)[]> {
    const after: (Message | undefined)[] = []
    for (const { messageId, resendId } of resends) {
      const [message] = await this.#store.loadMessages([messageId])
      const turn = message && advance(message, { kind: 'resent', at: this.#clock.now(), resendId })
      if (turn) await this.#store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
      after.push(turn?.message ?? message)
    }
    return after
  }

  async untilAnswered(id: MessageId, withinMs: number): Promise<Message | null> {
    this.waits.push({ id, withinMs })
    const message = this.taken.find((each) => each.id === id)
    return message === undefined ? null : this.answerCall(message)
  }
}

export interface ClientBenchOptions {
  readonly limits?: Partial<Limits>
  readonly settings?: Partial<Account['settings']>
  /** Networks where hooks may be although they are not public. */
  readonly hookAllow?: readonly string[]
  /** json and rest by default. */
  readonly apis?: readonly ApiName[]
  /** Other names of the chat app. */
  readonly chatappNames?: readonly string[]
  /** EUR millionths to begin with; 1,000 EUR by default. */
  readonly balanceMicros?: number
  readonly trustedProxies?: readonly string[]
  /** Lookup services; none by default. */
  readonly numbers?: NumberLookup
  /** Stands between the API and the store. */
  readonly wrapStore?: (store: Store) => Store
}

export type ClientBench = Awaited<ReturnType<typeof startClientBench>>

export interface PostOptions {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function startClientBench(options: ClientBenchOptions = {}) {
  const clock = new VirtualClock()
  const random = new SeededRandom()
  const log = new SilentLog()
  const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database: memoryDatabase() })
  const outbox = new OutboxWitness(store, clock)
  const accountId = await createDemoAccount(store, options)
  let directory = new Directory(await store.loadDirectory())
  const hooks = await LiveHooks.load(store)
  const keyUses = new KeyUses(store)
  const clientStore = options.wrapStore?.(store) ?? store
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log })
  const tools: OperationTools = {
    store: clientStore,
    messageIds: new MessageIds(clientStore, clock),
    outbox,
    directory: () => directory,
    hooks: { of: hooks.of, refresh: hooks.refresh, onReports: () => {} },
    lookup: simulatorLookup,
    testLookup: simulatorLookup,
    numbers: options.numbers ?? { serves: () => false, known: () => null, ask: () => Promise.resolve(null) },
    testNumbers: simulatorNumbers(clock),
    routingLookups: new RateLimits(),
    rates: new RequestRates(),
    logins: new Logins({ clock, directory: () => directory }),
    keyUses,
    clock,
    random,
    log,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    chatappNames: new ChatappNames(options.chatappNames ?? DEFAULT_CHATAPP_NAMES),
    hookGuard: new AddressGuard(options.hookAllow ?? []),
    publicUrl: PUBLIC_URL,
  }
  const { apis: names = ['json', 'rest'], trustedProxies = [] } = options
  const hookPost = createHookPost({
    clock,
    allow: options.hookAllow ?? [],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  server.serve(createApiRoutes(tools, { names, trustedProxies, hookPost }))

  /** Posts these bytes; answers with the status and the text. */
  const postRaw = async (
    body: string | Uint8Array<ArrayBuffer>,
    { path = SYNC_PATH, method = 'POST', headers }: PostOptions = {},
  ) => {
    const type = headers?.['Content-Type'] ?? 'application/json'
    const response = await fetch(server.address + path, {
      method,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
      headers: { ...headers, 'Content-Type': type },
    })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  /** Posts operations with the demo key; answers with the parsed envelope. */
  const post = async (data: unknown, options: PostOptions = {}) =>
    JSON.parse((await postRaw(JSON.stringify({ auth: KEY, data }), options)).text)

  return {
    address: server.address,
    stopServer: () => server.stop(),
    store,
    tools,
    outbox,
    clock,
    log,
    keyUses,
    accountId,
    post,
    postRaw,
    /** One operation on the synchronous path: its result. */
    ask: async (item: unknown, options: PostOptions = {}) => (await post([item], options)).data[0],
    change: async (change: Change) => {
      await store.change(change)
      directory = new Directory(await store.loadDirectory())
    },
    stop: async () => {
      await server.stop()
      await hookPost.stop()
      await store.close()
    },
  }
}

async function createDemoAccount(store: Store, { settings, balanceMicros = 1_000_000_000 }: ClientBenchOptions) {
  const accountId = await store.change({
    kind: 'create account',
    account: {
      name: 'Demo',
      currency: 'EUR',
      state: 'active',
      hookSecrets: [],
      settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings },
    },
  })
  if (accountId === null) throw new Error('the store made no account')
  for (const change of demoChanges(accountId, balanceMicros)) await store.change(change)
  return accountId
}

const PRICES = { rcs: 30_000, chatapp: 40_000, sms: 50_000, call: 20_000 } as const
const CHANNELS = ['rcs', 'chatapp', 'sms', 'call'] as const

function demoChanges(accountId: AccountId, balanceMicros: number): readonly Change[] {
  const senders = ['RCSTest', 'ChatTest', 'SMSTest', 'Posthorn'].flatMap((name) =>
    (['rcs', 'chatapp', 'sms'] as const).map(
      (channel): Change => ({ kind: 'set sender', sender: approvedSender(accountId, channel, name) }),
    ),
  )
  const prices = CHANNELS.map(
    (channel): Change => ({
      kind: 'set price',
      price: buildPrice({ channel, prefix: '49', priceMicros: toMicros(PRICES[channel]) }),
    }),
  )
  const numbers = Array.from({ length: 40 }, (_, index) => `4932211${230_000 + index * 7}`)
  return [
    ...(balanceMicros === 0
      ? []
      : [{ kind: 'top up', accountId, amountMicros: toMicros(balanceMicros), at: 0 } satisfies Change]),
    { kind: 'add key', key: buildKey({ hash: hash('sha256', KEY), accountId }) },
    ...senders,
    ...prices,
    {
      kind: 'set carrier',
      carrier: { id: 'voice', channel: 'call', kind: 'sip', settings: {} },
    },
    { kind: 'set pool', pool: { id: 'pool', numbers, codeDigits: 4 } },
    {
      kind: 'set route',
      route: {
        channel: 'call',
        prefix: '',
        operators: [SERVED_OPERATOR],
        carrierId: 'voice',
        accountId: null,
        sender: null,
        weight: 1,
        priority: 0,
        poolId: 'pool',
      },
    },
    chatTemplate(accountId, 1, 'Your order {{1}} is on its way.'),
    chatTemplate(accountId, 2, 'Your code is {{1}}.'),
  ]
}

function chatTemplate(accountId: AccountId, id: number, template: string): Change {
  return { kind: 'set chat template', template: { id, accountId, template, signature: 'ChatTest', status: 'approved' } }
}
