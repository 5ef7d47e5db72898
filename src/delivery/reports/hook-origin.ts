/** Where the calls of a hook go: reports to one place share its connections. */
import { urlOf } from '../../domain/reports/report-target.ts'

/** Returns scheme, host and port of the address that is called; the address itself if there are none. */
export function originOf(address: string): string {
  const url = urlOf(address)
  return PLAIN_ORIGIN.exec(url)?.[0] ?? parsedOrigin(url) ?? address
}

/** As URL has it, without its cost for nearly all addresses. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?=\/|$)/

function parsedOrigin(url: string): string | null {
  return /^https?:/i.test(url) ? (URL.parse(url)?.origin ?? null) : null
}
