/** The configuration tables, each defined once. Seals secrets. */
import { type Account, DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/accounts/account.ts'
import type { AdminToken, AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { ApiKey } from '../../../domain/accounts/api-key.ts'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import type { Sender } from '../../../domain/accounts/sender.ts'
import type { AlarmRuleSetting } from '../../../domain/alarms/alarm-rule.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../../domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../../domain/guards/traffic-alarm.ts'
import type { InboundNumber } from '../../../domain/inbound/inbound-number.ts'
import type { Cost } from '../../../domain/money/cost.ts'
import type { Price } from '../../../domain/money/price.ts'
import type { ListedNumber } from '../../../domain/numbers/number-list.ts'
import type { NumberPool, Route } from '../../../domain/routing/route.ts'
import type { ChatTemplate } from '../../../domain/text/template.ts'
import type { NewApiKey } from '../../../ports/changes/account-change.ts'
import { findTable, type TableName } from '../../tables/all-tables.ts'
import {
  ABSENT_AS_NULL,
  FLAG,
  JSON_TEXT,
  jsonOver,
  NULL_AS_EMPTY,
  NULL_AS_ZERO,
  named,
  PLAIN,
  readOnly,
  type Table,
  table,
} from '../cells/table.ts'
import type { SealedCarrier, SealedDirectory, SealedTarget } from '../sealing/seal-secrets.ts'

type Row<Name extends keyof SealedDirectory> = SealedDirectory[Name] extends readonly (infer Item)[] ? Item : never

/** A sender; without details in old installations. */
interface SenderRow extends Pick<Sender, 'accountId' | 'channel' | 'name'> {
  readonly approved: boolean
  readonly details: Omit<Sender, 'accountId' | 'channel' | 'name'> | null
}

const SENDER_ROWS = table<SenderRow, SenderRow, 'accountId' | 'channel' | 'name'>(
  { name: 'sender', key: ['accountId', 'channel', 'name'] },
  { accountId: PLAIN, channel: PLAIN, name: PLAIN, approved: FLAG, details: JSON_TEXT },
)

export const DIRECTORY_TABLES = {
  accounts: table<Row<'accounts'>, Pick<Account, 'id'>>(
    { name: 'account', key: ['id'], from: 'account JOIN account_balance USING (account_id)' },
    {
      id: named('account_id'),
      name: PLAIN,
      currency: PLAIN,
      state: PLAIN,
      hookSecrets: PLAIN,
      settings: jsonOver(DEFAULT_ACCOUNT_SETTINGS),
      oldSecretsUntil: ABSENT_AS_NULL,
      creditLimitMicros: named('credit_limit'),
    },
  ),
  keys: table<ApiKey, NewApiKey, 'hash'>(
    { name: 'api_key', key: ['hash'] },
    {
      accountId: PLAIN,
      createdAt: PLAIN,
      hash: PLAIN,
      name: PLAIN,
      scopes: JSON_TEXT,
      expiresAt: PLAIN,
      lastUsedAt: readOnly(),
      test: FLAG,
    },
  ),
  senders: {
    ...SENDER_ROWS,
    read: (cells) => {
      const { approved, details, ...key } = SENDER_ROWS.read(cells)
      const state = approved ? 'approved' : 'requested'
      return { ...key, ...(details ?? { state, reason: null, countries: null, ids: {} }) }
    },
    toRow: ({ accountId, channel, name, ...details }) =>
      SENDER_ROWS.toRow({ accountId, channel, name, approved: details.state === 'approved', details }),
  } satisfies Table<Sender, Sender, Pick<Sender, 'accountId' | 'channel' | 'name'>>,
  prices: table<Price, Price, 'accountId' | 'currency' | 'channel' | 'prefix' | 'operator' | 'from'>(
    { name: 'price', key: ['accountId', 'currency', 'channel', 'prefix', 'operator', 'from'] },
    {
      accountId: NULL_AS_ZERO,
      currency: PLAIN,
      channel: PLAIN,
      prefix: PLAIN,
      operator: NULL_AS_EMPTY,
      from: named('valid_from', NULL_AS_ZERO),
      until: named('valid_until'),
      priceMicros: PLAIN,
    },
  ),
  routes: table<Route, Route, 'channel' | 'prefix' | 'carrierId' | 'accountId' | 'sender'>(
    { name: 'route', key: ['channel', 'prefix', 'carrierId', 'accountId', 'sender'] },
    {
      channel: PLAIN,
      prefix: PLAIN,
      priority: PLAIN,
      carrierId: PLAIN,
      accountId: NULL_AS_ZERO,
      sender: NULL_AS_EMPTY,
      operators: JSON_TEXT,
      weight: PLAIN,
      poolId: PLAIN,
      ringSeconds: ABSENT_AS_NULL,
    },
  ),
  costs: table<Cost, Cost, 'carrierId' | 'category' | 'prefix' | 'operator'>(
    { name: 'cost', key: ['carrierId', 'category', 'prefix', 'operator'] },
    {
      carrierId: PLAIN,
      prefix: PLAIN,
      operator: NULL_AS_EMPTY,
      priceMicros: PLAIN,
      currency: PLAIN,
      category: NULL_AS_EMPTY,
    },
  ),
  carriers: table<Row<'carriers'>, SealedCarrier, 'id'>(
    { name: 'carrier', key: ['id'] },
    { id: named('carrier_id'), channel: PLAIN, kind: PLAIN, settings: PLAIN, draining: readOnly(FLAG) },
  ),
  pools: table<NumberPool, NumberPool, 'id'>(
    { name: 'pool', key: ['id'] },
    { id: named('pool_id'), codeDigits: PLAIN, numbers: JSON_TEXT },
  ),
  inboundNumbers: table<InboundNumber, InboundNumber, 'carrierId' | 'address' | 'keyword'>(
    { name: 'inbound_number', key: ['carrierId', 'address', 'keyword'] },
    {
      carrierId: PLAIN,
      address: PLAIN,
      keyword: NULL_AS_EMPTY,
      accountId: PLAIN,
      hook: PLAIN,
      reply: PLAIN,
      replySender: PLAIN,
    },
  ),
  chatTemplates: table<ChatTemplate, ChatTemplate, 'id'>(
    { name: 'chat_template', key: ['id'] },
    {
      id: named('template_id'),
      accountId: PLAIN,
      template: PLAIN,
      signature: PLAIN,
      status: PLAIN,
      carrierId: ABSENT_AS_NULL,
    },
  ),
  adminUsers: table<AdminUser, AdminUser, 'name'>(
    { name: 'admin_user', key: ['name'] },
    { name: PLAIN, role: PLAIN, accountId: PLAIN, state: PLAIN, passwordHash: PLAIN, totpSecret: PLAIN },
  ),
  adminTokens: table<AdminToken, AdminToken, 'hash'>(
    { name: 'admin_token', key: ['hash'] },
    { user: PLAIN, label: PLAIN, hash: PLAIN, createdAt: PLAIN, expiresAt: PLAIN, provedAt: PLAIN },
  ),
  passkeys: table<Passkey, Passkey, 'id'>(
    { name: 'passkey', key: ['id'] },
    {
      id: named('credential_id'),
      user: PLAIN,
      name: PLAIN,
      publicKey: PLAIN,
      counter: PLAIN,
      createdAt: PLAIN,
      lastUsedAt: PLAIN,
    },
  ),
  listedNumbers: table<ListedNumber, ListedNumber, 'list' | 'digits' | 'whole'>(
    { name: 'listed_number', key: ['list', 'digits', 'whole'] },
    { list: PLAIN, digits: PLAIN, whole: FLAG, note: PLAIN },
  ),
  notificationTargets: table<Row<'notificationTargets'>, SealedTarget, 'name'>(
    { name: 'notification_target', key: ['name'] },
    {
      name: PLAIN,
      kind: PLAIN,
      address: PLAIN,
      recipients: JSON_TEXT,
      secret: PLAIN,
      minSeverity: PLAIN,
      kinds: JSON_TEXT,
      repeatMinutes: PLAIN,
      sentAt: readOnly(),
      failedAt: readOnly(),
      lastError: readOnly(),
    },
  ),
  alarmRules: table<AlarmRuleSetting, AlarmRuleSetting, 'kind'>(
    { name: 'alarm_rule', key: ['kind'] },
    { kind: PLAIN, enabled: FLAG, openAfterSeconds: PLAIN, resolveAfterSeconds: PLAIN, threshold: PLAIN },
  ),
  trafficAlarms: table<TrafficAlarm, TrafficAlarm, 'accountId' | 'kind' | 'prefix'>(
    { name: 'traffic_alarm', key: ['accountId', 'kind', 'prefix'] },
    {
      accountId: NULL_AS_ZERO,
      prefix: PLAIN,
      kind: PLAIN,
      raisedAt: PLAIN,
      seen: PLAIN,
      usual: PLAIN,
      state: PLAIN,
      until: PLAIN,
    },
  ),
} satisfies Readonly<Partial<Record<keyof SealedDirectory, unknown>>>

/**
 * The tables of the directory by their name there; prices, of which there may be very many, are read separately.
 * Accounts with opt-outs are only counted.
 */
export const READ_TABLES: Readonly<
  Record<
    Exclude<keyof SealedDirectory, 'revision' | 'operators' | 'guardSettings' | 'prices'>,
    Pick<Table, 'columns' | 'from' | 'read'>
  >
> = (({ prices: _, ...others }) => ({
  ...others,
  optedOutOf: {
    columns: ['account_id', 'name'],
    // Not correlated: on Citus one table is distributed and the other is not.
    from: 'account WHERE account_id IN (SELECT account_id FROM opt_out)',
    read: ([accountId]) => accountId,
  },
}))(DIRECTORY_TABLES)

/** Tables whose rows are replaced, besides those of the directory. */
const REPLACED: readonly TableName[] = [
  ...(['notification', 'account_hooks', 'operators', 'guard_settings'] as const),
  ...(['login_tally', 'login_network', 'one_time_token'] as const),
]

/** Primary keys by table name, of tables whose rows are replaced. */
export const PRIMARY_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.values(DIRECTORY_TABLES).map(({ name, key }) => [name, key] as const),
  ...REPLACED.map((name) => [name, findTable('sqlite', name).key] as const),
])

/** A row of the table `price`. */
export const readPrice = DIRECTORY_TABLES.prices.read

/** Reads the text of the table `guard_settings`: missing settings have their defaults. */
export function readGuardSettings(text: string): GuardSettings {
  return { ...DEFAULT_GUARD_SETTINGS, ...JSON.parse(text) }
}
