/** The beginning or end of a rate or of a membership: a day, or a time of it. */
import { useFormats } from '../texts/formats.ts'

interface MomentProps {
  /** A day such as 2027-01-31, which begins in UTC, or RFC 3339. */
  readonly at: string | null
  /** Shown for null. */
  readonly none: string
}

export function Moment({ at, none }: MomentProps) {
  const formats = useFormats()
  if (at === null) return <>{none}</>
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {formats.moment(at)}
    </time>
  )
}
