/**
 * Finds the client's address: the peer of the connection or, if that is a trusted proxy, the address that the proxies
 * report. Entries not written by a trusted proxy are ignored, so clients cannot forge an address.
 */
import type { IncomingMessage } from 'node:http'
import { firstOfNetwork, NetworkSet, readAddress } from '../../domain/network/networks.ts'

/** Address information of a request. */
export interface RequestOrigin {
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** The header X-Forwarded-For; null or empty without one. */
  readonly forwardedFor: string | null
  /** The header Forwarded (RFC 7239); null or empty without one. */
  readonly forwarded: string | null
}

export function requestOriginOf({ socket, headers }: IncomingMessage): RequestOrigin {
  return { socket, forwardedFor: joined(headers['x-forwarded-for']), forwarded: joined(headers.forwarded) }
}

function joined(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : (header?.join(',') ?? null)
}

/** Null for a hop that its proxy did not name or that is unreadable. */
type Hops = readonly (string | null)[]

export class ClientAddresses {
  readonly #trusted: NetworkSet

  /** `trusted` are networks in CIDR form. */
  constructor(trusted: readonly string[]) {
    this.#trusted = new NetworkSet(trusted)
  }

  /**
   * Returns null if unknown. If both headers are present they must agree: a proxy may write one and pass on the other
   * as the client forged it.
   */
  of({ socket, forwardedFor, forwarded }: RequestOrigin): string | null {
    const peer = socket.remoteAddress
    if (peer === undefined) return null
    if (!this.#trusted.has(peer)) return peer
    const claims = [
      ...(forwardedFor ? [this.#walk(peer, readForwardedFor(forwardedFor))] : []),
      ...(forwarded ? [this.#walk(peer, readForwarded(forwarded))] : []),
    ]
    const [first = peer, second = first] = claims
    return first === second ? first : null
  }

  /** Whether a trusted proxy reports that the client's connection is encrypted. */
  isOverTls({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    const peer = socket.remoteAddress
    if (peer === undefined || !this.#trusted.has(peer)) return false
    const [scheme] = joined(headers['x-forwarded-proto'])?.split(',') ?? []
    return scheme?.trim().toLowerCase() === 'https' || /(?:^|[;, ])proto="?https\b/i.test(headers.forwarded ?? '')
  }

  /** Returns the first address from the right that is not a trusted proxy; the leftmost if all are. */
  #walk(peer: string, hops: Hops): string | null {
    let at: string | null = peer
    for (const hop of hops.toReversed()) {
      at = hop
      if (hop === null || !this.#trusted.has(hop)) break
    }
    return at
  }
}

/**
 * Returns the key of limits per client: the address, or the /64 network of an IPv6 address, which one client controls.
 */
export function limitKeyOf(address: string | null): string {
  return address === null ? '' : address.includes(':') ? firstOfNetwork(address, IPV6_CLIENT_BITS) : address
}

const IPV6_CLIENT_BITS = 64

function readForwardedFor(header: string): Hops {
  return header.split(',').flatMap((each) => (each.trim() === '' ? [] : [readHop(each.trim())]))
}

/** A list of elements, each of pairs; values may be quoted, and quotes may contain commas and semicolons. */
function readForwarded(header: string): Hops {
  // No adjacent quantifiers match the same characters, so it cannot backtrack far.
  const pairs = /[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*)?(,|;|$)/y
  const hops: (string | null)[] = []
  let hop: string | null | undefined
  for (;;) {
    const match = pairs.exec(header)
    // An unreadable element hides all entries before it.
    if (match === null) return [null]
    const [, name, quoted, token = '', end] = match
    if (name?.toLowerCase() === 'for') hop = readHop(quoted?.replace(/\\(.)/g, '$1') ?? token)
    else if (name !== undefined && hop === undefined) hop = null
    if (end === ';') continue
    if (hop !== undefined) hops.push(hop)
    hop = undefined
    if (end === '') return hops
  }
}

/** An address, with or without a port; IPv6 with or without brackets. */
function readHop(text: string): string | null {
  const [, inBrackets, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:[\]]+)(?::\d{1,5})?)$/.exec(text) ?? []
  return readAddress(inBrackets ?? plain ?? text)
}
