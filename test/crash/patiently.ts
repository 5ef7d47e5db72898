/**
 * Waits for what another process brings about. Between two looks the machine is left to that process; how long it took
 * is never asked, except to give up in the end.
 */
import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 60_000
const BETWEEN_LOOKS_MS = 25

/**
 * Resolves once `look` answers null; until then its answer says what is still missing.
 * @throws Error with the last of these answers when it takes more than a minute.
 */
export async function patiently(look: () => string | null | Promise<string | null>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const missing = await look()
    if (missing === null) return
    if (performance.now() > giveUpAt) throw new Error(`still missing: ${missing}`)
    await pause(BETWEEN_LOOKS_MS)
  }
}

/** The same for a promise. */
export function within<T>(what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still waiting for ${what}`)), PATIENCE_MS)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
