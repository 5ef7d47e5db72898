/** All settings of an account, in groups, and how each is written in a form. */
import type { AnswerOf, BodyOf } from '../../api/api.ts'
import { readDecimal, readWhole } from '../../parts/form/decimal.ts'
import { splitList } from '../../parts/form/split-list.ts'

export type Account = AnswerOf<'GET', '/accounts/{account}'>
export type AccountChange = BodyOf<'PATCH', '/accounts/{account}'>
/** Without the state, which has buttons of its own. */
export type SettingName = Exclude<keyof AccountChange, 'state'>
/** `list` is separated by commas, `limits` has one entry per line; `flag` is a box. */
type Kind = 'flag' | 'whole' | 'amount' | 'text' | 'list' | 'limits' | 'hours'

/** Every setting that the API takes has a kind: the compiler asks for new ones. */
const KINDS: Readonly<Record<SettingName, Kind>> = {
  name: 'text',
  default_sms_sender: 'text',
  national_country: 'text',
  transliterate_sms: 'flag',
  look_up_numbers: 'flag',
  unique_ids: 'flag',
  step_lifetime_seconds: 'whole',
  default_hook: 'text',
  report_steps: 'flag',
  reports_per_post: 'whole',
  report_wait_ms: 'whole',
  inbound_report_form: 'text',
  low_balance: 'amount',
  allowed_networks: 'list',
  operations_per_second: 'whole',
  request_operations: 'whole',
  request_bytes: 'whole',
  lookups_per_second: 'whole',
  routing_lookups_per_second: 'whole',
  bulk_pace: 'whole',
  calls_per_hour: 'whole',
  calls_per_hour_to_phone: 'whole',
  verify_per_hour: 'whole',
  verify_per_hour_to_phone: 'whole',
  verify_per_hour_from_address: 'whole',
  call_code_digits: 'whole',
  call_code_seconds: 'whole',
  texts_kept_days: 'whole',
  records_kept_days: 'whole',
  daily_messages: 'whole',
  daily_spend: 'amount',
  velocity_limits: 'limits',
  allowed_countries: 'list',
  quiet_hours: 'hours',
  time_zone: 'text',
}

export type GroupName = 'general' | 'sending' | 'reports' | 'limits' | 'calls' | 'retention' | 'guards'

export const GROUPS: Readonly<Record<GroupName, readonly SettingName[]>> = {
  general: ['name', 'default_sms_sender', 'low_balance'],
  sending: ['step_lifetime_seconds', 'transliterate_sms', 'look_up_numbers', 'unique_ids', 'national_country'],
  reports: ['default_hook', 'reports_per_post', 'report_wait_ms', 'report_steps', 'inbound_report_form'],
  limits: [
    ...(['allowed_networks', 'operations_per_second', 'request_operations', 'request_bytes'] as const),
    ...(['lookups_per_second', 'routing_lookups_per_second', 'bulk_pace'] as const),
  ],
  calls: [
    ...(['calls_per_hour', 'calls_per_hour_to_phone', 'verify_per_hour', 'verify_per_hour_to_phone'] as const),
    ...(['verify_per_hour_from_address', 'call_code_digits', 'call_code_seconds'] as const),
  ],
  retention: ['texts_kept_days', 'records_kept_days'],
  guards: ['velocity_limits', 'daily_messages', 'daily_spend', 'allowed_countries', 'quiet_hours', 'time_zone'],
}

export const SETTINGS_GROUPS: readonly GroupName[] = ['general', 'sending', 'reports', 'limits', 'calls', 'retention']

/** Settings that must have a value: an empty text is refused by the API, not read as none. */
const NEVER_NULL: ReadonlySet<SettingName> = new Set([
  ...(['name', 'step_lifetime_seconds', 'reports_per_post', 'report_wait_ms', 'quiet_hours', 'time_zone'] as const),
  'inbound_report_form',
])

export function kindOf(name: SettingName): Kind {
  return KINDS[name]
}

export function isRequired(name: SettingName): boolean {
  return NEVER_NULL.has(name)
}

/** A setting as it stands in the form. */
type Input = string | boolean
export type Inputs = Record<SettingName, Input>

export function inputsOf(account: Account, names: readonly SettingName[]): Inputs {
  return Object.fromEntries(names.map((name) => [name, writeInput(name, account[name])])) as Inputs
}

function writeInput(name: SettingName, value: Account[SettingName]): Input {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.join(KINDS[name] === 'limits' ? '\n' : ', ')
  return value === null ? '' : String(value)
}

export interface WrongTexts {
  readonly wholeNumber: string
  readonly amount: string
}

/** Returns what differs from the account, as the API takes it. Throws ApiError for what is not a number. */
export function readChange(before: Account, inputs: Inputs, wrong: WrongTexts): AccountChange {
  const changed = (Object.keys(inputs) as SettingName[]).filter((name) => {
    const input = inputs[name]
    const now = typeof input === 'string' ? input.trim() : input
    return now !== writeInput(name, before[name])
  })
  return Object.fromEntries(changed.map((name) => [name, readInput(name, inputs[name], wrong)]))
}

function readInput(name: SettingName, input: Input, wrong: WrongTexts): unknown {
  if (typeof input === 'boolean') return input
  const text = input.trim()
  const kind = KINDS[name]
  if (kind === 'limits') return splitList(text, '\n')
  if (text === '' && !isRequired(name)) return null
  if (kind === 'list') return splitList(text, ',')
  if (kind === 'whole') return readWhole(name, text, wrong.wholeNumber)
  if (kind === 'amount') return readDecimal(name, text, wrong.amount)
  return text
}
