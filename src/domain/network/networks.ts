/**
 * Networks in CIDR form and membership in them. Addresses are compared as numbers, never as text: an IPv4 address is
 * the same one when mapped into IPv6.
 */
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Parsed = readonly [address: Address, bits: number]

const IPV4_BITS = 32
const IPV6_BITS = 128
/** `::ffff:0:0/96`: IPv4-mapped IPv6 addresses. */
const MAPPED_BITS = 96

/** Addresses whose results are cached: clients use few. */
const REMEMBERED_MAX = 1_000

/**
 * Returns the network in its stored form: `10.0.0.0/8`, `192.0.2.7/32` for a single address. Null for anything else,
 * including a network with bits set beyond its length, which is ambiguous.
 */
export function readNetwork(text: string): string | null {
  const parsed = parse(text)
  return parsed === null ? null : `${parsed[0].toString()}/${parsed[1]}`
}

/** Returns the shortest spelling of an address, IPv4-mapped IPv6 as IPv4; null if it is not an address. */
export function readAddress(text: string): string | null {
  return isAddress(text) ? ipaddr.process(text).toString() : null
}

/** Returns the first address of the network of `bits` bits that contains the IPv6 address; IPv4-mapped as IPv4. */
export function firstOfNetwork(text: string, bits: number): string {
  const plain = text.replace(/%.*$/, '')
  if (!isAddress(plain)) return text
  const address = ipaddr.process(plain)
  return address instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()
    : address.toString()
}

export class NetworkSet {
  readonly #networks: readonly Parsed[]
  readonly #known = new Map<string, boolean>()

  /** Invalid networks contain no address. */
  constructor(networks: readonly string[]) {
    this.#networks = networks.flatMap((network) => {
      const parsed = parse(network)
      return parsed === null ? [] : [parsed]
    })
  }

  /** Returns whether the address is in one of them; false if it is not an address. */
  has(address: string): boolean {
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const found = this.#find(address)
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear()
    this.#known.set(address, found)
    return found
  }

  #find(text: string): boolean {
    // The system adds a zone to link-local addresses: it names the interface, not the peer.
    const plain = text.replace(/%.*$/, '')
    if (!isAddress(plain)) return false
    const address = ipaddr.process(plain)
    return this.#networks.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits))
  }
}

function parse(text: string): Parsed | null {
  const [, address = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (!isAddress(address)) return null
  const written = ipaddr.parse(address)
  const mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress()
  const longest = written.kind() === 'ipv4' ? IPV4_BITS : IPV6_BITS
  const bits = length === undefined ? longest : Number(length)
  if (bits > longest || (mapped && bits < MAPPED_BITS)) return null
  const network: Parsed = mapped ? [written.toIPv4Address(), bits - MAPPED_BITS] : [written, bits]
  return isFirstOf(network) ? network : null
}

/** Four decimal numbers, or IPv6 without a zone, except `::192.0.2.1`, which the library wrongly takes for IPv4. */
function isAddress(text: string): boolean {
  if (!text.includes(':')) return isFourDecimals(text)
  return ipaddr.IPv6.isValid(text) && !text.includes('%') && (!text.includes('.') || /^::ffff:/i.test(text))
}

function isFourDecimals(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) && text.split('.').every((part) => String(Number(part)) === part)
}

function isFirstOf([address, bits]: Parsed): boolean {
  return address.toByteArray().every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return (byte & (0xff >> kept)) === 0
  })
}
