/**
 * The guard over where hooks may be: only public addresses, and the networks that an operator allows. It judges
 * addresses as numbers, never as text, so that no spelling of a private one passes.
 */
import ipaddr from 'ipaddr.js'

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** IPv6 addresses that are routed on the internet (RFC 4291 section 2.4): everything public is in here. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

export class AddressGuard {
  readonly #allowed: readonly Network[]

  /** `allowed` are networks in CIDR form, `10.0.0.0/8`. Throws on any other form. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed.map((network) => ipaddr.parseCIDR(network))
  }

  /** Whether a hook may be at this IP address, in any spelling; false for what is no IP address. */
  permits(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    const ip = ipaddr.process(address)
    return isPublic(ip) || this.#allowed.some((network) => contains(network, ip))
  }
}

/** An address that the guard refused; nothing was sent to it. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

function isPublic(ip: Network[0]): boolean {
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || contains(GLOBAL_UNICAST, ip))
}

function contains(network: Network, ip: Network[0]): boolean {
  return network[0].kind() === ip.kind() && ip.match(network)
}
