/**
 * Addresses that no carrier and no hook has: those of the local link, and those where clouds give out credentials of their machines.
 * Private networks are not among them, for many carriers are reached through a VPN.
 */
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

/** `address` is an IP address; false for what is none. */
export function isRefusedAddress(address: string): boolean {
  return REFUSED.has(address)
}
