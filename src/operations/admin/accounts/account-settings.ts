/** Public names of account settings: in the admin API, its commands and configuration files. */
import Type from 'typebox'
import { DEFAULT_LIMITS } from '../../../contract/limits.ts'
import type { Account, AccountSettings } from '../../../domain/account.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { ACCOUNT_ID, AMOUNT, defineFields, field } from '../fields.ts'
import { ACCOUNT_GUARDS } from '../guards/guard-fields.ts'
import { resource } from '../resource.ts'
import { ACCOUNT, MONEY, NAME, nullable, whole } from '../shapes.ts'
import { accountRow } from './account-row.ts'
import { checkSettings } from './check-settings.ts'

export const ACCOUNT_SETTINGS = defineFields<AccountSettings>({
  uniqueIds: Type.Boolean({ description: 'a second use of a client id sends nothing' }),
  reportSteps: Type.Boolean({ description: 'report the steps between as well, not only the ends' }),
  stepLifetimeSeconds: whole({ description: 'lifetime of the chat-app and SMS steps of a chain' }),
  operationsPerSecond: nullable(whole({ minimum: 1 }), { description: 'rate limit; null is none' }),
  transliterateSms: Type.Boolean({ description: 'SMS lose accents that GSM lacks when that makes them shorter' }),
  allowedNetworks: nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }), {
    description: 'networks in CIDR form that its requests may come from; null for everywhere',
  }),
  requestOperations: nullable(whole({ minimum: 1 }), {
    description: 'operations in one request, where it is fewer than the installation allows; null is as many as that',
  }),
  requestBytes: nullable(whole({ minimum: 1 }), {
    description: 'bytes of one request, where it is fewer than the installation allows; null is as many as that',
  }),
  textsKeptDays: nullable(whole({ minimum: 0 }), {
    description: 'days after which the texts of ended messages go; null is never',
  }),
  recordsKeptDays: nullable(whole({ minimum: 0 }), {
    description: 'days after which all that is known of ended messages goes but their money; null is never',
  }),
  callsPerHour: nullable(whole({ minimum: 0 }), { description: 'calls in an hour; none is no limit' }),
  callsPerHourToPhone: nullable(whole({ minimum: 1 }), {
    description: `calls to one phone in an hour; none is ${DEFAULT_LIMITS.callsPerHourToPhone}`,
  }),
  callCodeDigits: nullable(whole(), { description: 'digits of the codes of calls; none is as the pool says' }),
  callCodeSeconds: nullable(whole(), {
    description: `how long a code is valid and not given to the phone again; none is ${DEFAULT_LIMITS.callCodeSeconds}`,
  }),
  defaultHook: nullable(Type.String({ maxLength: 2_048 }), {
    description: 'where reports go of messages that name no hook, and of the account itself; none is nowhere',
  }),
  defaultSmsSender: nullable(Type.String({ maxLength: 15 }), {
    description: 'sender of SMS that name none; none makes sms_signature required',
  }),
  lowBalanceMicros: field(
    'low_balance',
    nullable(MONEY, { description: 'the default hook is told when less is available; none is never' }),
    AMOUNT,
  ),
  ...ACCOUNT_GUARDS,
})

/** Identified by number and name, so that a file of another installation changes no account here. */
export type NamedSettings = Pick<Account, 'id' | 'name'> & AccountSettings

/** A file changes only the settings that it names; it neither creates nor closes accounts. */
export const SETTINGS = resource<NamedSettings>({
  section: 'accounts',
  key: ['id'],
  explicit: ['id', 'name'],
  isPartial: true,
  fields: { id: field('account', ACCOUNT, ACCOUNT_ID), name: NAME, ...ACCOUNT_SETTINGS },
  items: ({ accounts }) =>
    accounts.filter(({ state }) => state !== 'closed').map(({ id, name, settings }) => ({ id, name, ...settings })),
  check: ({ id, name, ...named }, { rows }) => {
    const stored = accountRow(rows, id)
    if (stored.name !== name) {
      throw new ChangeRefused(`account ${id} is ${stored.name} here and ${name} in the configuration`)
    }
    if (stored.state === 'closed') throw new ChangeRefused(`account ${id} is closed`)
    return { id, name, ...checkSettings(stored.settings, named) }
  },
  describe: ({ id, name }) => `account ${id} (${name})`,
  set: ({ id, name: _, ...settings }) => ({ kind: 'set account', accountId: id, settings }),
  remove: null,
})
