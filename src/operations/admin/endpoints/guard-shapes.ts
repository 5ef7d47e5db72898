/** The guards' settings as the world names them. */
import Type, { type Static, type TObject } from 'typebox'
import type { AccountGuards } from '../../../domain/account-guards.ts'
import type { GuardSettings } from '../../../domain/guard-settings.ts'
import { type Micros, parseDecimal, toDecimal } from '../../../domain/money.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import {
  QUIET_HOURS_RULE,
  readQuietHours,
  readVelocityLimit,
  VELOCITY_LIMIT_RULE,
  writeQuietHours,
  writeVelocityLimit,
} from '../guard-texts.ts'
import { nullable, whole } from './shapes.ts'

const COMMON = {
  allowed_countries: nullable(Type.Array(Type.String(), { maxItems: 300 }), {
    description: 'countries that may be written to and called, ISO 3166; none is all',
    rule: 'must be a list of countries such as DE, or null for all',
    examples: ['DE,AT'],
  }),
  daily_messages: nullable(whole({ minimum: 0 }), { description: 'messages and calls a day; none is no limit' }),
  velocity_limits: Type.Array(Type.String(), {
    maxItems: 20,
    description: 'such as "5 per phone in 3600 seconds"',
    rule: VELOCITY_LIMIT_RULE,
  }),
}

export const ACCOUNT_GUARDS = {
  ...COMMON,
  daily_spend: nullable(Type.Number({ minimum: 0 }), { description: 'money held a day; none is no limit' }),
  quiet_hours: Type.String({
    description: 'such as 21:00-08:00, in the time zone of the number; installation for those of all, off for none',
    rule: `${QUIET_HOURS_RULE}, or installation, or off`,
  }),
  time_zone: Type.String({ description: 'when its days begin, such as Europe/Berlin' }),
}

const Words = Type.Object({
  stop: Type.Array(Type.String(), { maxItems: 100 }),
  start: Type.Array(Type.String(), { maxItems: 100 }),
})

export const GUARD_SETTINGS = {
  ...COMMON,
  quiet_hours: nullable(Type.String(), {
    description: 'such as 21:00-08:00, for accounts without their own; none is none',
    rule: `${QUIET_HOURS_RULE}, or null`,
  }),
  pumping: nullable(
    Type.Object({
      floor: whole({ minimum: 1 }),
      factor: Type.Number({ minimum: 1 }),
      stop_minutes: whole({ minimum: 0 }),
    }),
    {
      description: 'such as {"floor":100,"factor":5,"stop_minutes":60}; none does not watch traffic',
      rule: 'must have a floor, a factor and stop_minutes, or be null',
    },
  ),
  opt_out_scope: Type.Enum(['sender', 'account'], { description: 'what a word of a person is about' }),
  opt_out_languages: Type.Record(Type.String(), Words, {
    description: 'words in place of the built-in ones of a language: {"de":{"stop":["Halt"],"start":[]}}',
    rule: 'must have, by the code of a language, its lists stop and start',
  }),
}

export type AccountGuardsView = Static<TObject<typeof ACCOUNT_GUARDS>>
export type GuardSettingsView = Static<TObject<typeof GUARD_SETTINGS>>

export function viewAccountGuards(guards: AccountGuards): AccountGuardsView {
  const { dailySpendMicros, quietHours, timeZone } = guards
  return {
    ...viewCommon(guards),
    daily_spend: dailySpendMicros === null ? null : toDecimal(dailySpendMicros),
    quiet_hours: typeof quietHours === 'string' ? quietHours : writeQuietHours(quietHours),
    time_zone: timeZone,
  }
}

export function viewGuardSettings(settings: GuardSettings): GuardSettingsView {
  const { quietHours, pumping, optOutScope, optOutLanguages } = settings
  return {
    ...viewCommon(settings),
    quiet_hours: quietHours === null ? null : writeQuietHours(quietHours),
    pumping:
      pumping === null ? null : { floor: pumping.floor, factor: pumping.factor, stop_minutes: pumping.stopMinutes },
    opt_out_scope: optOutScope,
    opt_out_languages: Object.fromEntries(
      Object.entries(optOutLanguages).map(([language, { stop, start }]) => [
        language,
        { stop: [...stop], start: [...start] },
      ]),
    ),
  }
}

/** What is named of them. Throws a ChangeRefused. */
export function readAccountGuards(fields: Partial<AccountGuardsView>): Partial<AccountGuards> {
  const { daily_spend: dailySpend, quiet_hours: quietHours, time_zone: timeZone } = fields
  return {
    ...readCommon(fields),
    ...(dailySpend === undefined ? {} : { dailySpendMicros: dailySpend === null ? null : readMoney(dailySpend) }),
    ...(quietHours === undefined
      ? {}
      : {
          quietHours: quietHours === 'off' || quietHours === 'installation' ? quietHours : readQuietHours(quietHours),
        }),
    ...(timeZone === undefined ? {} : { timeZone }),
  }
}

/** What is named of them. Throws a ChangeRefused. */
export function readGuardSettings(fields: Partial<GuardSettingsView>): Partial<GuardSettings> {
  const { quiet_hours: quietHours, pumping, opt_out_scope: scope, opt_out_languages: languages } = fields
  return {
    ...readCommon(fields),
    ...(quietHours === undefined ? {} : { quietHours: quietHours === null ? null : readQuietHours(quietHours) }),
    ...(pumping === undefined
      ? {}
      : {
          pumping:
            pumping === null
              ? null
              : { floor: pumping.floor, factor: pumping.factor, stopMinutes: pumping.stop_minutes },
        }),
    ...(scope === undefined ? {} : { optOutScope: scope }),
    ...(languages === undefined ? {} : { optOutLanguages: languages }),
  }
}

type CommonView = Static<TObject<typeof COMMON>>
type Common = Pick<AccountGuards & GuardSettings, 'allowedCountries' | 'dailyMessages' | 'velocityLimits'>

function viewCommon({ allowedCountries, dailyMessages, velocityLimits }: Common): CommonView {
  return {
    allowed_countries: allowedCountries === null ? null : [...allowedCountries],
    daily_messages: dailyMessages,
    velocity_limits: velocityLimits.map(writeVelocityLimit),
  }
}

function readCommon(fields: Partial<CommonView>): Partial<Common> {
  const { allowed_countries: countries, daily_messages: dailyMessages, velocity_limits: limits } = fields
  return {
    ...(countries === undefined ? {} : { allowedCountries: countries }),
    ...(dailyMessages === undefined ? {} : { dailyMessages }),
    ...(limits === undefined ? {} : { velocityLimits: limits.map(readVelocityLimit) }),
  }
}

function readMoney(amount: number): Micros {
  const micros = parseDecimal(String(amount))
  if (micros === null) throw new ChangeRefused('daily_spend must be a decimal number, six places at most')
  return micros
}
