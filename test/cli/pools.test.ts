/** Pools of calling numbers from a file: all of it, or the line that is wrong and nothing of it. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterEach(() => line.close())

const importing = (csv: string, ...more: readonly string[]) =>
  line.run(['pool', 'import', '-', '--id', 'berlin', ...more], csv)
const pools = async () => (await line.ask(['pool', 'list']))['data']

const BERLIN = ['4930123400000-4930123400099', '4930999900000', '4930999900002']

test('a file of numbers and ranges is a pool, each number once', async () => {
  const file = line.path('numbers.csv')
  const rows = ['number', '+4930123400000-4930123400049', '"4930123400050","4930123400099"', '', '4930999900000']
  writeFileSync(file, `\uFEFF${[...rows, '4930999900000', '4930999900002'].join('\r\n')}`)
  const { out, exitCode } = await line.run(['pool', 'import', file, '--id', 'berlin', '--code-digits', '5'])
  expect([exitCode, out]).toEqual([0, 'Pool berlin now has 102 numbers; their last 5 digits are the code.\n'])
  expect(await pools()).toEqual([{ pool: 'berlin', code_digits: 5, numbers: 102, ranges: BERLIN, routes: [] }])
})

test('a pool of scattered numbers does not flood the table of pools', async () => {
  await importing(Array.from({ length: 1_000 }, (_, index) => `4930123${400_000 + index * 2}`).join('\n'))
  const { out } = await line.run(['pool', 'list'])
  expect(out).toContain('4930123400000, 4930123400002, ')
  expect(out).toMatch(/ 4930123400038, … 1000 in all +-\n$/)
  expect(await pools()).toMatchObject([{ numbers: 1_000, ranges: { length: 1_000 } }])
})

test('an import replaces the numbers of a pool, and its codes stay as long as they are', async () => {
  await importing('4930123400000\n', '--code-digits', '6')
  await importing('4930123400007\n')
  expect(await pools()).toEqual([{ pool: 'berlin', code_digits: 6, numbers: 1, ranges: ['4930123400007'], routes: [] }])
})

test.each([
  ['4930123400000\nBerlin\n', 'line 2: "Berlin" is neither a number such as 4930123400000 nor a range such as'],
  [
    '4930123400000\n\n4930123400009-4930123400001\n',
    'line 3: the range 4930123400009-4930123400001 must go from a number to a higher one',
  ],
  ['number\n4930123400000,4930123400009,berlin\n', 'line 2: must have only a number or a range'],
  ['493012340000000-493012349999999\n', 'line 1: a pool takes at most 100000 numbers'],
  ['4930123400000\n00000000\n', 'line 2: 0 is not a possible phone number with its country code'],
  ['4930123400000\nBerlin\nParis\n', '2 lines are wrong\nline 2: "Berlin" is neither'],
  ['', 'a pool needs at least one number'],
])('of the file %j nothing is done, and the line is named', async (csv, error) => {
  await importing('4930999900000\n')
  const { exitCode, err } = await importing(csv)
  expect([exitCode, err]).toEqual([1, expect.stringContaining(error)])
  expect(await pools()).toMatchObject([{ ranges: ['4930999900000'] }])
})
