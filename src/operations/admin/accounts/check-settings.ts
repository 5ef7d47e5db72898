/** Checks account settings that an operator requests. */
import { snakeCase } from '../../../contract/fields/key-case.ts'
import { isSenderName } from '../../../contract/fields/kinds.ts'
import { DEFAULT_LIMITS } from '../../../contract/request/limits.ts'
import type { AccountSettings } from '../../../domain/accounts/account.ts'
import { faultOfRetention } from '../../../domain/accounts/retention.ts'
import { hasNationalNumbers } from '../../../domain/numbers/phone.ts'
import { HOOK_RULE } from '../../../domain/reports/report-target.ts'
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from '../../../domain/routing/route.ts'
import { readWhole, ruleOf, type WholeNumber, wholeNumber } from '../../../domain/text/schema-rule.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { CALLS_KEPT_MS } from '../../../ports/stores/intake-store.ts'
import { isHook } from '../../request/check-hook.ts'
import { checkField } from '../fields/field-refused.ts'
import { readNetworks } from '../fields/networks.ts'
import { checkAccountGuards } from '../guards/check-guards.ts'

const { lifetimeMinSeconds, lifetimeMaxSeconds, asyncOperations, bodyBytes } = DEFAULT_LIMITS
/** Fits one operation with the longest texts. */
const MIN_REQUEST_BYTES = 64 * 1024

/** Bounds of whole numbers; null is allowed too. */
const BOUNDS = {
  stepLifetimeSeconds: wholeNumber(lifetimeMinSeconds, lifetimeMaxSeconds),
  operationsPerSecond: wholeNumber(1, 1_000_000),
  requestOperations: wholeNumber(1, asyncOperations),
  requestBytes: wholeNumber(MIN_REQUEST_BYTES, bodyBytes),
  callsPerHour: wholeNumber(0, 1_000_000),
  callsPerHourToPhone: wholeNumber(1, 60),
  verifyPerHour: wholeNumber(0, 1_000_000),
  verifyPerHourToPhone: wholeNumber(1, 100),
  verifyPerHourFromAddress: wholeNumber(1, 1_000_000),
  lookupsPerSecond: wholeNumber(1, 10_000),
  routingLookupsPerSecond: wholeNumber(1, 10_000),
  bulkPace: wholeNumber(1, 10_000),
  callCodeDigits: wholeNumber(CODE_DIGITS_MIN, CODE_DIGITS_MAX),
  callCodeSeconds: wholeNumber(1, CALLS_KEPT_MS / 1_000),
  reportsPerPost: wholeNumber(1, 1_000),
  reportWaitMs: wholeNumber(0, 5_000),
} satisfies Partial<Record<keyof AccountSettings, WholeNumber>>

/**
 * Returns the settings with the input applied and networks in canonical form. Checks only what the input names, because
 * sandboxes have shorter lifetimes. Throws ChangeRefused.
 */
export function checkSettings(before: AccountSettings, input: Partial<AccountSettings>): AccountSettings {
  for (const [name, range] of Object.entries(BOUNDS)) {
    const value = input[name as keyof typeof BOUNDS]
    const isGood = typeof value !== 'number' || readWhole(value, range) !== null
    checkField(snakeCase(name), isGood, `must be ${ruleOf(range)}`)
  }
  const { allowedNetworks, defaultHook = null, defaultSmsSender = null, nationalCountry = null } = input
  checkField('default_hook', defaultHook === null || isHook(defaultHook), HOOK_RULE)
  checkField(
    'default_sms_sender',
    defaultSmsSender === null || isSenderName('sms', defaultSmsSender),
    'must be 3 to 11 GSM characters, or 3 to 15 digits, or null',
  )
  checkField(
    'national_country',
    nationalCountry === null || hasNationalNumbers(nationalCountry),
    'must be a country such as DE whose national numbers begin with a trunk prefix, or null',
  )
  const networks = allowedNetworks ? { allowedNetworks: readNetworks('allowed_networks', allowedNetworks) } : {}
  const after = { ...before, ...input, ...networks }
  checkAccountGuards(after)
  const fault = faultOfRetention(after)
  if (fault !== null) throw new ChangeRefused(fault)
  return after
}
