/** Tabs whose choice is kept by the page, best in the URL (`useUrlState`). */
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tab<T extends string> {
  readonly value: T
  readonly label: string
  readonly content: () => ReactNode
}

interface TabsProps<T extends string> {
  /** Read by screen readers. */
  readonly label: string
  readonly tabs: readonly Tab<T>[]
  readonly value: T
  readonly onValue: (value: T) => void
}

export function Tabs<T extends string>({ label, tabs, value, onValue }: TabsProps<T>) {
  return (
    <Radix.Root value={value} onValueChange={(chosen) => onValue(chosen as T)}>
      <Radix.List aria-label={label} className="relative mb-5 flex gap-5 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            ref={tab.value === value ? showTab : undefined}
            className="-mb-px shrink-0 border-b-2 border-transparent px-0.5 py-2.5 font-medium -outline-offset-2 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} tabIndex={-1} className="outline-none">
          {tab.value === value && tab.content()}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

/** Scrolls the row of tabs to the chosen one, which phones may not show. */
function showTab(tab: HTMLElement | null): void {
  const row = tab?.parentElement
  if (tab === null || row === null || row === undefined) return
  const isHidden =
    tab.offsetLeft < row.scrollLeft || tab.offsetLeft + tab.offsetWidth > row.scrollLeft + row.clientWidth
  if (isHidden) row.scrollLeft = tab.offsetLeft
}
