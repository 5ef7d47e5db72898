/** Checks guards of an account or the installation. Each check throws ChangeRefused. */
import type { AccountGuards, VelocityLimit } from '../../../domain/account-guards.ts'
import { isCountry } from '../../../domain/country.ts'
import type { GuardSettings } from '../../../domain/guard-settings.ts'
import { isTimeZone } from '../../../domain/local-time.ts'
import type { ListedNumber } from '../../../domain/number-list.ts'
import { fold } from '../../../domain/opt-out.ts'
import { readPhone } from '../../../domain/phone.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'

const MAX_LIMITS = 20
const MAX_WINDOW_SECONDS = 7 * 24 * 3600
const MAX_STOP_MINUTES = 7 * 24 * 60
const MAX_WORDS = 100
const MAX_WORD_CHARACTERS = 60
const MAX_NOTE_CHARACTERS = 200

export function checkAccountGuards(guards: AccountGuards): void {
  checkCountries(guards.allowedCountries)
  checkCount('daily messages', guards.dailyMessages)
  if (guards.dailySpendMicros !== null && guards.dailySpendMicros < 0) {
    throw new ChangeRefused('a daily spending limit must be at least 0, or none')
  }
  checkVelocity(guards.velocityLimits)
  if (!isTimeZone(guards.timeZone)) {
    throw new ChangeRefused('a time zone must be an IANA name such as Europe/Berlin or UTC')
  }
}

export function checkGuardSettings(settings: GuardSettings): void {
  checkCountries(settings.allowedCountries)
  checkCount('daily messages', settings.dailyMessages)
  checkVelocity(settings.velocityLimits)
  const { pumping } = settings
  if (pumping !== null) {
    if (!isBetween(pumping.floor, 1, 1_000_000)) throw new ChangeRefused('a floor must be a whole number from 1')
    if (!(pumping.factor >= 1 && pumping.factor <= 1_000)) throw new ChangeRefused('a factor must be from 1 to 1000')
    if (!isBetween(pumping.stopMinutes, 0, MAX_STOP_MINUTES)) {
      throw new ChangeRefused(`a stop must be a whole number of minutes from 0 to ${MAX_STOP_MINUTES}`)
    }
  }
  for (const [language, { stop, start }] of Object.entries(settings.optOutLanguages)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(language)) {
      throw new ChangeRefused('a language must be its code, such as de or pt-BR')
    }
    const words = [...stop, ...start]
    if (words.length > MAX_WORDS) throw new ChangeRefused(`a language has at most ${MAX_WORDS} words`)
    if (words.some((word) => fold(word) === '' || word.length > MAX_WORD_CHARACTERS)) {
      throw new ChangeRefused(`a word must have 1 to ${MAX_WORD_CHARACTERS} characters, letters or digits among them`)
    }
  }
}

export function checkListedNumber({ digits, whole, note }: ListedNumber): void {
  if (whole && readPhone(digits) !== digits)
    throw new ChangeRefused('phone: must be a possible phone number with its country code, such as 37120000000')
  if (!/^[1-9]\d{0,14}$/.test(digits)) throw new ChangeRefused('a prefix must be 1 to 15 digits, without the plus')
  if (note.length > MAX_NOTE_CHARACTERS || !note.isWellFormed() || /\p{Cc}/u.test(note)) {
    throw new ChangeRefused(`a note has at most ${MAX_NOTE_CHARACTERS} characters and no control characters`)
  }
}

function checkCountries(countries: readonly string[] | null): void {
  const wrong = countries?.find((country) => !isCountry(country))
  if (wrong !== undefined) throw new ChangeRefused('a country must be two capital letters of ISO 3166, such as DE')
}

function checkVelocity(limits: readonly VelocityLimit[]): void {
  if (limits.length > MAX_LIMITS) throw new ChangeRefused(`there can be at most ${MAX_LIMITS} velocity limits`)
  for (const { most, prefixDigits, windowSeconds } of limits) {
    checkCount('a velocity limit', most)
    if (!isBetween(windowSeconds, 1, MAX_WINDOW_SECONDS)) {
      throw new ChangeRefused(`a velocity limit is for 1 to ${MAX_WINDOW_SECONDS} seconds`)
    }
    if (prefixDigits !== null && !isBetween(prefixDigits, 1, 15)) {
      throw new ChangeRefused('a prefix of a velocity limit has 1 to 15 digits')
    }
  }
  const kinds = limits.map(({ per, prefixDigits, windowSeconds }) => `${per} ${prefixDigits} ${windowSeconds}`)
  if (new Set(kinds).size < kinds.length) {
    throw new ChangeRefused('two velocity limits have the same scope and time: remove one')
  }
}

function checkCount(what: string, count: number | null): void {
  if (count !== null && !isBetween(count, 0, Number.MAX_SAFE_INTEGER)) {
    throw new ChangeRefused(`${what} must be a whole number from 0`)
  }
}

function isBetween(number: number, least: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= least && number <= most
}
