/** Which pages a role may open. */
import { roleMay } from '../api/me.ts'
import { PAGES, type PageEntry } from '../pages.ts'

export function mayOpen(role: string, { needs }: PageEntry): boolean {
  return needs === undefined || roleMay(role, needs)
}

interface NavigationEntry {
  readonly to: string
  readonly nav: NonNullable<PageEntry['nav']>
}

export interface NavigatingUser {
  readonly role: string
  /** Null for operators. */
  readonly account: number | null
}

/** Returns the entries of the navigation that the user may open. */
export function navigationOf({ role, account }: NavigatingUser): readonly NavigationEntry[] {
  return PAGES.filter((page) => mayOpen(role, page)).flatMap(({ path, nav, clientNav }) => {
    const shown = account === null ? nav : (clientNav ?? nav)
    return shown === undefined ? [] : [{ to: path.replace('$account', String(account)), nav: shown }]
  })
}

/** Returns whether a page with this path exists and the role may open it: `/messages/$message`. */
export function hasPage(role: string, path: string): boolean {
  return PAGES.some((page) => page.path === path && mayOpen(role, page))
}
