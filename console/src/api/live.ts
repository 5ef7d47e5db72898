/** The live state of the gateway that serves this page, by server-sent events. Hidden tabs do not listen. */
import { useEffect, useState } from 'react'
import { invalidate } from './queries.ts'

interface LiveChannel {
  readonly channel: string
  readonly accepted: number
  readonly submitted: number
  readonly delivered: number
  readonly failed: number
}

/** Rates are per second; null in the first snapshot. */
export interface LiveSnapshot {
  readonly at: string
  /** Number of the gateway in its cluster; null without one. */
  readonly node: number | null
  /** Why it takes no traffic; null if it does. */
  readonly not_ready: string | null
  readonly channels: readonly LiveChannel[] | null
  readonly messages: { readonly held: number; readonly in_flight: number; readonly open: number | null }
  readonly reports: { readonly waiting: number | null; readonly failed: number | null }
}

const MAX_KEPT = 60

/** Returns the last two minutes, the latest snapshot last; empty while there is no connection. */
export function useLive(): readonly LiveSnapshot[] {
  const [snapshots, setSnapshots] = useState<readonly LiveSnapshot[]>([])
  useEffect(() => {
    let stop = document.hidden ? null : listen(setSnapshots)
    const onVisibility = () => {
      stop?.()
      stop = document.hidden ? null : listen(setSnapshots)
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      stop?.()
    }
  }, [])
  return snapshots
}

function listen(set: (change: (before: readonly LiveSnapshot[]) => readonly LiveSnapshot[]) => void): () => void {
  const source = new EventSource('/admin/v1/live')
  source.addEventListener('snapshot', ({ data }: MessageEvent<string>) => {
    const snapshot = JSON.parse(data) as LiveSnapshot
    set((before) => [...before, snapshot].slice(-MAX_KEPT))
  })
  // The session has ended: the next answer leads to the login.
  source.addEventListener('end', () => {
    source.close()
    invalidate('/me')
  })
  // The browser connects again; what is shown would be old until then.
  source.addEventListener('error', () => set(() => []))
  return () => {
    source.close()
    set(() => [])
  }
}
