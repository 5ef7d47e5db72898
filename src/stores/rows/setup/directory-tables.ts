/** The configuration tables, each defined once. Seals secrets. */
import { type Account, DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/accounts/account.ts'
import type { AdminToken, AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { ApiKey } from '../../../domain/accounts/api-key.ts'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import { NO_DETAILS, type Sender } from '../../../domain/accounts/sender.ts'
import type { AlarmRuleSetting } from '../../../domain/alarms/alarm-rule.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../../domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../../domain/guards/traffic-alarm.ts'
import type { InboundNumber } from '../../../domain/inbound/inbound-number.ts'
import type { Cost } from '../../../domain/money/cost.ts'
import type { GroupMembership, Price, PriceGroup, PriceKey, PriceOwner } from '../../../domain/money/price.ts'
import type { ListedNumber } from '../../../domain/numbers/number-list.ts'
import type { CarrierCheck } from '../../../domain/routing/carrier-check.ts'
import type { Demotion } from '../../../domain/routing/demotion.ts'
import type { QualityRuleSetting } from '../../../domain/routing/quality-rule.ts'
import type { NumberPool, Route } from '../../../domain/routing/route.ts'
import type { ChatTemplate } from '../../../domain/text/template.ts'
import type { NewApiKey } from '../../../ports/changes/account-change.ts'
import { findTable } from '../../tables/all-tables.ts'
import {
  ABSENT_AS_NULL,
  FLAG_COLUMN,
  JSON_TEXT,
  jsonOver,
  NULL_AS_EMPTY,
  NULL_AS_ZERO,
  namedColumn,
  type RowTable,
  readOnly,
  table,
} from '../cells/table.ts'
import type { LongList, SealedCarrier, SealedDirectory, SealedTarget } from '../sealing/seal-secrets.ts'

type Row<Name extends keyof SealedDirectory> = SealedDirectory[Name] extends readonly (infer Item)[] ? Item : never

type SenderKey = 'accountId' | 'channel' | 'name'

/** A sender; with fewer details, or none, in old installations. */
interface SenderRow extends Pick<Sender, SenderKey> {
  readonly approved: boolean
  readonly details: Partial<Omit<Sender, SenderKey>> | null
}

/** Earlier versions had the ids of India's DLT among those of carriers. */
function withoutDltIds({ ids: stored = {}, ...details }: Partial<typeof NO_DETAILS>): Partial<typeof NO_DETAILS> {
  const { dlt_entity_id: entity, dlt_header_id: header, ...ids } = stored as Readonly<Record<string, string>>
  if ((entity ?? header) === undefined) return { ids, ...details }
  const dlt = { ...(entity === undefined ? {} : { entity }), ...(header === undefined ? {} : { header }) }
  return { ids, ...details, registrations: { IN: dlt, ...details.registrations } }
}

const SENDER_ROWS = table('sender')<SenderRow, SenderRow, SenderKey>({
  approved: FLAG_COLUMN,
  details: JSON_TEXT,
})

/** Of rates. */
const VALIDITY = { from: namedColumn('valid_from', NULL_AS_ZERO), until: namedColumn('valid_until') } as const

/** In the directory, those that last. */
export const DEMOTION_TABLE = table('demotion', { from: 'demotion WHERE ended_at IS NULL', order: ['began_at'] })<
  Demotion,
  Demotion,
  'channel' | 'carrierId' | 'country' | 'operator' | 'beganAt'
>({ operator: NULL_AS_EMPTY })
const PRICE_ROWS = table('price')<
  Price,
  Price,
  'accountId' | 'group' | 'currency' | 'channel' | 'prefix' | 'operator' | 'from'
>({
  accountId: { read: (cell) => (Number(cell) > 0 ? cell : null) as never, write: () => 0 },
  group: namedColumn('group_id', NULL_AS_EMPTY),
  operator: NULL_AS_EMPTY,
  ...VALIDITY,
})

/** Gateways of earlier versions, which know no groups, take prices of account 0 as general: groups have -1. */
export function priceOwnerCells({ accountId, group }: PriceOwner) {
  return { account_id: accountId ?? (group === null ? 0 : -1), group_id: group ?? '' }
}

export const DIRECTORY_ROWS = {
  accounts: table('account', { from: 'account JOIN account_balance USING (account_id)' })<
    Row<'accounts'>,
    Pick<Account, 'id'>
  >({
    id: namedColumn('account_id'),
    settings: jsonOver(DEFAULT_ACCOUNT_SETTINGS),
    oldSecretsUntil: ABSENT_AS_NULL,
    creditLimitMicros: namedColumn('credit_limit'),
  }),
  keys: table('api_key', { order: ['account_id', 'created_at'] })<ApiKey, NewApiKey, 'hash'>({
    scopes: JSON_TEXT,
    networks: JSON_TEXT,
    test: FLAG_COLUMN,
    lastUsedAt: readOnly(),
  }),
  logins: table('client_login', { order: ['account_id'] })<Row<'logins'>, Row<'logins'>, 'name'>({
    networks: JSON_TEXT,
    window: namedColumn('window_size'),
    onceByReference: FLAG_COLUMN,
    test: FLAG_COLUMN,
  }),
  senders: {
    ...SENDER_ROWS,
    read: (cells) => {
      const { approved, details, ...key } = SENDER_ROWS.read(cells)
      const state = approved ? 'approved' : 'requested'
      return { ...key, ...NO_DETAILS, state, ...withoutDltIds(details ?? {}) }
    },
    toRow: ({ accountId, channel, name, ...details }) =>
      SENDER_ROWS.toRow({ accountId, channel, name, approved: details.state === 'approved', details }),
  } satisfies RowTable<Sender, Sender, Pick<Sender, SenderKey>>,
  prices: {
    ...PRICE_ROWS,
    toRow: (price) => ({ ...PRICE_ROWS.toRow(price), ...priceOwnerCells(price) }),
    toKey: (price) => ({ ...PRICE_ROWS.toKey(price), ...priceOwnerCells(price) }),
  } satisfies RowTable<Price, Price, PriceKey>,
  priceGroups: table('price_group')<PriceGroup, PriceGroup, 'id'>({ id: namedColumn('group_id') }),
  groupMemberships: table('price_group_member')<GroupMembership, GroupMembership, 'accountId' | 'from'>({
    from: VALIDITY.from,
    group: namedColumn('group_id'),
  }),
  routes: table('route', { order: ['channel', 'prefix', 'priority'] })<
    Route,
    Route,
    'channel' | 'prefix' | 'carrierId' | 'accountId' | 'sender'
  >({ accountId: NULL_AS_ZERO, sender: NULL_AS_EMPTY, operators: JSON_TEXT, ringSeconds: ABSENT_AS_NULL }),
  costs: table('cost', { order: ['carrier_id', 'prefix'] })<
    Cost,
    Cost,
    'carrierId' | 'category' | 'prefix' | 'operator' | 'from'
  >({ operator: NULL_AS_EMPTY, category: NULL_AS_EMPTY, ...VALIDITY }),
  carriers: table('carrier')<Row<'carriers'>, SealedCarrier, 'id'>({
    id: namedColumn('carrier_id'),
    draining: readOnly(FLAG_COLUMN),
  }),
  carrierChecks: table('carrier_check', { order: ['carrier_id', 'country'] })<
    CarrierCheck,
    CarrierCheck,
    'carrierId' | 'country'
  >({}),
  qualityRules: table('quality_rule')<QualityRuleSetting, QualityRuleSetting, 'carrierId' | 'country'>({
    carrierId: NULL_AS_EMPTY,
    country: NULL_AS_EMPTY,
  }),
  demotions: DEMOTION_TABLE,
  pools: table('pool')<NumberPool, NumberPool, 'id'>({ id: namedColumn('pool_id'), numbers: JSON_TEXT }),
  inboundNumbers: table('inbound_number')<InboundNumber, InboundNumber, 'carrierId' | 'address' | 'keyword'>({
    keyword: NULL_AS_EMPTY,
  }),
  chatTemplates: table('chat_template')<ChatTemplate, ChatTemplate, 'id'>({
    id: namedColumn('template_id'),
    carrierId: ABSENT_AS_NULL,
  }),
  adminUsers: table('admin_user')<AdminUser, AdminUser, 'name'>({}),
  adminTokens: table('admin_token', { order: ['user', 'label'] })<AdminToken, AdminToken, 'hash'>({}),
  passkeys: table('passkey')<Passkey, Passkey, 'id'>({ id: namedColumn('credential_id') }),
  listedNumbers: table('listed_number')<ListedNumber, ListedNumber, 'list' | 'digits' | 'whole'>({
    whole: FLAG_COLUMN,
  }),
  notificationTargets: table('notification_target')<Row<'notificationTargets'>, SealedTarget, 'name'>({
    recipients: JSON_TEXT,
    kinds: JSON_TEXT,
    enabled: FLAG_COLUMN,
    sentAt: readOnly(),
    failedAt: readOnly(),
    lastError: readOnly(),
  }),
  alarmRules: table('alarm_rule')<AlarmRuleSetting, AlarmRuleSetting, 'kind'>({ enabled: FLAG_COLUMN }),
  trafficAlarms: table('traffic_alarm', { order: ['account_id', 'prefix'] })<
    TrafficAlarm,
    TrafficAlarm,
    'accountId' | 'kind' | 'prefix'
  >({ accountId: NULL_AS_ZERO }),
} satisfies Readonly<Partial<Record<LongList | keyof SealedDirectory, unknown>>>

/** A list is read again only if its revision, a column of `meta`, has changed. */
export const LONG_LISTS = {
  prices: { table: DIRECTORY_ROWS.prices, revision: 'price_revision' },
  costs: { table: DIRECTORY_ROWS.costs, revision: 'cost_revision' },
} as const satisfies Readonly<Record<LongList, unknown>>

/** The tables of the directory by their name there, without long lists. Accounts with opt-outs are only counted. */
export const READ_TABLES: Readonly<
  Record<
    Exclude<keyof SealedDirectory, 'revision' | 'operators' | 'guardSettings'>,
    Pick<RowTable, 'columns' | 'from' | 'order' | 'read'>
  >
> = (({ prices: _, costs: __, ...others }) => ({
  ...others,
  optedOutOf: {
    columns: ['account_id'],
    order: ['account_id'],
    // Not correlated: on Citus one table is distributed and the other is not.
    from: 'account WHERE account_id IN (SELECT account_id FROM opt_out)',
    read: ([accountId]) => accountId,
  },
}))(DIRECTORY_ROWS)

/** Tables whose rows are replaced, besides those of the directory. */
const REPLACED = [
  'notification',
  'account_hooks',
  'opt_out',
  'operators',
  'guard_settings',
  'login_tally',
  'login_network',
  'one_time_token',
  'carrier_time',
] as const

/** Primary keys by table name, of tables whose rows are replaced. SQLite leaves out the bucket. */
export const PRIMARY_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.values(DIRECTORY_ROWS).map(({ name, key }) => [name, key] as const),
  ...REPLACED.map((name) => [name, findTable('postgres', name).key] as const),
])

/** Reads the text of the table `guard_settings`: missing settings have their defaults. */
export function readGuardSettings(text: string): GuardSettings {
  return { ...DEFAULT_GUARD_SETTINGS, ...JSON.parse(text) }
}
