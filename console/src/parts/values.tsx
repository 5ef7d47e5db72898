/** Values as the user's language writes them: times, money, numbers. */
import { type Decimal, useFormats } from '../texts/formats.ts'

interface TimeProps {
  /** RFC 3339, or milliseconds; null shows a dash. */
  readonly at: string | number | null | undefined
  /** `both`: the date, and how long ago. */
  readonly show?: 'date' | 'relative' | 'both' | 'exact' | undefined
}

/** A moment in the user's time zone; the title has it in UTC. */
export function Time({ at, show = 'date' }: TimeProps) {
  const formats = useFormats()
  if (at === null || at === undefined) return <>–</>
  const date = new Date(at)
  const text = show === 'exact' ? formats.exactTime(date) : formats.time(date)
  return (
    <time
      dateTime={date.toISOString()}
      title={`${formats.time(date)} · ${formats.utc(date)}`}
      className="whitespace-nowrap"
    >
      {show === 'relative' ? formats.relative(date) : text}
      {show === 'both' && <span className="text-muted"> · {formats.relative(date)}</span>}
    </time>
  )
}

interface MoneyProps {
  /** As the API sends it; it is not computed with. */
  readonly amount: Decimal | null | undefined
  readonly currency: string
}

export function Money({ amount, currency }: MoneyProps) {
  const formats = useFormats()
  if (amount === null || amount === undefined) return <>–</>
  return <span className="whitespace-nowrap tabular-nums">{formats.money(amount, currency)}</span>
}

export function Num({ value }: { readonly value: number | null | undefined }) {
  const formats = useFormats()
  return <span className="tabular-nums">{value === null || value === undefined ? '–' : formats.number(value)}</span>
}

/** A share from 0 to 1. */
export function Percent({ share }: { readonly share: number | null | undefined }) {
  const formats = useFormats()
  return <span className="tabular-nums">{share === null || share === undefined ? '–' : formats.percent(share)}</span>
}
