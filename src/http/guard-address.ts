/**
 * The guard over where hooks may be: only public addresses, and the networks that an operator allows; never the local link
 * and the addresses where clouds give out credentials of their machines, which nobody can allow. It judges
 * addresses as numbers, never as text, so that no spelling of a private one passes.
 */
import ipaddr from 'ipaddr.js'
import { NetworkSet } from '../domain/networks.ts'
import { isRefusedAddress } from '../domain/refused-networks.ts'

type Address = ReturnType<typeof ipaddr.parse>

/** IPv6 addresses that are routed on the internet (RFC 4291 section 2.4): everything public is in here. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

export class AddressGuard {
  readonly #allowed: NetworkSet

  /** `allowed` are networks in CIDR form, `10.0.0.0/8`; any other form allows nothing. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new NetworkSet(allowed)
  }

  /** Whether a hook may be at this IP address, in any spelling; false for what is no IP address. */
  permits(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    const ip = ipaddr.process(address)
    if (isRefusedAddress(ip.toString())) return false
    return isPublic(ip) || this.#allowed.has(address)
  }
}

/** An address that the guard refused; nothing was sent to it. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

function isPublic(ip: Address): boolean {
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST))
}
