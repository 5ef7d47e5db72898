/** Guards as one short text each, in JSON, files and options. */
import type { VelocityLimit } from '../../../domain/accounts/account.ts'
import type { QuietHours } from '../../../domain/time/quiet-hours.ts'
import { FieldRefused } from '../fields/field-refused.ts'

export const QUIET_HOURS_RULE = 'must be hours such as 21:00-08:00 or 21:00-08:00 refuse'
export const VELOCITY_LIMIT_RULE =
  'must be limits such as 5 per phone in 3600 seconds, 900 per country in 60 seconds or 100 per prefix of 7 in 60 seconds'

/** `21:00-08:00` delays messages; `21:00-08:00 refuse` refuses them. Throws FieldRefused with the rule. */
export function readQuietHours(text: string, rule: string): QuietHours {
  const match = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)(?: (wait|refuse))?$/.exec(text)
  if (match === null) throw new FieldRefused('quiet_hours', rule)
  const [, fromHour, fromMinute, toHour, toMinute, action] = match
  const [begin, end] = [Number(fromHour) * 60 + Number(fromMinute), Number(toHour) * 60 + Number(toMinute)]
  if (begin === end) {
    throw new FieldRefused(
      'quiet_hours',
      'must begin and end at different times; no quiet hours are off (account) or none (installation)',
    )
  }
  return {
    fromMinute: begin,
    toMinute: end,
    action: action === 'refuse' ? 'refuse' : 'wait',
  }
}

export function writeQuietHours({ fromMinute, toMinute, action }: QuietHours): string {
  const hours = `${writeMinute(fromMinute)}-${writeMinute(toMinute)}`
  return action === 'wait' ? hours : `${hours} ${action}`
}

/** Throws FieldRefused. */
export function readVelocityLimit(text: string): VelocityLimit {
  const match = /^(\d{1,12}) per (phone|country|prefix)(?: of (\d{1,2}))? in (\d{1,9}) seconds?$/.exec(text)
  const [, most, per, digits, seconds] = match ?? []
  if (match === null || (per === 'prefix') !== (digits !== undefined)) {
    throw new FieldRefused('velocity_limits', VELOCITY_LIMIT_RULE)
  }
  return {
    per: per as VelocityLimit['per'],
    prefixDigits: digits === undefined ? null : Number(digits),
    most: Number(most),
    windowSeconds: Number(seconds),
  }
}

export function writeVelocityLimit({ per, prefixDigits, most, windowSeconds }: VelocityLimit): string {
  return `${most} per ${per}${prefixDigits === null ? '' : ` of ${prefixDigits}`} in ${windowSeconds} seconds`
}

function writeMinute(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
