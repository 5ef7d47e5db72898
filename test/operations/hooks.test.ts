/** Hooks that can be seen to be private are refused before anything is sent. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { itemError, rcs, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ hookAllow: ['10.1.0.0/16', '::1/128'] })
})
afterEach(() => bench.stop())

const REFUSED = 'hook: must be a public address, private networks are not allowed'

test.each([
  'http://127.0.0.1:9000/hook',
  'http://10.2.3.4/',
  'https://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://127.1/',
  'http://[::ffff:10.2.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://0.0.0.0/',
])('%s is refused, and nothing is sent', async (hook) => {
  const { data } = await bench.post([
    sms({ hook, id: 5 }),
    rcs(),
    { ...sms({ hook }), type: 'price', send_type: 'sms' },
  ])
  expect(data[0]).toEqual(itemError(REFUSED, { id: 5 }))
  expect(data[1]).toMatchObject({ success: true })
  expect(data[2]).toEqual(itemError(REFUSED, { id: 1 }))
  expect(bench.outbox.taken).toHaveLength(1)
})

test.each(['http://localhost:9000/', 'http://LOCALHOST./', 'http://shop.localhost/'])(
  '%s is loopback',
  async (hook) => {
    const closed = await startClientBench()
    expect(await closed.ask(sms({ hook }))).toEqual(itemError(REFUSED, { id: 1 }))
    expect(await bench.ask(sms({ hook }))).toMatchObject({ success: true })
    await closed.stop()
  },
)

test.each([
  'https://client.example/hook',
  'http://intranet/',
  'http://192.0.78.9/',
  'http://[2606:4700::1111]/',
  'http://10.1.2.3:8080/',
  'http://[::1]/',
  'http://localhost.example/',
])('%s is taken: it is public, allowed, or a name that is judged when the report goes', async (hook) => {
  expect(await bench.ask(sms({ hook }))).toMatchObject({ success: true })
})

test("the operator's default hook is not the client's fault", async () => {
  const settled = await startClientBench({ settings: { defaultHook: 'http://127.0.0.1/hook' } })
  expect(await settled.ask(sms())).toMatchObject({ success: true })
  expect(settled.outbox.taken[0]?.hook).toBe('http://127.0.0.1/hook')
  await settled.stop()
})
