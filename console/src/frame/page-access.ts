/** Which pages a role may open. */
import { roleMay } from '../api/me.ts'
import { PAGES, type PageEntry } from '../pages.ts'

export function mayOpen(role: string, { needs }: PageEntry): boolean {
  return needs === undefined || roleMay(role, needs)
}

/** Returns the pages of the navigation that the role may open. */
export function pagesInNavigation(role: string): readonly PageEntry[] {
  return PAGES.filter((page) => page.nav !== undefined && mayOpen(role, page))
}

/** Returns whether a page with this path exists and the role may open it: `/messages/$message`. */
export function hasPage(role: string, path: string): boolean {
  return PAGES.some((page) => page.path === path && mayOpen(role, page))
}
