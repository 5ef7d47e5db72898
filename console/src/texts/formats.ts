/** Numbers, money and times in the user's language. Money is never computed with: it is shown as the API sent it. */
import { useMemo } from 'react'
import { type Language, usePreferences } from './language.ts'

/** A decimal number as the API sends it. */
export type Decimal = number | string

const MAX_MONEY_DIGITS = 6

export interface Formats {
  number(value: number): string
  /** Short, for tiles and axes: 12.4K. */
  compact(value: number): string
  /** Of a share from 0 to 1: 98.7 %. */
  percent(share: number): string
  money(amount: Decimal, currency: string): string
  /** A date and time in the user's zone. */
  time(at: string | number | Date): string
  /** The same with seconds and milliseconds, for timelines. */
  exactTime(at: string | number | Date): string
  day(at: string | number | Date): string
  clock(at: string | number | Date): string
  /** The date and time in UTC, for titles. */
  utc(at: string | number | Date): string
  /** 3 minutes ago, in 2 hours. */
  relative(at: string | number | Date, now?: number): string
  /** Of a number of seconds: 350ms, 2.4s, 3m. */
  duration(seconds: number): string
  /** The same of a percentile, which statistics estimate from counts per class of times. */
  estimate(seconds: number): string
}

export function useFormats(): Formats {
  const { language } = usePreferences()
  return useMemo(() => formatsOf(language), [language])
}

const made = new Map<Language, Formats>()

export function formatsOf(language: Language): Formats {
  const found = made.get(language) ?? makeFormats(language)
  made.set(language, found)
  return found
}

function makeFormats(language: Language): Formats {
  // Days and times of Europe in English too: a gateway's operators read logs by the 24-hour clock.
  const locale = language === 'en' ? 'en-GB' : 'de-DE'
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(locale, { ...EXACT, fractionalSecondDigits: 3 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const utc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const unit = (name: string, digits: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: digits })
  const units = { ms: unit('millisecond', 0), s: unit('second', 1), min: unit('minute', 1), h: unit('hour', 1) }
  const days = unit('day', 1)
  const duration = (seconds: number) => {
    if (seconds > 0 && seconds < 1) return units.ms.format(seconds * 1_000)
    if (seconds < 120) return units.s.format(seconds)
    if (seconds < 7_200) return units.min.format(seconds / 60)
    return seconds < 172_800 ? units.h.format(seconds / 3_600) : days.format(seconds / 86_400)
  }
  return {
    number: (value) => number.format(value),
    compact: (value) => (Math.abs(value) < 10_000 ? number.format(value) : compact.format(value)),
    percent: (share) => percent.format(share),
    money: (amount, currency) => moneyFormat(locale, currency).format(String(amount) as `${number}`),
    time: (at) => time.format(new Date(at)),
    exactTime: (at) => exact.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    clock: (at) => clock.format(new Date(at)),
    utc: (at) => utc.format(new Date(at)),
    relative: (at, now = Date.now()) => relativeTo(relative, (new Date(at).getTime() - now) / 1_000),
    duration,
    estimate: (seconds) => `≈ ${duration(seconds)}`,
  }
}

const EXACT = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const RELATIVE_UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

function relativeTo(format: Intl.RelativeTimeFormat, seconds: number): string {
  for (const [length, name] of RELATIVE_UNITS) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), name)
  }
  return format.format(Math.trunc(seconds), 'second')
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const found = moneyFormats.get(key) ?? makeMoneyFormat(locale, currency)
  moneyFormats.set(key, found)
  return found
}

function makeMoneyFormat(locale: string, currency: string): Intl.NumberFormat {
  const options = { maximumFractionDigits: MAX_MONEY_DIGITS, minimumFractionDigits: 2 }
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...options })
  } catch {
    return new Intl.NumberFormat(locale, options)
  }
}
