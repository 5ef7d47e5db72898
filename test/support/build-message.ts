/** Builds messages and accounts for tests: whatever a story does not name is ordinary. */

import { type Account, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { type ApiKey, KEY_DEFAULTS, KEY_SCOPES } from '../../src/domain/accounts/api-key.ts'
import { LOGIN_DEFAULTS, type Login } from '../../src/domain/accounts/login.ts'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { type Channel, MESSAGE_CHANNELS } from '../../src/domain/channels/channel.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { GuardRows } from '../../src/domain/guards/guards.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import { beginJourney, type Message, type Plan, type Step } from '../../src/domain/message/message.ts'
import { NO_MONEY, toMicros } from '../../src/domain/money/money.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { makeSecrets } from '../../src/operations/request/logins.ts'
import type { NewApiKey } from '../../src/ports/changes/account-change.ts'
import type { SetupStore } from '../../src/ports/stores/setup-store.ts'
import { SeededRandom } from './seeded-random.ts'

/** The time at which everything here begins: 1 January 2026. */
export const BEGINNING = Date.UTC(2026, 0, 1)

export function buildStep(channel: Channel, change: Partial<Step> = {}): Step {
  return {
    channel,
    sender: channel === 'call' ? '' : 'Posthorn',
    content: channel === 'call' ? { kind: 'call', from: '', code: '' } : { kind: 'text', text: 'Your parcel is here.' },
    lifetimeSeconds: 3_600,
    priceMicros: toMicros(50_000),
    parts: 1,
    ...change,
  }
}

/** Lets the account send under the sender of these steps. */
export async function approveSender(store: Pick<SetupStore, 'change'>, accountId: AccountId): Promise<void> {
  for (const channel of MESSAGE_CHANNELS) {
    await store.change({ kind: 'set sender', sender: approvedSender(accountId, channel, 'Posthorn') })
  }
}

/** A plan that tries the channels in their order. */
export function buildPlan(...channels: readonly Channel[]): Plan {
  return channels.map((channel) => buildStep(channel))
}

/** `counter` makes the id; the journey is at its beginning unless it is given. */
export function buildMessage(change: Partial<Message> & { readonly counter?: number } = {}): Message {
  const { counter = 1, ...rest } = change
  const accountId = rest.accountId ?? toAccountId(1)
  const plan = rest.plan ?? buildPlan('sms')
  const createdAt = rest.createdAt ?? BEGINNING
  return {
    id: makeMessageId(counter, accountId),
    accountId,
    test: false,
    clientId: null,
    phone: '4915112345678' as Phone,
    operator: '26201',
    plan,
    hook: 'https://client.example/hook',
    reportSteps: false,
    currency: 'EUR',
    createdAt,
    journey: beginJourney(plan, createdAt),
    ...rest,
  }
}

/** Guards without rules. */
export const NO_GUARDS: GuardRows = {
  guardSettings: DEFAULT_GUARD_SETTINGS,
  listedNumbers: [],
  trafficAlarms: [],
  optedOutOf: [],
}

export function buildAccount(change: Partial<Account> = {}): Account {
  return {
    id: toAccountId(1),
    name: 'Parcels Ltd',
    currency: 'EUR',
    state: 'active',
    hookSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    settings: DEFAULT_ACCOUNT_SETTINGS,
    creditLimitMicros: NO_MONEY,
    ...change,
  }
}

/** A key that may do everything, as a store takes it. */
export function buildKey(change: Partial<NewApiKey> & Pick<ApiKey, 'hash'>): NewApiKey {
  return {
    accountId: toAccountId(1),
    name: 'server',
    scopes: KEY_SCOPES,
    test: false,
    createdAt: 0,
    ...KEY_DEFAULTS,
    ...change,
  }
}

export const LOGIN_PASSWORD = 'correct horse'

/** A login with LOGIN_PASSWORD. */
export function buildLogin(change: Partial<Login> & Pick<Login, 'name'>): Login {
  return {
    ...LOGIN_DEFAULTS,
    accountId: toAccountId(1),
    secrets: makeSecrets(LOGIN_PASSWORD, null, new SeededRandom()),
    createdAt: 0,
    ...change,
  }
}

export function toMessageId(number: number): MessageId {
  return number as MessageId
}
