/** Whether the gateway answers, by the requests of the console. While none is answered, it asks by itself. */
import { useSyncExternalStore } from 'react'

const ASK_EVERY_MS = 5_000

let since: number | null = null
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Milliseconds since 1970 of the first request without an answer; null while the gateway answers. */
export function useSilence(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => since,
  )
}

/** `ask` makes a request, which ends in one of these functions. */
export function noteSilence(ask: () => void): void {
  if (since !== null) return
  since = Date.now()
  timer = setInterval(ask, ASK_EVERY_MS)
  notify()
}

/** A gateway that starts, and a proxy without one, answer with 502 to 504: the silence lasts. */
export function noteAnswer({ status }: Response): void {
  if (since === null || (status >= 502 && status <= 504)) return
  since = null
  clearInterval(timer)
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}
