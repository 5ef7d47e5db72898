/** Numbers, money and times in a language and a time zone. Money is never computed with. */

/** A decimal number as the API sends it. */
export type Decimal = number | string

/** Decimals of an amount in a table; the API has six. */
const TABLE_DIGITS = 4
const MAX_MONEY_DIGITS = 6
/** Smaller amounts, such as the price of a part, keep all decimals. */
const SMALL_AMOUNT = 0.01

export interface Amount {
  readonly amount: Decimal
  readonly currency: string
}

interface NullableAmount {
  readonly amount: Decimal | null
  readonly currency: string
}

export interface Formats {
  number(value: number): string
  /** Short, for tiles and axes: 12.4K. */
  compact(value: number): string
  /** Of a share from 0 to 1: 98.7 %. */
  percent(share: number): string
  /** With four decimals at most if it is not small, or with as many as its column has (`moneyDigits`). */
  money(amount: Decimal, currency: string, digits?: number): string
  /** With all decimals: prices of one part, and amounts that a table rounds. */
  exactMoney(amount: Decimal, currency: string): string
  /** Of a headline: in the coins of the currency. Less than one of them keeps its decimals. */
  headline(amount: Decimal, currency: string): string
  /** Returns the decimals with which all amounts of a column end at the same place; `exact` leaves none out. */
  moneyDigits(amounts: readonly NullableAmount[], exact?: boolean): number
  /** A date and time in the user's zone. */
  time(at: string | number | Date): string
  /** The same with seconds. */
  seconds(at: string | number | Date): string
  /** The clock with seconds and milliseconds, for timelines. */
  exactTime(at: string | number | Date): string
  day(at: string | number | Date): string
  /** A time as the API writes it, with seconds if it has some; or a day such as 2027-01-31, which begins in UTC. */
  moment(text: string): string
  /** The text with each such time or day in it written so; examples of how to write one stay. */
  moments(text: string): string
  clock(at: string | number | Date): string
  /** The date and time in UTC, for titles. */
  utc(at: string | number | Date): string
  /** 3 minutes ago, in 2 hours. */
  relative(at: string | number | Date, now?: number): string
  /** Of a number of seconds: 350ms, 2.4s, 3m. */
  duration(seconds: number): string
  /** In whole seconds, by the two largest units: 1h 12m. */
  span(seconds: number): string
  /** The same of a percentile, which statistics estimate from counts per class of times. */
  estimate(seconds: number): string
}

const DAY = /^\d{4}-\d\d-\d\d$/
const WHOLE_MINUTE = /T\d\d:\d\d(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)$/
const MOMENTS =
  /(?<!such as )(?<![\w-])\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?(?![\w-])/g

export function makeFormats(language: 'en' | 'de', timeZone: string): Formats {
  // Days and times of Europe in English too: a gateway's operators read logs by the 24-hour clock.
  const locale = language === 'en' ? 'en-GB' : 'de-DE'
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const seconds = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const exact = new Intl.DateTimeFormat(locale, { ...EXACT, fractionalSecondDigits: 3, timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const dayInUtc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone })
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
  const moment = (text: string) => {
    const at = new Date(text)
    if (Number.isNaN(at.getTime())) return text
    if (DAY.test(text)) return dayInUtc.format(at)
    return (WHOLE_MINUTE.test(text) ? time : seconds).format(at)
  }
  return {
    number: (value) => number.format(value),
    compact: (value) => (Math.abs(value) < 10_000 ? number.format(value) : compact.format(value)),
    percent: (share) => percent.format(share),
    ...moneyFormats(locale),
    time: (at) => time.format(new Date(at)),
    seconds: (at) => seconds.format(new Date(at)),
    exactTime: (at) => exact.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    moment,
    moments: (text) => text.replaceAll(MOMENTS, moment),
    clock: (at) => clock.format(new Date(at)),
    utc: (at) => utc.format(new Date(at)),
    relative: (at, now = Date.now()) => relativeTo(relative, (new Date(at).getTime() - now) / 1_000),
    duration,
    span: (seconds) =>
      writeSpan(
        Math.round(seconds),
        SPAN_UNITS.map((name) => unit(name, 0)),
      ),
    estimate: (seconds) => `≈\u00a0${duration(seconds)}`,
  }
}

const SPAN_UNITS = ['day', 'hour', 'minute', 'second'] as const
const SPAN_SECONDS = [86_400, 3_600, 60, 1] as const

function writeSpan(seconds: number, units: readonly Intl.NumberFormat[]): string {
  let rest = seconds
  const parts = SPAN_SECONDS.flatMap((length, at) => {
    const number = Math.floor(rest / length)
    rest %= length
    return number > 0 || (length === 1 && seconds === 0) ? [units[at]?.format(number) ?? ''] : []
  })
  return parts.slice(0, 2).join('\u00a0')
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

/** Of a currency that the browser does not know. */
const UNKNOWN_COINS = 2

function moneyFormats(locale: string): Pick<Formats, 'money' | 'exactMoney' | 'headline' | 'moneyDigits'> {
  const made = new Map<string, Intl.NumberFormat>()
  const formatOf = (currency: string, digits: number) => {
    const key = `${currency} ${digits}`
    const format = made.get(key) ?? makeMoneyFormat(locale, currency, digits)
    made.set(key, format)
    return format
  }
  const write = ({ amount, currency }: Amount, digits: number) =>
    formatOf(currency, digits).format(String(amount) as `${number}`)
  const exactDigits = ({ amount, currency }: Amount) => Math.max(coinDigits(currency), decimalsOf(amount))
  const tableDigits = (each: Amount) => {
    const isSmall = Math.abs(Number(each.amount)) < SMALL_AMOUNT
    return Math.min(exactDigits(each), isSmall ? MAX_MONEY_DIGITS : TABLE_DIGITS)
  }
  return {
    money: (amount, currency, digits) => write({ amount, currency }, digits ?? tableDigits({ amount, currency })),
    exactMoney: (amount, currency) => write({ amount, currency }, exactDigits({ amount, currency })),
    headline: (amount, currency) => {
      const coins = coinDigits(currency)
      const isLost = Number(amount) !== 0 && Math.abs(Number(amount)) < 10 ** -coins
      return write({ amount, currency }, isLost ? tableDigits({ amount, currency }) : coins)
    },
    moneyDigits: (amounts, exact = false) => {
      const known = amounts.flatMap(({ amount, currency }) => (amount === null ? [] : [{ amount, currency }]))
      return known.reduce((most, each) => Math.max(most, exact ? exactDigits(each) : tableDigits(each)), 0)
    },
  }
}

function makeMoneyFormat(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const options = { maximumFractionDigits: digits, minimumFractionDigits: digits }
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...options })
  } catch {
    return new Intl.NumberFormat(locale, options)
  }
}

const coins = new Map<string, number>()

/** Returns the decimals of a currency: 2 of EUR, 0 of JPY, 3 of KWD. */
function coinDigits(currency: string): number {
  const digits = coins.get(currency) ?? readCoinDigits(currency)
  coins.set(currency, digits)
  return digits
}

function readCoinDigits(currency: string): number {
  try {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    return maximumFractionDigits ?? UNKNOWN_COINS
  } catch {
    return UNKNOWN_COINS
  }
}

function decimalsOf(amount: Decimal): number {
  const text = typeof amount === 'number' ? amount.toFixed(MAX_MONEY_DIGITS) : amount
  return Math.min(MAX_MONEY_DIGITS, (/\.(\d*?)0*$/.exec(text)?.[1] ?? '').length)
}
