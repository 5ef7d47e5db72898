/** A tile with one number. */
import type { ReactNode } from 'react'

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  /** Below the number: what it is compared with. */
  readonly note?: ReactNode
  readonly children?: ReactNode
}

export function Stat({ label, value, note, children }: StatProps) {
  return (
    <div className="@container flex min-w-0 flex-col rounded-lg border bg-surface px-4 py-3.5 shadow-card">
      <dt className="hyphens-auto text-sm text-muted [overflow-wrap:anywhere]">{label}</dt>
      <dd className="mt-0.5 text-2xl font-semibold tracking-tight [overflow-wrap:anywhere] tabular-nums @max-[8rem]:text-lg">
        {value}
      </dd>
      {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
      {children !== undefined && <dd className="mt-2">{children}</dd>}
    </div>
  )
}

/** Tiles in rows of two, or of four, or of five if there are five. A last tile alone is as wide as two. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-3 max-lg:[&>:nth-child(odd):last-child]:col-span-2 lg:grid-cols-4 lg:has-[>:nth-child(5):last-child]:grid-cols-5">
      {children}
    </dl>
  )
}
