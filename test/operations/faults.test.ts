import { afterEach, expect, test } from 'vitest'
import { forgetPhone } from '../../src/operations/admin/messages/forget-phone.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { rcs } from '../support/operations.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

let bench: ClientBench | null = null
afterEach(async () => {
  await bench?.stop()
  bench = null
})

/** The real store, one verb of which fails. */
const without = (verb: 'accept' | 'reserveIds' | 'balancesOf', error: Error) => (store: Store) =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === verb) return () => Promise.reject(error)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

test.each(['accept', 'reserveIds'] as const)(
  'a store that cannot %s: try again later, and nothing is sent',
  async (verb) => {
    bench = await startClientBench({ wrapStore: without(verb, new StoreError('disk full')) })
    expect(await bench.post([rcs()])).toEqual({
      success: false,
      error: 'Service unavailable, try again later',
      code: 'unavailable',
    })
    expect(bench.outbox.taken).toEqual([])
    expect(bench.log.lines).toMatchObject([{ level: 'warn' }])
  },
)

test('an internal error is answered without details and logged', async () => {
  bench = await startClientBench({ wrapStore: without('accept', new TypeError('x is not a function')) })
  expect(await bench.post([rcs()])).toEqual({ success: false, error: 'Internal error', code: 'internal' })
  expect(bench.log.lines).toMatchObject([{ level: 'error' }])
})

test('a request that writes nothing does not need the disk', async () => {
  bench = await startClientBench({ wrapStore: without('accept', new StoreError('disk full')) })
  expect(await bench.post([{ type: 'balance' }, rcs({ phone: 1 }), { type: 'template/chatapp/list' }])).toMatchObject({
    success: true,
  })
})

test('when ids cannot be had at first they are had later', async () => {
  let failures = 2
  bench = await startClientBench({
    wrapStore: (store) =>
      new Proxy(store, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name)
          if (name === 'reserveIds' && failures > 0) {
            return () => {
              failures -= 1
              return Promise.reject(new StoreError('not yet'))
            }
          }
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
  })
  expect(await bench.post([rcs()])).toMatchObject({ success: false })
  expect(await bench.post([rcs()])).toMatchObject({ success: false })
  expect(await bench.post([rcs()])).toMatchObject({ success: true })
})

test('a store that fails during an erasure: what is erased stays so, and a repeat continues', async () => {
  const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  await store.close()
  await expect(forgetPhone(store, '37120000000', 0)).rejects.toMatchObject({
    status: 503,
    message: 'the store failed before all data was erased: run it again to continue',
  })
})
