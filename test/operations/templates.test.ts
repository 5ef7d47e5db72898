/** SMS templates: `template/create`, `template/list` and `template/delete` beside each other. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import type { Change } from '../../src/ports/stores/setup-store.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { itemError } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ limits: { templatesListed: 3 } })
})
afterEach(() => bench.stop())

const create = (name: string) => ({ type: 'template/create', name, template: `Hello ${name}` })
const list = (fields: object = {}) => ({ type: 'template/list', ...fields })
const remove = (fields: object) => ({ type: 'template/delete', ...fields })
const chatList = { type: 'template/chatapp/list' }
const ok = (data: object) => ({ success: true, data })

test('a list shows what was created, in the shape of its creation', async () => {
  const [first, second, all] = (await bench.post([create('a'), create('b'), list()])).data
  expect(all).toEqual(ok([first.data, second.data]))
  expect(first.data).toEqual({ id: expect.any(Number), template: 'Hello a', name: 'a', count: '7 / 1' })
})

test('a long list comes a page at a time', async () => {
  const { data } = await bench.post(['a', 'b', 'c', 'd', 'e'].map(create))
  const created = data.map((result: { data: { id: number } }) => result.data)
  expect(await bench.ask(list())).toEqual(ok(created.slice(0, 3)))
  expect(await bench.ask(list({ after: 0 }))).toEqual(ok(created.slice(0, 3)))
  expect(await bench.ask(list({ after: created[2].id }))).toEqual(ok(created.slice(3)))
  expect(await bench.ask(list({ after: String(created[4].id) }))).toEqual(ok([]))
})

test.each([SYNC_PATH, ASYNC_PATH])('deletes a template by name or id, and returns it (%s)', async (path) => {
  const { data } = await bench.post(['a', 'b', 'c'].map(create))
  const [a, b, c] = data.map((result: { data: { id: number } }) => result.data)
  const { data: removed } = await bench.post(
    [remove({ name: 'a' }), remove({ id: b.id }), remove({ id: String(c.id), name: 'c' }), list(), create('a')],
    { path },
  )
  expect(removed).toEqual([ok(a), ok(b), ok(c), ok([]), ok({ ...a, id: expect.any(Number) })])
})

test.each<[object, string, object, string?]>([
  [{}, 'name: required, or id', {}],
  [{ name: '', id: null }, 'name: required, or id', {}],
  [{ name: 5 }, 'name: must be a string of valid Unicode without the character U+0000', {}],
  [{ id: -1 }, 'id: must be a positive whole number', { id: -1 }],
  [{ id: 1.5 }, 'id: must be a positive whole number', { id: 1.5 }],
  [{ id: 'first' }, 'id: must be a positive whole number', { id: 'first' }],
  [{ id: [5] }, 'id: must be a positive whole number', {}],
  [{ id: 0 }, 'id: must be a positive whole number', { id: 0 }],
  [{ id: 5 }, 'Template not found', { id: 5 }, 'id'],
  [{ name: 'b' }, 'Template not found', {}, 'name'],
  [{ id: 5, name: 'a' }, 'Template not found', { id: 5 }, 'name'],
])('%j: %s', async (fields, error, data, field) => {
  await bench.ask(create('a'))
  expect(await bench.ask(remove(fields))).toEqual(itemError(error, data, field))
  expect((await bench.ask(list())).data).toHaveLength(1)
})

test('an id of 16 digits and more is read exactly', async () => {
  const { text } = await bench.postRaw(`{"auth":"${KEY}","data":[{"type":"template/delete","id":9007199254740991},
    {"type":"template/delete","id":9007199254740993}]}`)
  expect(JSON.parse(text).data.map((result: { error: string }) => result.error)).toEqual([
    'Template not found',
    'id: must be a positive whole number',
  ])
})

test.each([-1, 'x', {}, true])('a list cannot go on behind %j', async (after) => {
  expect(await bench.ask(list({ after }))).toEqual(itemError('after: must be a positive whole number'))
})

test('under an Idempotency-Key both answer as they did', async () => {
  await bench.ask(create('a'))
  const body = JSON.stringify({ auth: KEY, data: [list(), remove({ name: 'a' }), remove({ name: 'a' }), list()] })
  const headers = { 'Idempotency-Key': 'templates-1' }
  const { text } = await bench.postRaw(body, { headers })
  expect(JSON.parse(text).data).toMatchObject([
    { data: [{ name: 'a' }] },
    { data: { name: 'a' } },
    { success: false },
    { data: [] },
  ])
  await bench.ask(create('a'))
  expect((await bench.postRaw(body, { headers })).text).toBe(text)
  expect((await bench.ask(list())).data).toHaveLength(1)
})

test('a request lists ten times at most, and of one more nothing is executed', async () => {
  const lists = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? list() : chatList))
  expect(await bench.post(lists)).toMatchObject({ success: true })
  expect(await bench.post([create('a'), ...lists, list()])).toEqual({
    success: false,
    error: 'data: at most 10 operations that list something in a request',
    code: 'too_many_operations',
  })
  expect((await bench.ask(list())).data).toEqual([])
})

test('an account keeps so many templates, and deleting one makes room for another', async () => {
  await bench.stop()
  bench = await startClientBench({ limits: { templatesKept: 2 } })
  const full = 'template: no room for another template in this account, delete one first'
  const { data } = await bench.post([create('a'), create('b'), create('c')])
  expect(data.map(({ success, error }: { success: boolean; error?: string }) => error ?? success)).toEqual([
    true,
    true,
    full,
  ])
  expect(await bench.ask(create('d'))).toEqual({
    success: false,
    error: full,
    code: 'too_many_templates',
    field: 'template',
    data: {},
  })
  expect(await bench.ask(remove({ name: 'a' }))).toMatchObject({ success: true })
  expect(await bench.ask(create('d'))).toMatchObject({ success: true })
})

test('lists whose texts are too many bytes together refuse the request before any of it is made', async () => {
  const template = 'x'.repeat(5 * 1024 * 1024)
  const status = 'approved'
  const change = {
    kind: 'set chat template',
    template: { id: 9, accountId: bench.accountId, template, signature: 'S', status },
  }
  await bench.change(change as Change)
  expect(await bench.post([create('a'), chatList, chatList, chatList, chatList])).toEqual({
    success: false,
    error: 'data: the lists of an answer take at most 16777216 bytes, ask for them in several requests',
    code: 'invalid_request',
  })
  expect((await bench.ask(list())).data).toEqual([])
})

test.each(['a\u200bb', 'a\u202eb', 'a\u2066b', '\ufeffa', 'a\nb'])(
  'a name with hidden characters is refused: %j',
  async (name) => {
    const error = 'name: must not have invisible characters, nor characters that reverse text'
    expect(await bench.ask(create(name))).toEqual({
      success: false,
      error,
      code: codeOf(error),
      field: 'name',
      data: {},
    })
    expect((await bench.ask(list())).data).toEqual([])
  },
)

test('a request creates and deletes a limited number of templates, and of one more nothing is executed', async () => {
  await bench.stop()
  bench = await startClientBench({ limits: { templateChangesInRequest: 4 } })
  const four = [create('a'), remove({ name: 'a' }), create('a'), create('b')]
  const { data } = await bench.post([...four, list()], { path: ASYNC_PATH })
  expect(data.map(({ success }: { success: boolean }) => success)).toEqual([true, true, true, true, true])
  expect(await bench.post([create('c'), ...four], { path: ASYNC_PATH })).toMatchObject({
    success: false,
    error: 'data: at most 4 operations that create or delete a template in a request',
  })
  const { data: left } = await bench.ask(list())
  expect(left.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
})

test('a name that is created and deleted again and again is free or taken as the last operation left it', async () => {
  await bench.ask(create('old'))
  const again = Array.from({ length: 400 }, () => [remove({ name: 'old' }), create('old')]).flat()
  const { data } = await bench.post([...again, create('old'), remove({ name: 'old' }), list()], { path: ASYNC_PATH })
  const failed = data.flatMap(({ success }: { success: boolean }, index: number) => (success ? [] : [index]))
  expect(failed).toEqual([800])
  expect(data.at(-1)).toEqual(ok([]))
})
