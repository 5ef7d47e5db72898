/** Checks guards of an account or the installation. Each check throws ChangeRefused. */
import type { AccountGuards, VelocityLimit } from '../../../domain/accounts/account.ts'
import { fold } from '../../../domain/consent/opt-out.ts'
import type { GuardSettings } from '../../../domain/guards/guard-settings.ts'
import { isCountry } from '../../../domain/numbers/country.ts'
import type { ListedNumber } from '../../../domain/numbers/number-list.ts'
import { isUserId, readRecipient } from '../../../domain/numbers/phone.ts'
import { isTimeZone } from '../../../domain/time/local-time.ts'
import { checkField, checkNote, RECIPIENT_RULE, TIME_ZONE_RULE } from '../fields/field-refused.ts'

const MAX_LIMITS = 20
const MAX_WINDOW_SECONDS = 7 * 24 * 3600
const MAX_STOP_MINUTES = 7 * 24 * 60
const MAX_WORDS = 100
const MAX_WORD_CHARACTERS = 60
const MAX_NOTE_CHARACTERS = 200
const MAX_FLOOR = 1_000_000
const MAX_FACTOR = 1_000
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/

export function checkAccountGuards(guards: AccountGuards): void {
  checkCommonGuards(guards)
  checkField('daily_spend', (guards.dailySpendMicros ?? 0) >= 0, 'must be at least 0, or null for no limit')
  checkField('time_zone', isTimeZone(guards.timeZone), TIME_ZONE_RULE)
}

export function checkGuardSettings(settings: GuardSettings): void {
  checkCommonGuards(settings)
  if (settings.pumping !== null) {
    const { floor, factor, stopMinutes } = settings.pumping
    checkField('pumping', isBetween(floor, 1, MAX_FLOOR), `floor must be a whole number from 1 to ${MAX_FLOOR}`)
    checkField('pumping', factor >= 1 && factor <= MAX_FACTOR, `factor must be from 1 to ${MAX_FACTOR}`)
    const rule = `stop_minutes must be a whole number from 0 to ${MAX_STOP_MINUTES}`
    checkField('pumping', isBetween(stopMinutes, 0, MAX_STOP_MINUTES), rule)
  }
  for (const [language, { stop, start }] of Object.entries(settings.optOutLanguages)) {
    const words = [...stop, ...start]
    const areWords = words.every((word) => fold(word) !== '' && word.length <= MAX_WORD_CHARACTERS)
    const wordRule = `a word must have 1 to ${MAX_WORD_CHARACTERS} characters, among them a letter or digit`
    checkField('opt_out_languages', LANGUAGE.test(language), 'must name languages by codes such as de or pt-BR')
    checkField('opt_out_languages', words.length <= MAX_WORDS, `must have at most ${MAX_WORDS} words per language`)
    checkField('opt_out_languages', areWords, wordRule)
  }
}

export function checkListedNumber({ digits, whole, note }: ListedNumber): void {
  checkField('digits', !whole || readRecipient(digits) === digits, RECIPIENT_RULE)
  checkField(
    'digits',
    (whole && isUserId(digits)) || /^[1-9]\d{0,14}$/.test(digits),
    'must be 1 to 15 digits that begin with a country code, without the plus',
  )
  checkNote(note, MAX_NOTE_CHARACTERS)
}

/** Checks the guards that accounts and the installation share. */
function checkCommonGuards(guards: Pick<GuardSettings, 'allowedCountries' | 'dailyMessages' | 'velocityLimits'>): void {
  const { allowedCountries, dailyMessages, velocityLimits } = guards
  const countryRule = 'must be ISO 3166 codes of two letters such as DE, or null for all'
  checkField('allowed_countries', (allowedCountries ?? []).every(isCountry), countryRule)
  checkField('daily_messages', isCount(dailyMessages ?? 0), 'must be a whole number from 0')
  checkVelocity(velocityLimits)
}

function checkVelocity(limits: readonly VelocityLimit[]): void {
  const check = (isGood: boolean, rule: string) => checkField('velocity_limits', isGood, rule)
  check(limits.length <= MAX_LIMITS, `must be at most ${MAX_LIMITS}`)
  for (const { most, prefixDigits, windowSeconds } of limits) {
    check(isCount(most), 'must be a whole number from 0')
    check(isBetween(windowSeconds, 1, MAX_WINDOW_SECONDS), `must be for 1 to ${MAX_WINDOW_SECONDS} seconds`)
    check(prefixDigits === null || isBetween(prefixDigits, 1, 15), 'a prefix must have 1 to 15 digits')
  }
  const kinds = limits.map(({ per, prefixDigits, windowSeconds }) => `${per} ${prefixDigits} ${windowSeconds}`)
  check(new Set(kinds).size === kinds.length, 'two have the same scope and time: remove one')
}

function isCount(number: number): boolean {
  return isBetween(number, 0, Number.MAX_SAFE_INTEGER)
}

function isBetween(number: number, min: number, max: number): boolean {
  return Number.isSafeInteger(number) && number >= min && number <= max
}
