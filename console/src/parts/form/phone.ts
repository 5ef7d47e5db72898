/** Whether the window is as narrow as a phone, for what classes alone (`max-sm:`) cannot show. */
import { useSyncExternalStore } from 'react'

const PHONE = '(width < 40rem)'

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
