/** An operator reviews what a configuration would change, and applies exactly that. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

interface Applied {
  readonly applied: boolean
  readonly review: string
  readonly counts: object
  readonly changes: readonly object[]
  readonly difference: readonly string[]
}

const put = (configuration: object, options: object = {}) =>
  world.askAdmin('PUT', '/configuration', { body: { configuration, ...options } })
const review = async (configuration: object) => {
  const { status, body } = await put(configuration, { dry_run: true })
  expect({ status, body }).toMatchObject({ status: 200, body: { applied: false } })
  return body as unknown as Applied
}
const exported = async () => (await world.askAdmin('GET', '/configuration')).body as Record<string, object[]>
const deny = (digits: string, note: string) => ({ list: 'deny', digits, whole: false, note })

test('a review counts the changes and names the fields of each, before and after', async () => {
  await put({ numbers: [deny('881', 'satellite'), deny('882', 'networks')] })
  const numbers = [deny('881', 'satellites'), deny('883', 'new')]
  const { counts, changes, difference } = await review({ numbers, guards: { daily_messages: 50_000 } })
  expect(counts).toEqual({ added: 1, removed: 1, changed: 2 })
  expect(changes).toEqual([
    { section: 'guards', action: 'changed', item: 'guards', fields: [change('daily_messages', 'null', '50000')] },
    number('added', '883', null, '"new"'),
    number('removed', '882', '"networks"', null),
    number('changed', '881', '"satellite"', '"satellites"'),
  ])
  expect(difference[3]).toBe('~ 881… on the deny list: note "satellite" → "satellites"')
})

const change = (field: string, before: string | null, after: string | null) => ({ field, before, after })
const number = (action: string, digits: string, before: string | null, after: string | null) => ({
  ...{ section: 'numbers', action, item: `${digits}… on the deny list` },
  fields: [change('note', before, after)],
})

test('a reviewed change is applied; after another change in the meantime it is refused, and nothing changes', async () => {
  const wanted = { numbers: [deny('881', 'ours')] }
  const seen = await review(wanted)
  await world.askAdmin('POST', '/guards/numbers', { body: deny('884', 'of a colleague') })
  const refused = await put(wanted, { review: seen.review })
  expect(refused).toMatchObject({ status: 412, body: { detail: expect.stringContaining('do a dry run again') } })
  expect((await exported())['numbers']).toContainEqual(deny('884', 'of a colleague'))

  const again = await review(wanted)
  expect(again.difference).toContain('- 884… on the deny list')
  // What the document does not concern may change.
  await world.askAdmin('POST', '/accounts', { body: { name: 'Another' } })
  expect(await put(wanted, { review: again.review })).toMatchObject({ status: 200, body: { applied: true } })
  expect((await exported())['numbers']).toEqual(wanted.numbers)
})

test('a list that keeps its length is still another list', async () => {
  const { pools = [] } = await exported()
  const from = (first: number) => {
    const numbers = Array.from({ length: 12 }, (_, index) => String(4930123400000 + first + index * 2))
    return { pools: [...pools, { id: 'berlin', code_digits: 4, numbers }] }
  }
  await put(from(0))
  const seen = await review(from(100))
  expect(seen.changes).toMatchObject([{ fields: [change('numbers', '12 entries', '12 entries')] }])
  await put(from(200))
  expect(await put(from(100), { review: seen.review })).toMatchObject({ status: 412 })
})

test('a review shows no secret, not even inside a list', async () => {
  const settings = {
    request: { address: 'http://127.0.0.1:8099/send', json: { users: ['secret77'], text: '{text}' } },
    answer: { id: { path: 'id' } },
  }
  const { carriers = [] } = await exported()
  const added = { id: 'any', kind: 'http', channel: 'sms', settings }
  const { changes } = await review({ carriers: [...carriers, added] })
  expect(JSON.stringify(changes)).not.toContain('secret77')
  expect(JSON.stringify(changes)).toContain('(secret)')
  const ids = carriers.map((carrier) => Reflect.get(carrier, 'id'))
  expect(ids).toContain(SANDBOX_CARRIERS.sms)
})

test('of very many changes the first thousand have their fields; all are counted and have their line', async () => {
  const numbers = Array.from({ length: 1_200 }, (_, index) => deny(String(70_000 + index), ''))
  const { counts, changes, difference } = await review({ numbers })
  expect(counts).toMatchObject({ added: 1_200 })
  expect(changes).toHaveLength(1_000)
  expect(difference.length).toBeGreaterThanOrEqual(1_200)
})
