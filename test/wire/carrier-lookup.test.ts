/** Host names of carriers: resolved, and refused if they lead to link-local addresses. */
import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { carrierLookup } from '../../src/wire/carrier-lookup.ts'

/** The system returns the address itself for a name that is one, in any notation. */
const resolve = (name: string, all: boolean) =>
  new Promise<string | LookupAddress[]>((done, fail) => {
    carrierLookup(name, { all }, (error, address) => (error === null ? done(address) : fail(error)))
  })

test('a name is resolved, to one address or to all', async () => {
  expect(await resolve('127.0.0.1', false)).toBe('127.0.0.1')
  expect(await resolve('127.0.0.1', true)).toEqual([{ address: '127.0.0.1', family: 4 }])
})

test.each(['169.254.169.254', 'fe80::1', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1'])(
  'a name that resolves to %s is refused',
  async (address) => {
    for (const all of [false, true]) await expect(resolve(address, all)).rejects.toThrow('which is refused')
  },
)
