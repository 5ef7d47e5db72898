/** Checks guards of an account or the installation. Each check throws ChangeRefused. */
import type { AccountGuards, VelocityLimit } from '../../../domain/account-guards.ts'
import { isCountry } from '../../../domain/country.ts'
import type { GuardSettings } from '../../../domain/guard-settings.ts'
import { isTimeZone } from '../../../domain/local-time.ts'
import type { ListedNumber } from '../../../domain/number-list.ts'
import { fold } from '../../../domain/opt-out.ts'
import { readPhone } from '../../../domain/phone.ts'
import { checkNote, FieldRefused, PHONE_RULE } from '../field-refused.ts'

const MAX_LIMITS = 20
const MAX_WINDOW_SECONDS = 7 * 24 * 3600
const MAX_STOP_MINUTES = 7 * 24 * 60
const MAX_WORDS = 100
const MAX_WORD_CHARACTERS = 60
const MAX_NOTE_CHARACTERS = 200

export function checkAccountGuards(guards: AccountGuards): void {
  checkCountries(guards.allowedCountries)
  checkCount('daily_messages', guards.dailyMessages)
  if (guards.dailySpendMicros !== null && guards.dailySpendMicros < 0) {
    throw new FieldRefused('daily_spend', 'must be at least 0, or null for no limit')
  }
  checkVelocity(guards.velocityLimits)
  if (!isTimeZone(guards.timeZone)) {
    throw new FieldRefused('time_zone', 'must be an IANA name such as Europe/Berlin or UTC')
  }
}

export function checkGuardSettings(settings: GuardSettings): void {
  checkCountries(settings.allowedCountries)
  checkCount('daily_messages', settings.dailyMessages)
  checkVelocity(settings.velocityLimits)
  const { pumping } = settings
  if (pumping !== null) {
    if (!isBetween(pumping.floor, 1, 1_000_000)) {
      throw new FieldRefused('pumping', 'floor must be a whole number from 1 to 1000000')
    }
    if (!(pumping.factor >= 1 && pumping.factor <= 1_000)) {
      throw new FieldRefused('pumping', 'factor must be from 1 to 1000')
    }
    if (!isBetween(pumping.stopMinutes, 0, MAX_STOP_MINUTES)) {
      throw new FieldRefused('pumping', `stop_minutes must be a whole number from 0 to ${MAX_STOP_MINUTES}`)
    }
  }
  for (const [language, { stop, start }] of Object.entries(settings.optOutLanguages)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(language)) {
      throw new FieldRefused('opt_out_languages', 'must name languages by codes such as de or pt-BR')
    }
    const words = [...stop, ...start]
    if (words.length > MAX_WORDS) {
      throw new FieldRefused('opt_out_languages', `must have at most ${MAX_WORDS} words per language`)
    }
    if (words.some((word) => fold(word) === '' || word.length > MAX_WORD_CHARACTERS)) {
      throw new FieldRefused(
        'opt_out_languages',
        `a word must have 1 to ${MAX_WORD_CHARACTERS} characters, among them a letter or digit`,
      )
    }
  }
}

export function checkListedNumber({ digits, whole, note }: ListedNumber): void {
  if (whole && readPhone(digits) !== digits) throw new FieldRefused('digits', PHONE_RULE)
  if (!/^[1-9]\d{0,14}$/.test(digits)) {
    throw new FieldRefused('digits', 'must be 1 to 15 digits, without the plus')
  }
  checkNote(note, MAX_NOTE_CHARACTERS)
}

function checkCountries(countries: readonly string[] | null): void {
  const wrong = countries?.find((country) => !isCountry(country))
  if (wrong !== undefined) {
    throw new FieldRefused(
      'allowed_countries',
      'must be ISO 3166 codes of two capital letters such as DE, or null for all',
    )
  }
}

function checkVelocity(limits: readonly VelocityLimit[]): void {
  if (limits.length > MAX_LIMITS) throw new FieldRefused('velocity_limits', `must be at most ${MAX_LIMITS}`)
  for (const { most, prefixDigits, windowSeconds } of limits) {
    checkCount('velocity_limits', most)
    if (!isBetween(windowSeconds, 1, MAX_WINDOW_SECONDS)) {
      throw new FieldRefused('velocity_limits', `must be for 1 to ${MAX_WINDOW_SECONDS} seconds`)
    }
    if (prefixDigits !== null && !isBetween(prefixDigits, 1, 15)) {
      throw new FieldRefused('velocity_limits', 'a prefix must have 1 to 15 digits')
    }
  }
  const kinds = limits.map(({ per, prefixDigits, windowSeconds }) => `${per} ${prefixDigits} ${windowSeconds}`)
  if (new Set(kinds).size < kinds.length) {
    throw new FieldRefused('velocity_limits', 'two have the same scope and time: remove one')
  }
}

function checkCount(field: string, count: number | null): void {
  if (count !== null && !isBetween(count, 0, Number.MAX_SAFE_INTEGER)) {
    throw new FieldRefused(field, 'must be a whole number from 0')
  }
}

function isBetween(number: number, least: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= least && number <= most
}
