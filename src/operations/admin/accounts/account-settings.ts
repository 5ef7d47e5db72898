/** Public names of account settings: in the admin API, its commands and configuration files. */
import Type from 'typebox'
import { DEFAULT_LIMITS } from '../../../contract/request/limits.ts'
import type { Account, AccountSettings } from '../../../domain/accounts/account.ts'
import { INBOUND_REPORT_FORMS } from '../../../domain/inbound/inbound-report-form.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { resource } from '../endpoint/resource.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT_ID, AMOUNT, COUNTRY, defineFields, field, HOOK_CODEC } from '../fields/fields.ts'
import { ACCOUNT, MONEY, NAME, nullable, whole } from '../fields/shapes.ts'
import { ACCOUNT_GUARDS } from '../guards/guard-fields.ts'
import { checkReferences } from './check-references.ts'
import { checkSettings } from './check-settings.ts'

export const ACCOUNT_SETTINGS = defineFields<AccountSettings>({
  uniqueIds: Type.Boolean({ description: 'send nothing when a client id is used again' }),
  reportSteps: Type.Boolean({ description: 'report each step, not only the final status' }),
  stepLifetimeSeconds: whole({ description: 'lifetime of the chat-app and SMS steps of a chain, seconds' }),
  operationsPerSecond: nullable(whole({ minimum: 1 }), { description: 'operations per second; null for no limit' }),
  transliterateSms: Type.Boolean({
    description: 'replace letters that GSM lacks by plain ones when that shortens an SMS',
  }),
  lookUpNumbers: Type.Boolean({
    description: 'route and price its messages by the operators that lookup services find, also for ported numbers',
  }),
  allowedNetworks: nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }), {
    description: 'networks in CIDR form from which requests are allowed; null for all',
  }),
  requestOperations: nullable(whole({ minimum: 1 }), {
    description:
      'operations in one request, if fewer than the installation allows; null for the limit of the installation',
  }),
  requestBytes: nullable(whole({ minimum: 1 }), {
    description: 'bytes of one request, if fewer than the installation allows; null for the limit of the installation',
  }),
  textsKeptDays: nullable(whole({ minimum: 0 }), {
    description: 'days after which texts of ended messages are deleted; null for never',
  }),
  recordsKeptDays: nullable(whole({ minimum: 0 }), {
    description: 'days after which ended messages are deleted, except their postings; null for never',
  }),
  callsPerHour: nullable(whole({ minimum: 0 }), { description: 'calls per hour; none for no limit' }),
  callsPerHourToPhone: nullable(whole({ minimum: 1 }), {
    description: `calls to one phone per hour; none for ${DEFAULT_LIMITS.callsPerHourToPhone}`,
  }),
  verifyPerHour: nullable(whole({ minimum: 0 }), { description: 'verifications per hour; none for no limit' }),
  verifyPerHourToPhone: nullable(whole({ minimum: 1 }), {
    description: `verifications of one phone per hour; none for ${DEFAULT_LIMITS.verifyPerHourToPhone}`,
  }),
  verifyPerHourFromAddress: nullable(whole({ minimum: 1 }), {
    description: `verifications for one end user's address per hour; none for ${DEFAULT_LIMITS.verifyPerHourFromAddress}`,
  }),
  lookupsPerSecond: nullable(whole({ minimum: 1 }), {
    description: `lookups per second; none for ${DEFAULT_LIMITS.lookupsPerSecond}`,
  }),
  routingLookupsPerSecond: nullable(whole({ minimum: 1 }), {
    description: `numbers looked up per second to route and price; none for ${DEFAULT_LIMITS.routingLookupsPerSecond}`,
  }),
  bulkPace: nullable(whole({ minimum: 1 }), {
    description: `messages per second of all bulks together; none for ${DEFAULT_LIMITS.bulkPace}`,
  }),
  callCodeDigits: nullable(whole(), { description: 'digits of call codes; none for the setting of the pool' }),
  callCodeSeconds: nullable(whole(), {
    description: `seconds for which a code is valid and not given to the phone again; none for ${DEFAULT_LIMITS.callCodeSeconds}`,
  }),
  defaultHook: field(
    'default_hook',
    nullable(Type.String({ maxLength: 2_048 }), {
      description:
        'hook of messages without one, and of reports about the account; feed: keeps them for event/list; none for no reports',
    }),
    HOOK_CODEC,
  ),
  defaultSmsSender: nullable(Type.String({ maxLength: 15 }), {
    description: 'sender of SMS without one; none makes sms_signature required',
  }),
  nationalCountry: field(
    'national_country',
    nullable(Type.String({ maxLength: 2 }), {
      description:
        'country, such as DE, of phones in requests that begin with its trunk prefix, as in 0170 1234500; none to refuse them',
    }),
    COUNTRY,
  ),
  lowBalanceMicros: field(
    'low_balance',
    nullable(MONEY, { description: 'the default hook gets a report when less is available; none for never' }),
    AMOUNT,
  ),
  reportsPerPost: whole({
    minimum: 1,
    description: 'reports in one POST to a hook; 1 posts each alone, as an object, more as an array',
  }),
  reportWaitMs: whole({
    minimum: 0,
    description: 'how long a report waits for others to share its POST, milliseconds',
  }),
  inboundReportForm: Type.Enum([...INBOUND_REPORT_FORMS], {
    description: 'form of the reports of inbound messages to the default hook and the hooks of inbound numbers',
  }),
  ...ACCOUNT_GUARDS,
})

/** Identified by number and name, so that a file of another installation changes no account here. */
export type NamedSettings = Pick<Account, 'id' | 'name'> & AccountSettings

/** A file changes only the settings that it names; it neither creates nor closes accounts. */
export const NAMED_SETTINGS = resource<NamedSettings>({
  section: 'accounts',
  key: ['id'],
  explicit: ['id', 'name'],
  isPartial: true,
  fields: { id: field('account', ACCOUNT, ACCOUNT_ID), name: NAME, ...ACCOUNT_SETTINGS },
  items: ({ accounts }) =>
    accounts.filter(({ state }) => state !== 'closed').map(({ id, name, settings }) => ({ id, name, ...settings })),
  check: ({ id, name, ...named }, { rows, hookGuard }) => {
    const stored = accountRow(rows, id)
    if (stored.name !== name) {
      throw new ChangeRefused(`account ${id} is ${stored.name} here and ${name} in the configuration`)
    }
    if (stored.state === 'closed') throw new ChangeRefused(`account ${id} is closed`)
    const settings = checkSettings(stored.settings, named)
    checkReferences({ rows, hookGuard }, stored, named)
    return { id, name, ...settings }
  },
  describe: ({ id, name }) => `account ${id} (${name})`,
  set: ({ id, name: _, ...settings }) => ({ kind: 'set account', accountId: id, settings }),
  remove: null,
})
