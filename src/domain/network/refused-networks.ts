/**
 * Addresses that no carrier and no hook may have: link-local ones, and those where clouds serve the credentials of
 * their machines. Private networks are allowed, because many carriers are reached through a VPN.
 */
import { embeddedIpv4 } from './embedded-ipv4.ts'
import { NetworkSet } from './networks.ts'

const REFUSED = new NetworkSet([
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services: AWS over IPv6, Azure, Alibaba, Oracle.
  'fd00:ec2::/32',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
])

/** Returns whether the address, or an IPv4 address inside it, is in one of them. False if it is not an IP address. */
export function isRefusedAddress(address: string): boolean {
  return REFUSED.has(address) || embeddedIpv4(address).some((inside) => REFUSED.has(inside))
}
