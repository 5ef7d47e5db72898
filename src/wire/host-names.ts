/**
 * Resolves host names: the hosts file first, then DNS with the search domains of the system. Does not use the system's
 * own lookup, which runs on the few threads that the process shares: one silent name server would block everything else
 * there.
 */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import net from 'node:net'

export interface HostNamesSetup {
  /** Addresses of name servers; empty for those of the system. */
  readonly servers?: readonly string[]
  /** Time limit of one query to one server; a server is queried twice. */
  readonly timeoutMs?: number
  readonly hostsFile?: string
  readonly resolvFile?: string
}

const TIMEOUT_MS = 2_000
const TRIES = 2
const MAX_SEARCH_DOMAINS = 6
const MAX_FILE_BYTES = 1_048_576
/** DNS has no such name or record; any other error is a failure of DNS. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

export class HostNames {
  readonly #hosts: WatchedFile<ReadonlyMap<string, readonly LookupAddress[]>>
  readonly #settings: WatchedFile<{
    readonly resolver: Resolver
    readonly search: readonly string[]
    readonly dots: number
  }>
  /** Lookups under way, by name. */
  readonly #open = new Map<string, Promise<readonly LookupAddress[]>>()

  constructor(setup: HostNamesSetup = {}) {
    const { servers = [], timeoutMs = TIMEOUT_MS, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' } = setup
    this.#hosts = new WatchedFile(hostsFile, readHosts)
    this.#settings = new WatchedFile(resolvFile, (text) => {
      // A resolver keeps the name servers that it was created with.
      const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
      if (servers.length > 0) resolver.setServers(servers)
      return { resolver, ...readSearch(text) }
    })
  }

  /** Returns all addresses of a host, at least one. Rejects with the error of DNS if there is none, in bounded time. */
  resolve(hostname: string): Promise<readonly LookupAddress[]> {
    const family = net.isIP(hostname)
    if (family !== 0) return Promise.resolve([{ address: hostname, family }])
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = this.#hosts.content().get(name)
    if (known !== undefined) return Promise.resolve(known)
    if (/^(.+\.)?localhost$/.test(name)) return Promise.resolve(LOCALHOST)
    const open = this.#open.get(hostname)
    if (open !== undefined) return open
    const query = this.#query(name, hostname.endsWith('.')).finally(() => this.#open.delete(hostname))
    this.#open.set(hostname, query)
    return query
  }

  async #query(name: string, isWhole: boolean): Promise<readonly LookupAddress[]> {
    const { resolver, search, dots } = this.#settings.content()
    const longer = isWhole ? [] : search.map((domain) => `${name}.${domain}`)
    const hasDots = isWhole || name.split('.').length > dots
    for (const candidate of hasDots ? [name, ...longer] : [...longer, name]) {
      const found = await addressesOf(resolver, candidate)
      if (found.length > 0) return found
    }
    throw Object.assign(new Error(`${name} has no address in DNS`), { code: 'ENOTFOUND' })
  }
}

const LOCALHOST: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Returns no address if DNS says that there is none. Rejects if one query fails and the other finds nothing. */
async function addressesOf(resolver: Resolver, name: string): Promise<readonly LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found: LookupAddress[] = []
  if (four.status === 'fulfilled') for (const address of four.value) found.push({ address, family: 4 })
  if (six.status === 'fulfilled') for (const address of six.value) found.push({ address, family: 6 })
  if (found.length > 0) return found
  for (const answer of [four, six]) {
    if (answer.status === 'rejected' && !ABSENT.has((answer.reason as NodeJS.ErrnoException).code)) throw answer.reason
  }
  return []
}

/** The parsed content of a file, read again when it has changed. A file that cannot be read counts as empty. */
class WatchedFile<Content> {
  readonly #path: string
  readonly #read: (text: string) => Content
  #version = ''
  #content: Content | null = null

  constructor(path: string, read: (text: string) => Content) {
    this.#path = path
    this.#read = read
  }

  content(): Content {
    // Synchronous, because asynchronous calls use the shared threads. Reads the file's metadata only, unless the file
    // has changed.
    const file = statSync(this.#path, { throwIfNoEntry: false })
    const version = file === undefined ? 'none' : `${file.mtimeMs} ${file.size} ${file.ino}`
    if (this.#content !== null && version === this.#version) return this.#content
    const isReadable = file?.isFile() === true && file.size <= MAX_FILE_BYTES
    this.#content = this.#read(isReadable ? readFileSync(this.#path, 'utf8') : '')
    this.#version = version
    return this.#content
  }
}

function readHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = net.isIP(address)
    if (family === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const addresses = hosts.get(key)
      if (addresses === undefined) hosts.set(key, [{ address, family }])
      else addresses.push({ address, family })
    }
  }
  return hosts
}

/** `man resolv.conf`: of several `search` lines the last one counts. */
function readSearch(text: string): { readonly search: readonly string[]; readonly dots: number } {
  let search: readonly string[] = []
  let dots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') search = values.slice(0, MAX_SEARCH_DOMAINS)
    const ndots = keyword === 'options' ? values.find((value) => /^ndots:\d{1,2}$/.test(value)) : undefined
    if (ndots !== undefined) dots = Number(ndots.slice('ndots:'.length))
  }
  return {
    search: search.map((domain) => domain.replace(/\.$/, '').toLowerCase()).filter((domain) => domain !== ''),
    dots,
  }
}
