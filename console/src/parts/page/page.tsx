/** The frame of a page: header with title and actions, cards, and lists of names and values. */
import { ChevronLeft } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { classes } from '../classes.ts'
import { TextLink } from '../text-link.tsx'

interface BackLink {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly label: string
}

export interface PageHeaderProps {
  readonly title: string
  readonly description?: ReactNode
  /** Buttons on the right. */
  readonly actions?: ReactNode
  /** Link to the list that the page belongs to. */
  readonly back?: BackLink | undefined
  /** Beside the title, such as a badge. */
  readonly badge?: ReactNode
}

/** Before the title of the browser's tab, such as `(2) `. The frame supplies it. */
export const TabPrefix = createContext('')

/** Also sets the title of the browser's tab. The frame moves the focus to this heading after navigation. */
export function PageHeader({ title, description, actions, back, badge }: PageHeaderProps) {
  const prefix = useContext(TabPrefix)
  useEffect(() => {
    document.title = `${prefix}${title} · Posthorn`
  }, [prefix, title])
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {back !== undefined && (
          <TextLink to={back.to} search={back.search} className="mb-1 inline-flex items-center gap-1 text-sm">
            <ChevronLeft aria-hidden className="size-3.5" />
            {back.label}
          </TextLink>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">
            {title}
          </h1>
          {badge}
        </div>
        {description !== undefined && <div className="mt-1 max-w-3xl text-muted">{description}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

interface CardProps {
  readonly title?: string | undefined
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Without padding, for tables. */
  readonly flush?: boolean | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function Card({ title, description, actions, flush = false, className, children }: CardProps) {
  return (
    <section className={classes('min-w-0 overflow-hidden rounded-lg border bg-surface shadow-card', className)}>
      {title !== undefined && (
        <div
          className={classes(
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4',
            flush ? 'border-b pb-3' : 'pb-1',
          )}
        >
          <div className="min-w-0">
            <h2 className="font-semibold">{title}</h2>
            {description !== undefined && <div className="text-sm text-muted">{description}</div>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={flush ? '' : classes('px-5 pb-5', title === undefined ? 'pt-5' : 'pt-3')}>{children}</div>
    </section>
  )
}

interface KeyValuesProps {
  readonly items: readonly { readonly label: string; readonly value: ReactNode }[]
}

/** Names and values: side by side, one below the other on phones. */
export function KeyValues({ items }: KeyValuesProps) {
  return (
    <dl className="grid gap-y-2.5 sm:grid-cols-[minmax(120px,max-content)_1fr] sm:gap-x-8">
      {items.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-muted max-sm:text-sm">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere] max-sm:mb-1.5">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
