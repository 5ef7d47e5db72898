/**
 * Decides which addresses hooks may have: public ones and networks that the operator allows; never link-local addresses
 * and the metadata addresses of clouds, which cannot be allowed. Compares addresses as numbers, so that no spelling of
 * a private address passes.
 */
import ipaddr from 'ipaddr.js'
import { embeddedIpv4 } from '../../domain/network/embedded-ipv4.ts'
import { NetworkSet } from '../../domain/network/networks.ts'
import { isRefusedAddress } from '../../domain/network/refused-networks.ts'

type Address = ReturnType<typeof ipaddr.parse>

/** Global unicast IPv6 (RFC 4291 section 2.4), which contains all public addresses. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** NAT64 (RFC 6052): addresses of IPv4-only hosts in IPv6 networks. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

export class AddressGuard {
  readonly #allowed: NetworkSet

  /** `allowed` are networks in CIDR form, `10.0.0.0/8`; any other text allows nothing. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new NetworkSet(allowed)
  }

  /**
   * Whether a hook may have this IP address, in any spelling; false if it is not an IP address. An embedded IPv4
   * address must be permitted as well, and suffices for NAT64. Other tunnels and translators are never public.
   */
  permits(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    if (isRefusedAddress(address)) return false
    const inside = embeddedIpv4(address)
    if (!inside.every((each) => this.#allows(each))) return false
    return this.#allows(address) || (inside.length > 0 && isNat64(ipaddr.parse(address)))
  }

  #allows(address: string): boolean {
    return isPublic(ipaddr.process(address)) || this.#allowed.has(address)
  }
}

/** The guard refused an address; nothing was sent. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

function isPublic(ip: Address): boolean {
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST))
}

function isNat64(ip: Address): boolean {
  return ip.kind() === 'ipv6' && ip.match(NAT64)
}
