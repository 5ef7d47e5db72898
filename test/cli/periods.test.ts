/** Periods of statements and margins that cannot be meant are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandLine, splitWords } from '../support/command-line.ts'

let line: CommandLine
beforeAll(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterAll(() => line.close())

const month = (offset: number) => {
  const now = new Date(line.clock.now())
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString().slice(0, 7)
}
const run = (words: string) => line.run(splitWords(words))

test('a margin that ends before it begins', async () => {
  const { exitCode, err } = await run(`ledger margin --from ${month(0)} --through ${month(-1)}`)
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: 'error: --from: must not be later than through\n' })
  expect(await run(`ledger margin --from ${month(-1)} --through ${month(0)}`)).toMatchObject({ exitCode: 0 })
})

test.each(['statement', 'statement-csv'])('the %s of a month that has not begun', async (command) => {
  const { exitCode, err } = await run(`account ${command} --account 1 --month ${month(1)}`)
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: 'error: --month: must not be later than this month\n' })
  expect(await run(`account ${command} --account 1 --month ${month(0)}`)).toMatchObject({ exitCode: 0 })
})
