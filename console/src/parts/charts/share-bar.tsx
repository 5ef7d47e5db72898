/** A share from 0 to 1 as a number with a bar. */
import { useFormats } from '../../texts/formats.ts'

interface ShareBarProps {
  /** Null shows a dash. */
  readonly share: number | null
}

export function ShareBar({ share }: ShareBarProps) {
  const formats = useFormats()
  if (share === null) return <>–</>
  return (
    <span className="inline-flex items-center justify-end gap-2.5">
      <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-hover max-sm:hidden">
        <span className="block h-full rounded-full bg-series-2" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className="min-w-14 text-right tabular-nums">{formats.percent(share)}</span>
    </span>
  )
}
