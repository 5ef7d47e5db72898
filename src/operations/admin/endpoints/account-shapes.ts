/** The settings of an account as the world has them: in the admin API, in its commands, in configuration files. */
import Type, { type Static, type TSchema } from 'typebox'
import { camelKeys, type Snake, snakeKeys } from '../../../contract/key-case.ts'
import { DEFAULT_LIMITS } from '../../../contract/limits.ts'
import type { AccountSettings } from '../../../domain/account.ts'
import type { AccountGuards } from '../../../domain/account-guards.ts'
import { toDecimal } from '../../../domain/money.ts'
import { ACCOUNT_GUARDS, type AccountGuardsView, readAccountGuards, viewAccountGuards } from './guard-shapes.ts'
import { MONEY, nullable, readAmount, whole } from './shapes.ts'

/** Each of them, or it does not compile. */
const PLAIN_SETTINGS = {
  unique_ids: Type.Boolean({ description: 'a second use of a client id sends nothing' }),
  report_steps: Type.Boolean({ description: 'report the steps between as well, not only the ends' }),
  step_lifetime_seconds: whole({ description: 'lifetime of the chat-app and SMS steps of a chain' }),
  operations_per_second: nullable(whole({ minimum: 1 }), { description: 'rate limit; null is none' }),
  transliterate_sms: Type.Boolean({ description: 'SMS lose accents that GSM lacks when that makes them shorter' }),
  allowed_networks: nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }), {
    description: 'networks in CIDR form that its requests may come from; null for everywhere',
  }),
  request_operations: nullable(whole({ minimum: 1 }), {
    description: 'operations in one request, where it is fewer than the installation allows; null is as many as that',
  }),
  request_bytes: nullable(whole({ minimum: 1 }), {
    description: 'bytes of one request, where it is fewer than the installation allows; null is as many as that',
  }),
  texts_kept_days: nullable(whole({ minimum: 0 }), {
    description: 'days after which the texts of ended messages go; null is never',
  }),
  records_kept_days: nullable(whole({ minimum: 0 }), {
    description: 'days after which all that is known of ended messages goes but their money; null is never',
  }),
  calls_per_hour: nullable(whole({ minimum: 0 }), { description: 'calls in an hour; none is no limit' }),
  calls_per_hour_to_phone: nullable(whole({ minimum: 1 }), {
    description: `calls to one phone in an hour; none is ${DEFAULT_LIMITS.callsPerHourToPhone}`,
  }),
  call_code_digits: nullable(whole(), { description: 'digits of the codes of calls; none is as the pool says' }),
  call_code_seconds: nullable(whole(), {
    description: `how long a code is valid and not given to the phone again; none is ${DEFAULT_LIMITS.callCodeSeconds}`,
  }),
  default_hook: nullable(Type.String({ maxLength: 2_048 }), {
    description: 'where reports go of messages that name no hook, and of the account itself; none is nowhere',
  }),
  default_sms_sender: nullable(Type.String({ maxLength: 15 }), {
    description: 'sender of SMS that name none; none makes sms_signature required',
  }),
} satisfies Readonly<Record<Snake<PlainSetting>, TSchema>>

type PlainSetting = Exclude<keyof AccountSettings, keyof AccountGuards | 'lowBalanceMicros'>

export const ACCOUNT_SETTINGS = {
  ...PLAIN_SETTINGS,
  low_balance: nullable(MONEY, { description: 'the default hook is told when less is available; none is never' }),
  ...ACCOUNT_GUARDS,
}

const Settings = Type.Object(ACCOUNT_SETTINGS)

export type SettingsView = Static<typeof Settings>

export function viewSettings(settings: AccountSettings): SettingsView {
  const plain = Object.entries(snakeKeys(settings)).filter(([key]) => Object.hasOwn(PLAIN_SETTINGS, key))
  const view = { ...(Object.fromEntries(plain) as SettingsView), ...viewAccountGuards(settings) }
  const { lowBalanceMicros } = settings
  return { ...view, low_balance: lowBalanceMicros === null ? null : toDecimal(lowBalanceMicros) }
}

/** The settings that are named. Throws a ChangeRefused. */
export function readSettings(
  fields: Partial<AccountGuardsView> & { readonly low_balance?: number | null },
): Partial<AccountSettings> {
  const { low_balance: low } = fields
  const plain = Object.entries(fields).filter(([name]) => Object.hasOwn(PLAIN_SETTINGS, name))
  return {
    ...(camelKeys(Object.fromEntries(plain)) as Partial<AccountSettings>),
    ...(low === undefined ? {} : { lowBalanceMicros: low === null ? null : readAmount('low_balance', low) }),
    ...readAccountGuards(fields),
  }
}
