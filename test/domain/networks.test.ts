/** Networks: what is one, and who is in it, whatever the spelling. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NetworkSet, readAddress, readNetwork } from '../../src/domain/network/networks.ts'

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('%s is kept as %s', (text, kept) => expect(readNetwork(text)).toBe(kept))

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '192.0.2.128/24',
    '10.0.0.0/-1',
    '10.0.0.0/8.0',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '167772160/8',
    'everywhere',
    '2001:db8::1/32',
    '2001:db8::/129',
    'fe80::1%eth0/128',
    '[2001:db8::]/32',
    '::ffff:10.0.0.0/64',
    ' 10.0.0.0/8',
    '10.0.0.0/8\n',
  ])('%j is none', (text) => expect(readNetwork(text)).toBeNull())

  test('holds exactly the addresses that share its first bits, mapped into IPv6 or not', () => {
    const number = fc.nat(0xff_ff_ff_ff)
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 32 }), number, (base, bits, other) => {
        const mask = bits === 0 ? 0 : (~0 << (32 - bits)) >>> 0
        const network = `${dotted((base & mask) >>> 0)}/${bits}`
        const set = new NetworkSet([network])
        const within = ((other ^ base) & mask) >>> 0 === 0
        const inside = ((base & mask) | (other & ~mask)) >>> 0
        expect(readNetwork(network)).toBe(network)
        for (const write of [dotted, (n: number) => `::ffff:${dotted(n)}`, mapped]) {
          expect(set.has(write(other))).toBe(within)
          expect(set.has(write(inside))).toBe(true)
        }
      }),
    )
  })
})

describe('a set of networks', () => {
  const set = new NetworkSet(['192.0.2.0/24', '2001:db8:7::/48', 'nonsense'])

  test.each([
    ['192.0.2.255', true],
    ['::ffff:192.0.2.1', true],
    ['::ffff:c000:201', true],
    ['192.0.3.0', false],
    ['2001:db8:7::9', true],
    ['2001:DB8:7:0:1::', true],
    ['2001:db8:8::', false],
    ['::192.0.2.1', false],
    ['', false],
    ['nonsense', false],
    ['192.0.2', false],
  ])('%s: %s, and so again', (address, within) => {
    expect([set.has(address), set.has(address)]).toEqual([within, within])
  })

  test('distinguishes IPv4 and IPv6, and an empty list contains no address', () => {
    expect(new NetworkSet(['::/0']).has('192.0.2.1')).toBe(false)
    expect(new NetworkSet(['0.0.0.0/0']).has('2001:db8::1')).toBe(false)
    expect(new NetworkSet([]).has('192.0.2.1')).toBe(false)
  })
})

test('an address is written in one way', () => {
  expect(
    ['192.0.2.1', '::ffff:192.0.2.1', '2001:DB8:0::1', '0192.0.2.1', '192.0.2', '1', 'x'].map(readAddress),
  ).toEqual(['192.0.2.1', '192.0.2.1', '2001:db8::1', null, null, null, null])
})

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

function mapped(number: number): string {
  return `::ffff:${(number >>> 16).toString(16)}:${(number & 0xff_ff).toString(16)}`
}
