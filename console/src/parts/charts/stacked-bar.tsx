/** How a whole is divided: a bar, and below it what each of its parts is. */
import { useFormats } from '../../texts/formats.ts'
import type { BadgeTone } from '../badge.tsx'
import { classes } from '../classes.ts'
import { Num } from '../values.tsx'

export interface BarPart {
  readonly label: string
  readonly count: number
  readonly tone: BadgeTone
}

const FILLS: Readonly<Record<BadgeTone, string>> = {
  good: 'bg-good',
  info: 'bg-info',
  warn: 'bg-warn',
  bad: 'bg-bad',
  plain: 'bg-line-strong',
}

/** Parts of nothing are left out. A small part is visible too. */
export function StackedBar({ label, parts }: { readonly label: string; readonly parts: readonly BarPart[] }) {
  const formats = useFormats()
  const shown = parts.filter(({ count }) => count > 0)
  const all = shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="flex flex-col gap-3">
      <div aria-hidden className="flex h-3 w-full gap-px overflow-hidden rounded-full bg-hover">
        {shown.map(({ label: name, count, tone }) => (
          <div key={name} className={classes('min-w-1', FILLS[tone])} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul aria-label={label} className="flex flex-wrap gap-x-6 gap-y-2">
        {shown.map(({ label: name, count, tone }) => (
          <li key={name} className="flex items-baseline gap-2">
            <span aria-hidden className={classes('size-2.5 shrink-0 self-center rounded-full', FILLS[tone])} />
            <span>{name}</span>
            <span className="font-medium">
              <Num value={count} />
            </span>
            <span className="text-sm text-muted">{formats.percent(count / all)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
