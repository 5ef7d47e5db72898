/** Number pools: numbers are added, removed and found, and concurrent additions are all kept. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const numbers = (pool: string, csv: string, mode?: string) =>
  world.askAdmin('PUT', `/pools/${pool}/numbers`, { body: { csv, ...(mode === undefined ? {} : { mode }) } })
const ranges = async (pool: string, query = '') => (await world.askAdmin('GET', `/pools/${pool}/numbers${query}`)).body

test('numbers are added to a pool, and removed from it; the others stay', async () => {
  expect(await numbers('berlin', '4930123400000', 'remove')).toMatchObject({ status: 404 })
  expect(await numbers('berlin', '4930123400000-4930123400009')).toMatchObject({ status: 200, body: { numbers: 10 } })
  expect(await numbers('berlin', '4930123400010\n4930999900000', 'add')).toMatchObject({ body: { numbers: 12 } })
  const { body } = await numbers('berlin', '4930123400003,4930123400004', 'remove')
  expect(body['ranges']).toEqual(['4930123400000-4930123400002', '4930123400005-4930123400010', '4930999900000'])
  const all = await numbers('berlin', '4930123400000-4930999900000', 'remove')
  expect(all).toMatchObject({ status: 422 })
})

test('numbers come in pages of ranges, and the range of one number is found', async () => {
  await numbers('bonn', '4930123400000-4930123400002\n4930123400005-4930123400010\n4930999900000')
  expect(await ranges('bonn', '?most=2')).toEqual({
    data: [
      { first: '4930123400000', last: '4930123400002', numbers: 3 },
      { first: '4930123400005', last: '4930123400010', numbers: 6 },
    ],
    next: 2,
  })
  const found = { data: [{ first: '4930123400005', last: '4930123400010', numbers: 6 }], next: null }
  expect(await ranges('bonn', '?number=%2B49%2030%20123400007')).toEqual(found)
  expect(await ranges('bonn', '?number=4930123400003')).toMatchObject({ data: [] })
  expect((await world.askAdmin('GET', '/pools/nowhere/numbers')).status).toBe(404)
})

test('two operators who add numbers at one time both succeed', async () => {
  const added = Array.from({ length: 8 }, (_, index) => `493055500000${index}`)
  const answers = await Promise.all(added.map((number) => numbers('hamburg', number, 'add')))
  expect(answers.map(({ status }) => status)).toEqual(added.map(() => 200))
  expect(await ranges('hamburg', '?number=4930555000003')).toMatchObject({ data: [{ numbers: 8 }] })
})

test('a pool names the routes that use it', async () => {
  await numbers('leipzig', '4934100000000')
  const { body } = await world.askAdmin('GET', '/pools')
  expect(body['data']).toContainEqual(
    expect.objectContaining({ pool: 'sandbox', routes: ['route call every number to sandbox-voice'] }),
  )
  expect(body['data']).toContainEqual(expect.objectContaining({ pool: 'leipzig', routes: [] }))
})
