/** validity_period in the relative format `YYMMDDhhmmss000R` (SMPP 3.4, 7.1.1.2). */
const SECONDS = { year: 31_536_000, month: 2_592_000, day: 86_400, hour: 3_600, minute: 60 } as const

/** The limit of the format: 99 years. */
const MAX_SECONDS = 99 * SECONDS.year

let last = { seconds: Number.NaN, text: '' }

/** Kept, because consecutive messages often have the same lifetime. */
export function writeValidityPeriod(seconds: number): string {
  if (last.seconds !== seconds) last = { seconds, text: format(seconds) }
  return last.text
}

/** A month is written for every 30 days, because the day field ends at 31. */
function format(seconds: number): string {
  let rest = Math.min(Math.max(1, Math.floor(seconds)), MAX_SECONDS)
  let digits = ''
  for (const unit of [SECONDS.year, SECONDS.month, SECONDS.day, SECONDS.hour, SECONDS.minute, 1]) {
    digits += String(Math.floor(rest / unit)).padStart(2, '0')
    rest %= unit
  }
  return `${digits}000R`
}

/** Returns seconds; null for anything but the relative format. */
export function readValidityPeriod(text: string): number | null {
  const fields = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)000R$/.exec(text)?.slice(1).map(Number)
  if (fields === undefined) return null
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = fields
  const { year, month, day, hour, minute } = SECONDS
  return years * year + months * month + days * day + hours * hour + minutes * minute + seconds
}
