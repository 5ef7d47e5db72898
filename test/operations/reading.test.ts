import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { itemError, rcs } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const create = (fields: object = {}) => ({ type: 'template/create', name: 'welcome', template: 'TEMPLATE', ...fields })

test('balance: what can be spent, in request order', async () => {
  expect(await bench.ask({ type: 'balance' })).toEqual({ success: true, data: { amount: 1000, currency: 'EUR' } })
  const { data } = await bench.post([{ type: 'balance' }, rcs(), { type: 'balance' }, rcs(), { type: 'balance' }])
  expect([data[0], data[2], data[4]].map((result) => result.data.amount)).toEqual([1000, 999.97, 999.94])
  expect(await bench.ask({ type: 'balance' })).toMatchObject({ data: { amount: 999.94 } })
})

test('template/create: the template with its id and its length', async () => {
  expect(await bench.ask(create())).toEqual({
    success: true,
    data: { id: expect.any(Number), template: 'TEMPLATE', name: 'welcome', count: '8 / 1' },
  })
})

test.each([
  ['x'.repeat(161), '161 / 2'],
  ['я'.repeat(71), '71 / 2'],
  ['🎉', '1 / 1'],
  ['€'.repeat(81), '81 / 2'],
])('count is characters and SMS parts: case %#', async (template, count) => {
  expect(await bench.ask(create({ template }))).toMatchObject({ data: { count } })
})

test('a template name is unique in its account', async () => {
  const { data } = await bench.post([create(), create({ id: 5 })])
  expect(data[1]).toEqual(itemError('name: already used by another template', { id: 5 }))
  expect(await bench.ask(create())).toEqual(itemError('name: already used by another template'))
  expect(await bench.ask(create({ name: 'Welcome' }))).toMatchObject({ success: true })
})

test.each([
  [{ template: '' }, 'template: required'],
  [{ name: undefined }, 'name: required'],
  [{ name: 'x'.repeat(101) }, 'name: at most 100 characters'],
  [{ template: 'x'.repeat(1531) }, 'template: at most 10 SMS parts'],
])('a template that cannot be: %j', async (fields, error) => {
  expect(await bench.ask(create(fields))).toEqual(itemError(error))
})

test('template/chatapp/list: those of the account, with their status', async () => {
  await bench.change({
    kind: 'set chat template',
    template: { id: 3, accountId: bench.accountId, template: 'Hi', signature: 'Posthorn', status: 'submitted' },
  })
  expect(await bench.ask({ type: 'template/chatapp/list' })).toEqual({
    success: true,
    data: [
      { id: 1, template: 'Your order {{1}} is on its way.', signature: 'ChatTest', status: 'approved' },
      { id: 2, template: 'Your code is {{1}}.', signature: 'ChatTest', status: 'approved' },
      { id: 3, template: 'Hi', signature: 'Posthorn', status: 'submitted' },
    ],
  })
})

test('all operations work on both paths', async () => {
  const { data } = await bench.post([{ type: 'balance' }, create(), { type: 'template/chatapp/list' }], {
    path: '/v1/json',
  })
  expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true])
})
