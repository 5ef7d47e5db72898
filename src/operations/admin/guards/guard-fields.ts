/** Public names of the guards that accounts and the installation share. */
import Type from 'typebox'
import type { AccountGuards } from '../../../domain/accounts/account.ts'
import { AMOUNT, COUNTRIES, type Codec, defineFields, field } from '../fields/fields.ts'
import { nullable, whole } from '../fields/shapes.ts'
import {
  QUIET_HOURS_RULE,
  readQuietHours,
  readVelocityLimit,
  VELOCITY_LIMIT_RULE,
  writeQuietHours,
  writeVelocityLimit,
} from './guard-texts.ts'

export const QUIET_HOURS_OR_NULL = `${QUIET_HOURS_RULE}, or null`
export const QUIET_HOURS: Codec = {
  view: writeQuietHours,
  read: (text: string) => readQuietHours(text, QUIET_HOURS_OR_NULL),
}

const ACCOUNT_QUIET_HOURS_RULE = `${QUIET_HOURS_RULE}, or installation, or off`

export const COMMON_GUARDS = defineFields<Pick<AccountGuards, 'allowedCountries' | 'dailyMessages' | 'velocityLimits'>>(
  {
    allowedCountries: field(
      'allowed_countries',
      nullable(Type.Array(Type.String(), { maxItems: 300 }), {
        description: 'allowed countries of recipients, ISO 3166; none for all',
        rule: 'must be a list of countries such as DE, or null for all',
        examples: ['DE,AT'],
      }),
      COUNTRIES,
    ),
    dailyMessages: nullable(whole({ minimum: 0 }), { description: 'messages and calls per day; none for no limit' }),
    velocityLimits: field(
      'velocity_limits',
      Type.Array(Type.String(), {
        maxItems: 20,
        description: 'such as "5 per phone in 3600 seconds"',
        rule: VELOCITY_LIMIT_RULE,
      }),
      {
        view: (limits: AccountGuards['velocityLimits']) => limits.map(writeVelocityLimit),
        read: (limits: readonly string[]) => limits.map(readVelocityLimit),
      },
    ),
  },
)

export const ACCOUNT_GUARDS = defineFields<AccountGuards>({
  ...COMMON_GUARDS,
  dailySpendMicros: field(
    'daily_spend',
    nullable(Type.Number({ minimum: 0 }), { description: 'money held per day; none for no limit' }),
    AMOUNT,
  ),
  quietHours: field(
    'quiet_hours',
    Type.String({
      description:
        "such as 21:00-08:00, in the time zone of the recipient; installation for the installation's, off for none",
      rule: ACCOUNT_QUIET_HOURS_RULE,
    }),
    {
      view: (hours: AccountGuards['quietHours']) => (typeof hours === 'string' ? hours : writeQuietHours(hours)),
      read: (text: string) =>
        text === 'off' || text === 'installation' ? text : readQuietHours(text, ACCOUNT_QUIET_HOURS_RULE),
    },
  ),
  timeZone: Type.String({
    description:
      'time zone of its days, and of times without an offset in requests, such as Europe/Berlin; with UTC those are refused, with Etc/UTC they are UTC',
  }),
})
