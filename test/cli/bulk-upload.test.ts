/** `posthorn bulk`: an operator makes a bulk, uploads a file in parts, repeats it, starts it, exports its messages. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let line: CommandLine
beforeAll(async () => {
  world = await SandboxWorld.start()
  line = new CommandLine()
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
})
afterAll(async () => {
  line.close()
  await world.stop()
})

const MESSAGE = JSON.stringify({ type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' })

async function create(): Promise<readonly string[]> {
  const { bulk } = await line.ask(['bulk', 'create', '--account', '1', '--test', 'no', '--message', MESSAGE])
  return ['--account', '1', '--bulk', String(bulk)]
}

function write(name: string, text: string): string {
  writeFileSync(line.path(name), text)
  return line.path(name)
}

test('a file of several parts is uploaded, again without a second line, and sent', async () => {
  const bulk = await create()
  const rows = Array.from({ length: 5_003 }, (_, index) => `"Ann; ""${index}""\nB.";49170${String(index + 1e5)}01`)
  const file = write('lines.csv', `\uFEFFname;phone\n${rows.join('\n')}\nEve;12\n`)
  const { out } = await line.run(['bulk', 'upload', ...bulk, '--file', file])
  expect(out).toBe('The bulk has 5004 lines, of which 1 are refused. Estimate: 250.15 EUR.\n')
  const again = await line.ask(['bulk', 'upload', ...bulk, '--file', file])
  expect(again).toMatchObject({ lines: 5_004, refused: 1, skipped: 5_004 })
  expect(await line.ask(['bulk', 'errors', ...bulk])).toMatchObject({ data: [{ line: 5_004, field: 'phone' }] })
  expect(await line.ask(['bulk', 'set', ...bulk, '--pace', '1'])).toMatchObject({ pace: 1 })
  await line.ask(['bulk', 'start', ...bulk])
  await world.pass(4)
  await line.ask(['bulk', 'stop', ...bulk])
  const { out: messages } = await line.run(['message', 'export', '--bulk', String(bulk.at(-1))])
  expect(messages.trimEnd().split('\n').length - 1).toBe(
    Number((await line.ask(['bulk', 'show', ...bulk]))['accepted']),
  )
  expect(messages).toContain('4917010000001')
})

test('a file without lines, or that is no CSV, is refused by its name', async () => {
  const bulk = await create()
  const upload = (file: string) => line.run(['bulk', 'upload', ...bulk, '--file', file])
  expect(await upload(write('empty.csv', 'phone,name\n'))).toMatchObject({
    exitCode: 1,
    err: /empty.csv: has no lines/,
  })
  expect(await upload(write('quote.csv', 'phone,name\n"1'))).toMatchObject({ exitCode: 1, err: /quote.csv: / })
  expect(await upload(write('columns.csv', 'phone\n491701234501\n'))).toMatchObject({
    err: /The header has no column name/,
  })
  expect(await upload(line.path('missing.csv'))).toMatchObject({ exitCode: 1, err: /missing.csv/ })
})
