/** Values as the user's language writes them: times, money, numbers. */
import { useFormats } from '../texts/formats.ts'
import type { Decimal } from '../texts/make-formats.ts'
import { classes } from './classes.ts'

interface TimeProps {
  /** RFC 3339, or milliseconds; null shows a dash. */
  readonly at: string | number | null | undefined
  /** `both`: the date, and how long ago. */
  readonly show?: 'date' | 'seconds' | 'relative' | 'both' | 'exact' | undefined
}

/** A moment in the user's time zone; the title has it in UTC. */
export function Time({ at, show = 'date' }: TimeProps) {
  const formats = useFormats()
  if (at === null || at === undefined) return <>–</>
  const date = new Date(at)
  const write = { exact: formats.exactTime, seconds: formats.seconds }[show as string] ?? formats.time
  const text = write(date)
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

/** Characters of an amount that needs more than the width of a tile on a phone. */
const WIDE_AMOUNT = 10

interface MoneyProps {
  /** As the API sends it; it is not computed with. */
  readonly amount: Decimal | null | undefined
  readonly currency: string
  /** `headline`: in coins; `price`: with all decimals, which a price of one part may have. */
  readonly as?: 'headline' | 'price' | undefined
  /** Decimals of the column that it is in. */
  readonly digits?: number | undefined
  /** With a plus above zero. */
  readonly signed?: boolean | undefined
}

/** An amount; the title has the decimals that it leaves out. */
export function Money({ amount, currency, as, digits, signed = false }: MoneyProps) {
  const formats = useFormats()
  if (amount === null || amount === undefined) return <>–</>
  const exact = formats.exactMoney(amount, currency)
  const rounded = as === 'headline' ? formats.headline(amount, currency) : formats.money(amount, currency, digits)
  return (
    <span
      title={exact}
      // Large amounts are smaller in a narrow tile (parts/charts/stat.tsx).
      className={classes(
        'tabular-nums',
        as !== 'headline' && 'whitespace-nowrap',
        as === 'headline' && rounded.length > WIDE_AMOUNT && '@max-[18rem]:text-base',
      )}
    >
      {signed && Number(amount) > 0 && '+'}
      {as === 'price' ? exact : rounded}
    </span>
  )
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
