/** Writes how long something took. */

const SECOND_MS = 1_000
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Returns the two largest units: 1 h 5 min. */
export function writeSpan(milliseconds: number): string {
  let rest = Math.max(0, Math.round(milliseconds / SECOND_MS))
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(rest / seconds)
    rest %= seconds
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return parts.slice(0, 2).join(' ') || '0 s'
}
