/** The tables of the directory: what either store selects of them, and what is made of a row. Secrets are sealed here. */
import { DEFAULT_ACCOUNT_SETTINGS } from '../../domain/account.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../domain/guard-settings.ts'
import type { Price } from '../../domain/price.ts'
import type { Cell } from './cell.ts'
import type { SealedDirectory } from './seal-secrets.ts'

interface DirectoryTable {
  /** Sorted by the first two. */
  readonly columns: string
  readonly from: string
  readonly read: (row: readonly Cell[]) => unknown
}

type TableName = Exclude<keyof SealedDirectory, 'revision' | 'operators' | 'guardSettings'>

export const DIRECTORY_TABLES: Readonly<Record<TableName, DirectoryTable>> = {
  accounts: {
    columns: 'account_id, name, currency, state, hook_secrets, settings, old_secrets_until, credit_limit',
    from: 'account JOIN pots USING (account_id)',
    read: ([id, name, currency, state, hookSecrets, settings, oldSecretsUntil, creditLimitMicros]) => {
      return {
        id,
        name,
        currency,
        state,
        hookSecrets,
        settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...JSON.parse(String(settings)) },
        ...(oldSecretsUntil === null ? {} : { oldSecretsUntil }),
        creditLimitMicros,
      }
    },
  },
  keys: {
    columns: 'account_id, created_at, hash, name, scopes, expires_at, last_used_at, test',
    from: 'api_key',
    read: ([accountId, createdAt, hash, name, scopes, expiresAt, lastUsedAt, test]) => {
      const rights = { scopes: JSON.parse(String(scopes)), test: test === 1 }
      return { hash, accountId, name, ...rights, createdAt, expiresAt, lastUsedAt }
    },
  },
  senders: {
    columns: 'account_id, channel, name, approved, details',
    from: 'sender',
    read: ([accountId, channel, name, approved, details]) => {
      const plain = { state: approved === 1 ? 'approved' : 'requested', reason: null, countries: null, ids: {} }
      return { accountId, channel, name, ...(details === null ? plain : JSON.parse(String(details))) }
    },
  },
  prices: {
    columns: 'account_id, currency, channel, prefix, operator, valid_from, valid_until, price_micros',
    from: 'price',
    read: ([account, currency, channel, prefix, network, begins, until, priceMicros]) => {
      const accountId = account === 0 ? null : account
      const operator = network === '' ? null : network
      const from = begins === 0 ? null : begins
      return { accountId, currency, channel, prefix, operator, from, until, priceMicros }
    },
  },
  routes: {
    columns: 'channel, prefix, priority, carrier_id, account_id, sender, operators, weight, pool_id, ring_seconds',
    from: 'route',
    read: ([channel, prefix, priority, carrierId, account, sender, operators, weight, poolId, ringSeconds]) => {
      const accountId = account === 0 ? null : account
      const list = operators === null ? null : JSON.parse(String(operators))
      const whose = { accountId, sender: sender === '' ? null : sender }
      const ring = ringSeconds === null ? {} : { ringSeconds }
      return { channel, ...whose, prefix, operators: list, carrierId, priority, weight, poolId, ...ring }
    },
  },
  costs: {
    columns: 'carrier_id, prefix, operator, price_micros, currency, category',
    from: 'cost',
    read: ([carrierId, prefix, network, priceMicros, currency, category]) => {
      const key = { carrierId, category: category === '' ? null : category, prefix }
      return { ...key, operator: network === '' ? null : network, priceMicros, currency }
    },
  },
  carriers: {
    columns: 'carrier_id, channel, kind, settings, draining',
    from: 'carrier',
    read: ([id, channel, kind, settings, draining]) => ({ id, channel, kind, settings, draining: draining === 1 }),
  },
  pools: {
    columns: 'pool_id, code_digits, numbers',
    from: 'pool',
    read: ([id, codeDigits, numbers]) => ({ id, numbers: JSON.parse(String(numbers)), codeDigits }),
  },
  chatTemplates: {
    columns: 'template_id, account_id, template, signature, status, carrier_id',
    from: 'chat_template',
    read: ([id, accountId, template, signature, status, carrierId]) => {
      return { id, accountId, template, signature, status, ...(carrierId === null ? {} : { carrierId }) }
    },
  },
  adminUsers: {
    columns: 'name, role, state, password_hash, totp_secret',
    from: 'admin_user',
    read: ([name, role, state, passwordHash, totpSecret]) => ({ name, role, state, passwordHash, totpSecret }),
  },
  adminTokens: {
    columns: '"user", label, hash, created_at, expires_at, proved_at',
    from: 'admin_token',
    read: ([user, label, hash, createdAt, expiresAt, provedAt]) => ({
      hash,
      user,
      label,
      createdAt,
      expiresAt,
      provedAt,
    }),
  },
  listedNumbers: {
    columns: 'list, digits, whole, note',
    from: 'listed_number',
    read: ([list, digits, whole, note]) => ({ list, digits, whole: whole === 1, note }),
  },
  trafficAlarms: {
    columns: 'account_id, prefix, kind, raised_at, seen, usual, state, until',
    from: 'traffic_alarm',
    read: ([accountId, prefix, kind, raisedAt, seen, usual, state, until]) => {
      return { accountId: accountId === 0 ? null : accountId, kind, prefix, raisedAt, seen, usual, state, until }
    },
  },
  optedOutOf: {
    columns: 'account_id, name',
    // Not correlated: on Citus one table is spread and the other is not.
    from: 'account WHERE account_id IN (SELECT account_id FROM opt_out)',
    read: ([accountId]) => accountId,
  },
}

/** A row of the table `price`. */
export function readPrice(row: readonly Cell[]): Price {
  return DIRECTORY_TABLES.prices.read(row) as Price
}

/** From the text that the table `guard_settings` has: what is not in it is at its default. */
export function readGuardSettings(text: string): GuardSettings {
  return { ...DEFAULT_GUARD_SETTINGS, ...JSON.parse(text) }
}
