/** Which pages a link may lead to: those that exist and that the user's role may open. The frame supplies it. */
import { createContext, useContext } from 'react'

export const PageAccess = createContext<(path: string) => boolean>(() => false)

/** Returns a function for paths as in the list of pages: `/messages/$message`. */
export function useHasPage(): (path: string) => boolean {
  return useContext(PageAccess)
}
