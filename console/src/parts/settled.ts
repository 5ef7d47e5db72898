/** A value that follows the user's typing after a pause, so that not every letter sends a request. */
import { useEffect, useState } from 'react'

const PAUSE_MS = 200

/** Returns the value once it has not changed for a while. */
export function useSettled<T>(value: T, pauseMs = PAUSE_MS): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
