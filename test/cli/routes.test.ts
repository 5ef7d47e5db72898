/** Routes on the command line: added, replaced, changed field by field. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  const set = ['host=sms.example', 'port=2775', 'systemId=a', 'password=b'].flatMap((each) => ['--set', each])
  await line.ask(['carrier', 'add', '--id', 'acme', '--kind', 'smpp', '--no-route', ...set])
  await ask('route add --carrier acme --prefix 4917 --operators 26201 --priority 10')
})
afterEach(() => line.close())

const ask = (words: string) => line.ask(words.split(' '))
const routes = async () => (await line.directory()).routes

test('route set changes the named fields and keeps the others', async () => {
  await ask('route set --carrier acme --prefix 4917 --priority 0')
  expect(await routes()).toMatchObject([{ prefix: '4917', operators: ['26201'], priority: 0, weight: 1 }])
  await ask('route set --carrier acme --prefix 4917 --operators none')
  expect(await routes()).toMatchObject([{ prefix: '4917', operators: null, priority: 0, weight: 1 }])
})

test('route set refuses a route that does not exist, an invalid value, and no change', async () => {
  const before = await routes()
  const err = async (words: string) => (await line.run(words.split(' '))).err
  expect(await err('route set --carrier acme --priority 0')).toMatch(/there is no route sms every number to acme/)
  expect(await err('route set --carrier acme --prefix 4917 --priority 5000')).toMatch(/priority/)
  expect(await err('route set --carrier acme --prefix 4917')).toMatch(/nothing to change/)
  expect(await routes()).toEqual(before)
})

test('route add says what it replaces, and nothing when it adds', async () => {
  expect(await ask('route add --carrier acme --prefix 43')).toMatchObject({ replaced: [] })
  const { out } = await line.run('route add --carrier acme --prefix 4917 --priority 0'.split(' '))
  expect(out).toMatch(/^replaced +operators 26201 → none, priority 10 → 0$/m)
  expect(out).toContain('posthorn route set changes single fields')
})
