/** Asks for the balance of our account at a generic HTTP carrier. A request without a result never stops sending. */
import Type, { type StaticDecode } from 'typebox'
import type { CarrierBalance } from '../../ports/carriers/carrier.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { parseJson } from '../../wire/json.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { group, seconds } from '../shared/setting-kinds.ts'
import { finder } from './places/finder.ts'
import { REQUEST } from './request-settings.ts'

export const BALANCE = group(
  {
    request: REQUEST,
    amount: finder('Where the amount is, a decimal number.'),
    currency: Type.Optional(finder('Where its currency is.')),
    every: seconds(60, 86_400, 'How often each gateway asks.', 600),
    low: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1e12, description: 'Below it, the alarm `balance_low` is opened.' }),
    ),
  },
  'How the carrier is asked for the balance of the account there.',
)

type BalanceSettings = StaticDecode<typeof BALANCE>

const AMOUNT = /^-?\d{1,15}(\.\d{1,12})?$/
const MAX_CURRENCY = 20
/** The carrier is not asked again so soon, however often operators ask. */
const FRESH_MS = 5_000

export class BalanceWatch {
  readonly #settings: BalanceSettings
  readonly #tools: CarrierTools
  readonly #carrierId: string
  readonly #ask: (request: BalanceSettings['request']) => Promise<HttpResult | null>
  #state: CarrierBalance
  #cancel: Cancel | null = null
  #stopped = false
  #asking: Promise<void> | null = null
  /** Milliseconds, monotonic: when the last answer came. */
  #askedAt = Number.NEGATIVE_INFINITY

  /** @param ask returns null if the request cannot be written. Must not reject. */
  constructor(
    { carrierId, settings }: { readonly carrierId: string; readonly settings: BalanceSettings },
    ask: (request: BalanceSettings['request']) => Promise<HttpResult | null>,
    tools: CarrierTools,
  ) {
    this.#carrierId = carrierId
    this.#settings = settings
    this.#ask = ask
    this.#tools = tools
    this.#state = { amount: null, currency: null, at: null, low: settings.low ?? null, error: null }
  }

  get state(): CarrierBalance {
    return this.#state
  }

  start(): void {
    void this.#look()
  }

  /** Operators who ask at the same time share one request. */
  async ask(): Promise<CarrierBalance> {
    const isFresh = this.#tools.clock.monotonic() - this.#askedAt < FRESH_MS
    if (!isFresh && !this.#stopped) await this.#look()
    return this.#state
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #look(): Promise<void> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #askOnce(): Promise<void> {
    const { clock, log } = this.#tools
    this.#cancel?.()
    const before = this.#state
    this.#state = { ...before, ...this.#read(await this.#ask(this.#settings.request)) }
    this.#askedAt = clock.monotonic()
    const { error } = this.#state
    if (error !== null && before.error === null) {
      log.warn({ carrier: this.#carrierId, error }, 'the balance at the carrier is unknown')
    }
    if (!this.#stopped) this.#cancel = clock.after(this.#settings.every * 1_000, () => void this.#look())
  }

  /** Keeps the last amount if there is no new one. */
  #read(result: HttpResult | null): Partial<CarrierBalance> {
    if (result === null) return { error: 'the address of the request cannot be written' }
    if (result.kind === 'silent') return { error: result.reason }
    if (result.status < 200 || result.status > 299) return { error: `HTTP ${result.status}` }
    const body = { text: result.body, json: parseJson(result.body) }
    const amount = this.#settings.amount(body)?.trim() ?? ''
    if (!AMOUNT.test(amount)) return { error: `HTTP ${result.status} without an amount where the settings expect it` }
    const currency = this.#settings.currency?.(body)?.trim().slice(0, MAX_CURRENCY).toWellFormed() || null
    return { amount, currency, at: this.#tools.clock.now(), error: null }
  }
}
