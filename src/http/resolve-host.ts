/**
 * Host names to addresses, without letting one slow name server hold up the names of others: the system's own lookup
 * runs on four threads that the whole process shares, so it is asked only for names that DNS does not know.
 */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

/** DNS says so at once: names of the hosts file and of search domains are left to the system. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** All addresses of a host, at least one. Rejects when there is none. */
export const resolveHost: ResolveHost = async (hostname) => {
  // `localhost` and the short names of a closed network.
  if (!hostname.includes('.')) return lookup(hostname, { all: true })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found: LookupAddress[] = []
  if (four.status === 'fulfilled') for (const address of four.value) found.push({ address, family: 4 })
  if (six.status === 'fulfilled') for (const address of six.value) found.push({ address, family: 6 })
  if (found.length > 0) return found
  for (const answer of [four, six]) {
    if (answer.status === 'rejected' && !UNKNOWN.has((answer.reason as NodeJS.ErrnoException).code ?? '')) {
      throw answer.reason
    }
  }
  return lookup(hostname, { all: true })
}
