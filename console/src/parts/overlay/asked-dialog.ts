/** Dialogs that a link opens: `?open=key`. */
import { useEffect, useState } from 'react'
import { urlText, useUrlState } from '../list/url-state.ts'

const FIELDS = { open: urlText() }

/** Returns whether the link to the page asked for the dialog, and takes that out of the address. */
export function useAskedDialog(name: string): boolean {
  const [{ open }, change] = useUrlState(FIELDS)
  const [isAsked] = useState(open === name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that a reload shows the page alone
  useEffect(() => {
    if (isAsked) change({ open: '' })
  }, [])
  return isAsked
}
