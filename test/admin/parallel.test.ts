/** Many operators at one time: only what really collides is a conflict. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const times = <T>(count: number, ask: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

test('fifty accounts are made by fifty requests at one time', async () => {
  const made = await times(50, (index) => world.askAdmin('POST', '/accounts', { body: { name: `Shop ${index}` } }))
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 200))
  expect(new Set(made.map(({ body }) => body['account'])).size).toBe(50)
})

test('concurrent changes of carriers, prices, a configuration and accounts are all applied', async () => {
  const settings = { host: 'smpp.example.net', port: 2775, systemId: 'a', password: 'b' }
  const asked = await times(40, (index) => {
    const price = { channel: 'sms', currency: 'EUR', prefix: `4${100 + index}`, price: 0.01 }
    const numbers = [{ list: 'deny', digits: `88${index}` }]
    switch (index % 4) {
      case 0:
        return world.askAdmin('PUT', `/carriers/c${index}`, {
          body: { kind: 'smpp', settings, route: { prefix: `7${index}` } },
        })
      case 1:
        return world.askAdmin('PUT', '/prices', { body: price })
      case 2:
        return world.askAdmin('PUT', '/configuration', { body: { configuration: { numbers } } })
      default:
        return world.askAdmin('POST', '/accounts', { body: { name: `More ${index}` } })
    }
  })
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200))
  const { carriers, prices, listedNumbers, accounts } = await world.gateway.store.loadDirectory()
  expect(carriers.filter(({ id }) => /^c\d/.test(id))).toHaveLength(10)
  expect(prices.filter(({ prefix }) => /^41\d\d$/.test(prefix))).toHaveLength(10)
  expect(accounts.filter(({ name }) => name.startsWith('More'))).toHaveLength(10)
  expect(listedNumbers).toHaveLength(1)
})

test('of two concurrent conditional changes one gets 412', async () => {
  const { etag } = await world.askAdmin('GET', '/accounts/1')
  const change = { body: { report_steps: true }, headers: { 'if-match': String(etag) } }
  const both = await times(2, () => world.askAdmin('PATCH', '/accounts/1', change))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412])
})

const NUMBERS = [Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300, -1, 0, 0.5]

test.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s refuses a number that it cannot take without an internal error',
  async (name, { method, path, params, query, body }) => {
    // One of its own: some endpoints end the token that asks.
    const issued = await world.askAdmin('POST', '/users/sandbox/tokens', { body: { label: name } })
    const token = String(issued.body['token'])
    for (const number of NUMBERS) {
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(sample(params.properties[name], number)))
      const asked = Object.entries(query.properties).map(([name, schema]) => [name, String(sample(schema, number))])
      const sent = Object.entries(body.properties).map(([name, schema]) => [name, sample(schema, number)])
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const options = { token, ...(hasBody ? { body: Object.fromEntries(sent) } : {}) }
      const where = asked.length === 0 ? address : `${address}?${new URLSearchParams(asked as [string, string][])}`
      const { status } = await world.askAdmin(method, where, options)
      expect([number, status, status < 500]).toEqual([number, status, true])
    }
  },
)

/** The number where a number may be, and something harmless elsewhere. */
function sample(schema: unknown, number: number): unknown {
  const {
    type,
    anyOf,
    properties = {},
    pattern,
    enum: values,
  } = (schema ?? {}) as {
    readonly type?: string
    readonly anyOf?: readonly unknown[]
    readonly properties?: Readonly<Record<string, unknown>>
    readonly pattern?: string
    readonly enum?: readonly unknown[]
  }
  if (anyOf !== undefined) return sample(anyOf[0], number)
  if (values !== undefined) return values[0]
  if (type === 'integer' || type === 'number') return number
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sample(each, number)]))
  return pattern === undefined ? 'unknown' : '2026-11'
}
