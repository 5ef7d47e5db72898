/** Link-local and metadata addresses are refused in every form that leads to them. */
import { expect, test } from 'vitest'
import { embeddedIpv4 } from '../../src/domain/network/embedded-ipv4.ts'
import { isRefusedAddress } from '../../src/domain/network/refused-networks.ts'

const FORMS: readonly [form: string, metadata: string, privateNetwork: string, outside: string][] = [
  ['plain', '169.254.169.254', '10.0.0.7', '8.8.8.8'],
  ['IPv4-mapped, dotted', '::ffff:169.254.169.254', '::ffff:10.0.0.7', '::ffff:8.8.8.8'],
  ['IPv4-mapped, hexadecimal', '::ffff:a9fe:a9fe', '::ffff:a00:7', '::ffff:808:808'],
  ['IPv4-mapped, in full', '0:0:0:0:0:FFFF:A9FE:A9FE', '0:0:0:0:0:FFFF:0A00:0007', '0:0:0:0:0:ffff:808:808'],
  ['IPv4-compatible, dotted', '::169.254.169.254', '::10.0.0.7', '::8.8.8.8'],
  ['IPv4-compatible, hexadecimal', '::a9fe:a9fe', '::a00:7', '::808:808'],
  ['IPv4-translated', '::ffff:0:169.254.169.254', '::ffff:0:10.0.0.7', '::ffff:0:8.8.8.8'],
  ['NAT64, dotted', '64:ff9b::169.254.169.254', '64:ff9b::10.0.0.7', '64:ff9b::8.8.8.8'],
  ['NAT64, hexadecimal', '64:ff9b::a9fe:a9fe', '64:ff9b::a00:7', '64:ff9b::808:808'],
  ['NAT64 with a zone', '64:ff9b::a9fe:a9fe%eth0', '64:ff9b::a00:7%eth0', '64:ff9b::808:808%eth0'],
  ['local NAT64, prefix of 48 bits', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a00:0:700::', '64:ff9b:1:808:8:800::'],
  ['local NAT64, 56 bits', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:a:0:7::', '64:ff9b:1:8:8:808::'],
  ['local NAT64, 64 bits', '64:ff9b:1:0:a9:fea9:fe00:0', '64:ff9b:1:0:a:0:700:0', '64:ff9b:1:0:8:808:800:0'],
  ['local NAT64, 96 bits', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1::a00:7', '64:ff9b:1::808:808'],
  ['6to4', '2002:a9fe:a9fe::1', '2002:a00:7::1', '2002:808:808::1'],
  ['Teredo by its server', '2001:0:a9fe:a9fe::f7f7:f7f7', '2001:0:a00:7::f7f7:f7f7', '2001:0:808:808::f7f7:f7f7'],
  ['Teredo by its client', '2001:0:808:808::5601:5601', '2001:0:808:808::f5ff:fff8', '2001:0:808:808::f7f7:f7f7'],
]

test.each(FORMS)('%s: the link-local address is refused, a private and a public one are not', (_form, ...addresses) => {
  expect(addresses.map(isRefusedAddress)).toEqual([true, false, false])
})

test.each(FORMS.slice(1))('%s: the IPv4 addresses inside are found', (_form, metadata, privateNetwork, outside) => {
  expect(embeddedIpv4(metadata)).toContain('169.254.169.254')
  expect(embeddedIpv4(privateNetwork)).toContain('10.0.0.7')
  expect(embeddedIpv4(outside)).toContain('8.8.8.8')
})

test.each(['168.63.129.16', '100.100.100.200', '192.0.0.192'])('%s is refused inside IPv6 as well', (address) => {
  for (const form of [`::${address}`, `64:ff9b::${address}`, `64:ff9b:1::${address}`]) {
    expect(isRefusedAddress(form)).toBe(true)
  }
})

test.each(['8.8.8.8', '2606:4700:4700::1111', '::', '::1', '2001:db8::a9fe:a9fe', 'example.org', ''])(
  'nothing is inside %j',
  (address) => {
    expect(embeddedIpv4(address)).toEqual([])
    expect(isRefusedAddress(address)).toBe(false)
  },
)
