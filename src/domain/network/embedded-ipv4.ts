/**
 * IPv4 addresses inside IPv6 addresses. A host with a translator or a tunnel reaches the IPv4 address by way of the
 * IPv6 address, so a rule about IPv4 addresses has to look inside.
 */
import ipaddr from 'ipaddr.js'

type Bytes = readonly number[]

interface Embedding {
  readonly network: ReturnType<typeof ipaddr.parseCIDR>
  /** The bytes of the IPv6 address that make up each IPv4 address in it. */
  readonly places: readonly Bytes[]
  /** The positions whose bits are inverted. */
  readonly inverted?: Bytes
}

const LAST: Bytes = [12, 13, 14, 15]
const TEREDO_CLIENT = LAST

const EMBEDDINGS: readonly Embedding[] = [
  // IPv4-compatible (RFC 4291 2.5.5.1), IPv4-mapped (2.5.5.2), IPv4-translated (RFC 2765).
  { network: ipaddr.parseCIDR('::/96'), places: [LAST] },
  { network: ipaddr.parseCIDR('::ffff:0:0/96'), places: [LAST] },
  { network: ipaddr.parseCIDR('::ffff:0:0:0/96'), places: [LAST] },
  // NAT64 (RFC 6052 2.1).
  { network: ipaddr.parseCIDR('64:ff9b::/96'), places: [LAST] },
  // Local NAT64 (RFC 8215): the prefix length is known only to its operator, so every length of RFC 6052 2.2 counts.
  {
    network: ipaddr.parseCIDR('64:ff9b:1::/48'),
    places: [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], LAST],
  },
  // 6to4 (RFC 3056 2).
  { network: ipaddr.parseCIDR('2002::/16'), places: [[2, 3, 4, 5]] },
  // Teredo (RFC 4380 4): its server, and its client with every bit inverted.
  { network: ipaddr.parseCIDR('2001::/32'), places: [[4, 5, 6, 7], TEREDO_CLIENT], inverted: TEREDO_CLIENT },
]

/** Returns the IPv4 addresses inside an IPv6 address in any spelling; an empty list for any other text. */
export function embeddedIpv4(text: string): readonly string[] {
  const plain = text.replace(/%.*$/, '')
  if (!plain.includes(':') || !ipaddr.IPv6.isValid(plain)) return []
  const address = ipaddr.IPv6.parse(plain)
  const bytes = address.toByteArray()
  return EMBEDDINGS.filter(({ network }) => address.match(network))
    .flatMap(({ places, inverted }) =>
      places.map((place) => place.map((at) => (bytes[at] ?? 0) ^ (place === inverted ? 0xff : 0)).join('.')),
    )
    .filter((found) => !found.startsWith('0.'))
}
