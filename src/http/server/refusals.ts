/**
 * Answers by which nothing was done: wrong keys, requests above a limit, unknown paths. A connection with many in a row
 * is closed, for clients that guess or do not stop.
 */
import type { ServerResponse } from 'node:http'

/** In a row on one connection. */
export const MAX_REFUSALS = 1_000

const marked = new WeakSet<ServerResponse>()

/** For answers whose status does not say it. */
export function markRefused(response: ServerResponse): void {
  marked.add(response)
}

export function isRefused(response: ServerResponse): boolean {
  return isRefusedStatus(response.statusCode) || marked.has(response)
}

export function isRefusedStatus(status: number): boolean {
  return status >= 400 && status < 500
}
