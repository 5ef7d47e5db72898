/**
 * The guard over where hooks may be: only public addresses, and the networks that an operator allows; never the local link
 * and the addresses where clouds give out credentials of their machines, which nobody can allow. It judges
 * addresses as numbers, never as text, so that no spelling of a private one passes.
 */
import ipaddr from 'ipaddr.js'
import { embeddedIpv4 } from '../domain/embedded-ipv4.ts'
import { NetworkSet } from '../domain/networks.ts'
import { isRefusedAddress } from '../domain/refused-networks.ts'

type Address = ReturnType<typeof ipaddr.parse>

/** IPv6 addresses that are routed on the internet (RFC 4291 section 2.4): everything public is in here. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** NAT64 (RFC 6052): what a resolver gives out in an IPv6 network for a host that has an IPv4 address only. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

export class AddressGuard {
  readonly #allowed: NetworkSet

  /** `allowed` are networks in CIDR form, `10.0.0.0/8`; any other form allows nothing. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new NetworkSet(allowed)
  }

  /**
   * Whether a hook may be at this IP address, in any spelling; false for what is no IP address. An IPv4 address inside an
   * IPv6 address must be permitted as well, and is enough with NAT64. Other tunnels and translators are never public.
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

/** An address that the guard refused; nothing was sent to it. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

function isPublic(ip: Address): boolean {
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST))
}

function isNat64(ip: Address): boolean {
  return ip.kind() === 'ipv6' && ip.match(NAT64)
}
