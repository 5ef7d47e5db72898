/** A page of tabs: its header, what applies to all tabs, and the tab that the address names as `tab`. */
import type { ReactNode } from 'react'
import { urlText, useUrlState } from '../list/url-state.ts'
import { PageHeader, type PageHeaderProps } from './page.tsx'
import { type Tab, Tabs } from './tabs.tsx'

const FIELDS = { tab: urlText() }

interface TabbedPageProps<T extends string> extends PageHeaderProps {
  /** Of the tabs, read by screen readers. */
  readonly tabsLabel: string
  /** The first one is open unless the address names another. */
  readonly tabs: readonly TabOfPage<T>[]
  /** Between the header and the tabs, such as the choice of an account. */
  readonly above?: ReactNode
}

export interface TabOfPage<T extends string> extends Tab<T> {
  /** Whether the user may see it; always if absent. */
  readonly shown?: boolean | undefined
}

export function TabbedPage<T extends string>({ tabsLabel, tabs, above, ...header }: TabbedPageProps<T>) {
  const [{ tab }, change] = useUrlState(FIELDS)
  const shown = tabs.filter((each) => each.shown !== false)
  const open = shown.find(({ value }) => value === tab) ?? shown[0]
  return (
    <>
      <PageHeader {...header} />
      {above}
      {open !== undefined && (
        <Tabs
          label={tabsLabel}
          value={open.value}
          // The first tab needs no name in the address.
          onValue={(value) => change({ tab: value === shown[0]?.value ? '' : value }, { push: true })}
          tabs={shown}
        />
      )}
    </>
  )
}
