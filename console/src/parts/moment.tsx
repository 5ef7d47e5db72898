/** The beginning or end of a rate or of a membership: a day, or a time of it. */
import { Time } from './values.tsx'

interface MomentProps {
  /** A day such as 2027-01-31, which begins in UTC, or RFC 3339. */
  readonly at: string | null
  /** Shown for null. */
  readonly none: string
}

export function Moment({ at, none }: MomentProps) {
  if (at === null) return <>{none}</>
  return at.includes('T') ? <Time at={at} show="seconds" /> : <span className="whitespace-nowrap">{at}</span>
}
