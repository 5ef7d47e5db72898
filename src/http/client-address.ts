/**
 * Where a request really comes from: the peer of its connection, or, when that is a proxy of ours, whom the proxies say
 * they speak for. Only what a trusted proxy has written is believed, so that no client can give itself an address.
 */
import type { IncomingMessage } from 'node:http'
import { firstOfNetwork, NetworkSet, readAddress } from '../domain/networks.ts'

/** What a request says of where it comes from. */
export interface RequestOrigin {
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** The header X-Forwarded-For; null or empty without one. */
  readonly forwardedFor: string | null
  /** The header Forwarded (RFC 7239); null or empty without one. */
  readonly forwarded: string | null
}

export function originOf({ socket, headers }: IncomingMessage): RequestOrigin {
  return { socket, forwardedFor: joined(headers['x-forwarded-for']), forwarded: joined(headers.forwarded) }
}

function joined(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : (header?.join(',') ?? null)
}

/** Null stands for a hop that its proxy did not name, or that cannot be read. */
type Hops = readonly (string | null)[]

export class ClientAddresses {
  readonly #trusted: NetworkSet

  /** `trusted` are networks in CIDR form. */
  constructor(trusted: readonly string[]) {
    this.#trusted = new NetworkSet(trusted)
  }

  /**
   * Null when nobody can tell. With both headers they must agree: a proxy writes the one and may pass on the other as the
   * client made it up.
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

  /** From the right, past every proxy of ours, to the first that is none; the last when all are. */
  #walk(peer: string, hops: Hops): string | null {
    let at: string | null = peer
    for (const hop of hops.toReversed()) {
      at = hop
      if (hop === null || !this.#trusted.has(hop)) break
    }
    return at
  }
}

/** What limits for each client count by: the address; of IPv6 the /64 network, which is what one client is given. */
export function shareOf(address: string | null): string {
  return address === null ? '' : address.includes(':') ? firstOfNetwork(address, IPV6_CLIENT_BITS) : address
}

const IPV6_CLIENT_BITS = 64

function readForwardedFor(header: string): Hops {
  return header.split(',').flatMap((each) => (each.trim() === '' ? [] : [readHop(each.trim())]))
}

/** A list of elements, each of pairs; values may be quoted, and commas and semicolons stand in quotes too. */
function readForwarded(header: string): Hops {
  // No two quantifiers that match the same characters stand beside each other, so that it never backtracks far.
  const pairs = /[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*)?(,|;|$)/y
  const hops: (string | null)[] = []
  let hop: string | null | undefined
  for (;;) {
    const match = pairs.exec(header)
    // What cannot be read hides whatever stands in it, so nothing before it is believed either.
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

/** An address, with a port or without; IPv6 in brackets or not. */
function readHop(text: string): string | null {
  const [, inBrackets, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:[\]]+)(?::\d{1,5})?)$/.exec(text) ?? []
  return readAddress(inBrackets ?? plain ?? text)
}
