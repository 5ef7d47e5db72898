import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressGuard } from '../../src/http/hooks/guard-address.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import type { HookAnswer } from '../../src/ports/hooks/hook-post.ts'
import { callTo } from '../support/hook-call.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const PRIVATE_NETWORKS: readonly [first: readonly [number, number, number, number], bits: number][] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[224, 0, 0, 0], 4],
  [[240, 0, 0, 0], 4],
]

const privateNumber = fc.constantFrom(...PRIVATE_NETWORKS).chain(([[a, b, c, d], bits]) =>
  fc
    .nat(2 ** (32 - bits) - 1)
    .map((rest) => ((a << 24) | (b << 16) | (c << 8) | d) + rest)
    .map((n) => n >>> 0),
)

const octets = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255)
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/** All the ways of writing an IPv4 address that a URL or a socket may understand. */
const SPELLINGS: readonly ((number: number) => string)[] = [
  (number) => octets(number).join('.'),
  (number) => String(number),
  (number) => `0x${number.toString(16)}`,
  (number) => `0${number.toString(8)}`,
  (number) =>
    octets(number)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (number) =>
    octets(number)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (number) => `${number >>> 24}.${number & 0xff_ff_ff}`,
  (number) => `0x${(number >>> 24).toString(16)}.${number & 0xff_ff_ff}`,
  (number) => `${number >>> 24}.${(number >>> 16) & 255}.${number & 0xff_ff}`,
  (number) => `[::ffff:${octets(number).join('.')}]`,
  (number) => `[::ffff:${hex(number >>> 16, 1)}:${hex(number & 0xff_ff, 4)}]`,
  (number) => `[0:0:0:0:0:FFFF:${hex(number >>> 16, 4)}:${hex(number & 0xff_ff, 4)}]`,
  (number) => `[::${octets(number).join('.')}]`,
  (number) => `[64:ff9b::${octets(number).join('.')}]`,
  (number) => `[2002:${hex(number >>> 16, 4)}:${hex(number & 0xff_ff, 4)}::1]`,
]

const NOWHERE = async (): Promise<readonly LookupAddress[]> => {
  throw new Error('no lookup expected')
}

async function postTo(
  address: string,
  setup: { allow?: readonly string[]; resolve?: () => Promise<readonly LookupAddress[]> } = {},
): Promise<HookAnswer> {
  const { allow = [], resolve = NOWHERE } = setup
  const hookPost = createHookPost({ clock: new VirtualClock(), allow, resolve })
  try {
    return await hookPost.post(callTo(address))
  } finally {
    await hookPost.stop()
  }
}

/** A hook on loopback that counts who reaches it. */
async function openHook(): Promise<{ port: number; calls: () => number; close: () => void }> {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, calls: () => calls, close: () => server.close() }
}

test('no spelling of a private address passes the guard', () => {
  const guard = new AddressGuard()
  fc.assert(
    fc.property(privateNumber, fc.constantFrom(...SPELLINGS), (number, spell) => {
      expect(guard.permits(spell(number).replace(/[[\]]/g, ''))).toBe(false)
    }),
  )
})

test('no spelling of a private address in a hook is called', async () => {
  await fc.assert(
    fc.asyncProperty(
      privateNumber,
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom('http', 'https'),
      async (number, spell, scheme) => {
        expect(await postTo(`${scheme}://${spell(number)}/hook`)).toMatchObject({ kind: 'forbidden' })
      },
    ),
    { numRuns: 60 },
  )
})

test.each([
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  'example.org',
  '',
])('the guard refuses %j', (address) => expect(new AddressGuard().permits(address)).toBe(false))

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  'the guard lets %s pass',
  (address) => expect(new AddressGuard().permits(address)).toBe(true),
)

test('an operator allows networks, and nothing beside them', () => {
  const guard = new AddressGuard(['10.1.0.0/16', 'fd00::/8'])
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map((address) => guard.permits(address))).toEqual([
    true,
    true,
    true,
  ])
  expect(['10.2.2.3', '127.0.0.1', 'fe80::1'].map((address) => guard.permits(address))).toEqual([false, false, false])
  expect(new AddressGuard(['10.1', '10.0.0.1/8']).permits('10.1.0.0')).toBe(false)
})

test.each(['ftp://example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'gopher://1.1.1.1/', 'nonsense', ''])(
  '%j is no hook',
  async (address) => expect(await postTo(address)).toMatchObject({ kind: 'forbidden' }),
)

test('a name with one private address among public ones is refused whole', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  expect(await postTo('http://hook.example/', { resolve })).toEqual({
    kind: 'failed',
    reason: 'the host has no public address',
  })
})

test('a name is resolved once, and the connection goes to the checked address', async () => {
  const hook = await openHook()
  // The second answer would be a forbidden address: it must not be requested.
  let asked = 0
  const resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  }
  const answer = await postTo(`http://hook.example:${hook.port}/`, { allow: ['127.0.0.1/32'], resolve })
  hook.close()
  expect(answer).toMatchObject({ kind: 'answered', status: 200 })
  expect(hook.calls()).toBe(1)
  expect(asked).toBe(1)
})

test('names of the own network and names that do not exist get the same answer', async () => {
  const missing = (code: string) => () => Promise.reject(Object.assign(new Error('no such host'), { code }))
  const inside = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }]
  const resolvers = [
    ...['ENOTFOUND', 'ENODATA'].map(missing),
    ...['127.0.0.1', '10.0.0.9', 'fd00::9', '169.254.169.254'].map(inside),
    async () => [],
  ]
  const answers = await Promise.all(resolvers.map((resolve) => postTo('http://hook.example/', { resolve })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ kind: 'failed', reason: 'the host has no public address' })]),
  )
})

test('a name that does not resolve has failed, which is not forbidden', async () => {
  expect(await postTo('http://hook.example/')).toEqual({ kind: 'failed', reason: 'no lookup expected' })
  expect(await postTo('http://hook.example/', { resolve: async () => [] })).toMatchObject({ kind: 'failed' })
})

test.each([
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fe80::1',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::f7f7:f7f7',
  '2001:0:808:808::5601:5601',
])('%s, where clouds give out credentials, is refused even in networks that are allowed', (address) => {
  expect(new AddressGuard().permits(address)).toBe(false)
  expect(new AddressGuard(['0.0.0.0/0', '::/0']).permits(address)).toBe(false)
})

test.each([
  ['64:ff9b::808:808', [], true],
  ['64:ff9b::a00:7', [], false],
  ['64:ff9b::a00:7', ['64:ff9b::/96'], false],
  ['64:ff9b::a00:7', ['10.0.0.0/8'], true],
  ['64:ff9b:1::808:808', [], false],
  ['64:ff9b:1::808:808', ['64:ff9b:1::/48'], true],
  ['64:ff9b:1::a00:7', ['64:ff9b:1::/48'], false],
  ['64:ff9b:1::a00:7', ['64:ff9b:1::/48', '10.0.0.0/8'], true],
  ['2002:808:808::1', [], false],
  ['2002:808:808::1', ['2002::/16'], true],
  ['2002:a00:7::1', ['2002::/16'], false],
  ['2001:0:808:808::f7f7:f7f7', [], false],
  ['2001:0:808:808::f5ff:fff8', ['2001::/32'], false],
  ['::10.0.0.7', ['::/96'], false],
] as const)('%s with %j allowed: %s, by the IPv4 address inside', (address, allowed, permitted) => {
  expect(new AddressGuard(allowed).permits(address)).toBe(permitted)
})
