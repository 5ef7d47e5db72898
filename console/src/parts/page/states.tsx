/** What is shown instead of contents: loading, nothing, an error; and notices. */
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/problem.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { usePartTexts } from '../part-texts.ts'

/** A grey bar in place of a text. */
export function Skeleton({ className = 'h-4 w-24' }: { readonly className?: string }) {
  return (
    <span aria-hidden className={classes('block animate-[console-pulse_1.6s_infinite] rounded bg-hover', className)} />
  )
}

export function Loading() {
  const texts = usePartTexts()
  return (
    <div role="status" className="flex flex-col gap-3 py-2">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-1/3" />
    </div>
  )
}

interface EmptyStateProps {
  readonly icon?: LucideIcon | undefined
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      {Icon !== undefined && (
        <span className="mb-1 grid size-10 place-items-center rounded-full bg-sunken text-faint">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}

interface ErrorStateProps {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}

export function ErrorState({ error, retry }: ErrorStateProps) {
  const texts = usePartTexts()
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <span className="mb-1 grid size-10 place-items-center rounded-full bg-bad-soft text-bad">
        <CircleAlert aria-hidden className="size-5" />
      </span>
      <p className="font-medium">{texts.failed}</p>
      <p className="max-w-lg text-muted [overflow-wrap:anywhere]">{messageOf(error)}</p>
      {retry !== undefined && (
        <Button className="mt-2" onClick={retry}>
          {texts.retry}
        </Button>
      )}
    </div>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'info'

const NOTICES: Readonly<Record<Tone, { readonly look: string; readonly icon: LucideIcon }>> = {
  good: { look: 'bg-good-soft text-good', icon: CircleCheck },
  warn: { look: 'bg-warn-soft text-warn', icon: TriangleAlert },
  bad: { look: 'bg-bad-soft text-bad', icon: CircleAlert },
  info: { look: 'bg-info-soft text-info', icon: Info },
}

interface NoticeProps {
  readonly kind: Tone
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** A coloured line above contents. Errors are announced at once. */
export function Notice({ kind, children, action }: NoticeProps) {
  const { look, icon: Icon } = NOTICES[kind]
  return (
    <div
      role={kind === 'bad' ? 'alert' : 'status'}
      className={classes('flex items-start gap-2.5 rounded-md px-3 py-2.5', look)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow text-ink [overflow-wrap:anywhere]">{children}</div>
      {action}
    </div>
  )
}
