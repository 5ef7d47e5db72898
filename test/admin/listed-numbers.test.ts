/** An operator finds entries of the deny list and the allow list without writing a phone into an address. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
const ENTRIES = [
  { list: 'deny', digits: '881', whole: false, note: 'satellite phones' },
  { list: 'deny', digits: '491701234500', whole: true, note: 'complained' },
  { list: 'allow', digits: '4917012', whole: false, note: 'our own staff' },
  { list: 'deny', digits: 'US.1349aB', whole: true, note: 'hides the number' },
  { list: 'deny', digits: '1', whole: false, note: 'North America' },
]
beforeAll(async () => {
  world = await SandboxWorld.start()
  for (const body of ENTRIES) await world.askAdmin('POST', '/guards/numbers', { body })
})
afterAll(() => world.stop())

async function find(body: object): Promise<readonly unknown[]> {
  const { status, body: answer } = await world.askAdmin('POST', '/guards/numbers/search', { body })
  expect(status).toBe(200)
  return (answer['data'] as readonly { readonly digits: string }[]).map(({ digits }) => digits).sort()
}

test.each<[string, object, readonly string[]]>([
  ['a phone finds what applies to it', { search: '+49 170 1234500' }, ['4917012', '491701234500']],
  ['another phone finds its prefix only', { search: '491701299999' }, ['4917012']],
  ['digits find the entries that begin with them', { search: '49' }, ['4917012', '491701234500']],
  ['a word finds notes', { search: 'SATELLITE' }, ['881']],
  ['a list holds its entries', { list: 'allow' }, ['4917012']],
  ['a list and digits are both respected', { list: 'deny', search: '4917012' }, ['491701234500']],
  ['a user id finds what applies to it', { search: 'US.1349AB' }, ['1', 'US.1349aB']],
  ['the beginning of a user id finds it', { search: 'US.' }, ['US.1349aB']],
  ['another user id finds its country only', { search: 'US.7' }, ['1']],
  ['nothing finds all', {}, ['1', '4917012', '491701234500', '881', 'US.1349aB']],
])('%s', async (_, body, digits) => {
  expect(await find(body)).toEqual(digits)
})

test('entries come in pages', async () => {
  const { body } = await world.askAdmin('POST', '/guards/numbers/search', { body: { most: 2 } })
  expect(body).toMatchObject({ data: [{}, {}], next: 2 })
  expect(await find({ most: 2, after: 4 })).toHaveLength(1)
})
