/** What each limit of clients means, for the API reference, and the setting that changes it. */
import { DEFAULT_LIMITS, type Limits } from '../../src/contract/request/limits.ts'

type LimitText = readonly [meaning: string, unit: string, setting?: string]

const LIMIT_TEXTS: Readonly<Record<keyof Limits, LimitText>> = {
  syncOperations: [
    'operations in one request to `/api/json.php`',
    '',
    'the account: `--request-operations` (lower it only)',
  ],
  asyncOperations: ['operations in one request to `/v1/json`', '', 'the account: `--request-operations`'],
  bodyBytes: ['request body', 'bytes', 'the account: `--request-bytes` (lower it only)'],
  allBodiesBytes: ['all requests at one time, over all clients', 'bytes'],
  jsonDepth: ['nesting of objects and arrays', 'levels'],
  idempotencyKeyCharacters: ['`Idempotency-Key`', 'characters'],
  listsInRequest: ['operations in one request that return a list', ''],
  templateChangesInRequest: ['operations in one request that create or delete an SMS template', ''],
  templatesListed: ['SMS templates in one `template/list`', ''],
  templatesKept: ['SMS templates of one account', '', '`POSTHORN_TEMPLATES_KEPT`'],
  templateBytesKept: ['texts of the SMS templates of one account', 'bytes', '`POSTHORN_TEMPLATE_BYTES_KEPT`'],
  idempotencySeconds: ['time for which an answer is kept under its `Idempotency-Key`', 'seconds'],
  idempotencyBytes: ['answers of one account that are kept under its keys', 'bytes', '`POSTHORN_IDEMPOTENCY_BYTES`'],
  lifetimeMinSeconds: ['shortest lifetime', 'seconds', '`POSTHORN_LIFETIME_MIN_SECONDS`'],
  lifetimeMaxSeconds: ['longest lifetime', 'seconds'],
  lifetimeDefaultSeconds: [
    'lifetime when none is sent',
    'seconds',
    'later steps of chains: `--step-lifetime-seconds` of the account',
  ],
  smsParts: ['parts of one SMS', ''],
  shortLinkSeconds: ['lifetime of a short link', 'seconds'],
  sendAheadSeconds: ['how far ahead `send_at` may be', 'seconds'],
  testOperationsPerSecond: ['operations per second with the test keys of an account', ''],
  callAnswerSeconds: ['time within which a call on `/api/json.php` must ring', 'seconds'],
  callLifetimeSeconds: ['time within which a call on `/v1/json` must ring', 'seconds'],
  callCodeSeconds: ['time before a phone gets the same code again', 'seconds', 'the account: `--call-code-seconds`'],
  callsPerHourToPhone: ['calls by one account to one phone in an hour', '', 'the account: `--calls-per-hour-to-phone`'],
  verifyPerHourToPhone: [
    'verifications of one phone by one account in an hour',
    '',
    'the account: `--verify-per-hour-to-phone`',
  ],
  verifyPerHourFromAddress: [
    'verifications for one `ip` by one account in an hour',
    '',
    'the account: `--verify-per-hour-from-address`',
  ],
  lookupsPerSecond: ['lookups of one account per second', '', 'the account: `--lookups-per-second`'],
  linksInRequest: ['short links and unsubscribe links of one request', ''],
  lookupsInRequest: ['lookups in one request', ''],
  lookupAnswerSeconds: ['time within which a lookup must be answered', 'seconds'],
  numbersResolved: ['numbers of one request that are looked up before routing, if the account looks numbers up', ''],
  resolveMs: ['time for looking them up; others have their operator by prefix', 'milliseconds'],
  routingLookupsPerSecond: [
    'numbers of one account that are looked up before routing, per second; others have their operator by prefix',
    '',
    'the account: `--routing-lookups-per-second`',
  ],
  bulkPace: ['messages per second of all bulks of one account together', '', 'the account: `--bulk-pace`'],
}

/** Rows of meaning, default and setting, in the order of the limits. */
export const LIMIT_ROWS: readonly (readonly [meaning: string, standard: string, setting: string])[] = (
  Object.keys(LIMIT_TEXTS) as (keyof Limits)[]
).map((name) => {
  const [meaning, unit, setting = ''] = LIMIT_TEXTS[name]
  return [meaning, `${DEFAULT_LIMITS[name].toLocaleString('en')} ${unit}`.trim(), setting]
})
