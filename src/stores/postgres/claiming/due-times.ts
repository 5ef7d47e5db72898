/** Due times of claims, and claims that may fail after others have succeeded. */
import type { Message } from '../../../domain/message/message.ts'

/** A message taken over from a dead node is due at once, although its journey does not say so. */
export function dueAtOf({ journey }: Message): number {
  return journey.dueAt ?? 0
}

/** Returns the earlier of two times; null if there is none. */
export function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** Returns what `ask` returns; `none` if that fails and failures may be ignored. */
export async function orElse<T>(isIgnored: boolean, none: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isIgnored) return none
    throw error
  }
}
