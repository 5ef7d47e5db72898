/** Opens the installation of a gateway, waiting while its database is unreachable. */
import { StoreUnavailable } from '../../ports/records/store-errors.ts'
import type { Store } from '../../ports/stores/store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

export interface StartPatience {
  readonly clock: Clock
  readonly log: Log
  /** Aborted when the gateway should stop: the last failure is thrown. */
  readonly signal: AbortSignal
  /** Receives the reason of the wait. */
  readonly onWaiting: (reason: string) => void
}

/** Rejects at once if waiting cannot help: a wrong password, a database of a newer version. */
export async function openWhenReachable(open: () => Promise<Store>, patience: StartPatience): Promise<Store> {
  const { clock, log, signal, onWaiting } = patience
  let pauseMs = FIRST_PAUSE_MS
  let logged = ''
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || signal.aborted) throw error
      onWaiting(error.message)
      // Logs each reason once, however long it lasts.
      if (error.message !== logged) log.warn({ error }, 'waiting for the database')
      logged = error.message
      await pause(pauseMs, clock, signal)
      if (signal.aborted) throw error
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
    }
  }
}

function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
