/** Badges for states. The text says the state; the colour only helps. */
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type BadgeTone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

const TONES: Readonly<Record<BadgeTone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  plain: 'bg-sunken text-muted',
}

interface BadgeProps {
  readonly tone?: BadgeTone | undefined
  /** Shows a dot before the text. */
  readonly dot?: boolean | undefined
  readonly children: ReactNode
}

export function Badge({ tone = 'plain', dot = false, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex max-w-full items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {dot && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" />}
      <span className="truncate">{children}</span>
    </span>
  )
}

const STATUS_TONES: Readonly<Record<string, BadgeTone>> = {
  QUEUED: 'info',
  ACCEPTED: 'info',
  DELIVERED: 'good',
  READ: 'good',
  EXPIRED: 'warn',
  UNKNOWN: 'warn',
  UNDELIVERABLE: 'bad',
  REJECTED: 'bad',
  FILTERED: 'bad',
  'NO ROUTE': 'bad',
}

/** A message's status as the API names it. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge dot tone={STATUS_TONES[status] ?? 'plain'}>
      {status}
    </Badge>
  )
}
