/** CSV files as spreadsheets of all countries write them. */
import { describe, expect, test } from 'vitest'
import { plainCell, readCsv, writeCsv } from '../../src/operations/admin/fields/csv.ts'
import { countTurns } from '../support/count-turns.ts'

const LIMITS = { maxLines: 10_000, tooMany: 'at most 10000 lines' }
const read = (text: string, maxLines = LIMITS.maxLines) => readCsv(text, { ...LIMITS, maxLines })
const cellsOf = async (text: string) => (await read(text)).map(({ cells }) => cells)

describe('a file', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['a byte order mark and the line breaks of Windows', '\uFEFFa,b\r\n1,2\r\n'],
    ['quotes and spaces', '"a" , "b"\n 1,"2" \n'],
    ['empty lines', '\n\na,b\n\n , \n1,2\n\n'],
  ])('with %s has the same cells', async (_, text) => {
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('keeps separators, quotes and line breaks within quotes', async () => {
    expect(await cellsOf('"a,b";"say ""hi"""\n"one\ntwo";3\n')).toEqual([
      ['a,b', 'say "hi"'],
      ['one\ntwo', '3'],
    ])
  })

  test('numbers its lines as editors count', async () => {
    expect((await read('a,b\n\n1,2\n')).map(({ number }) => number)).toEqual([1, 3])
  })

  test('that cannot be read is refused by its line', async () => {
    await expect(read('a,b\n"1,2\n')).rejects.toThrow(/^line \d+: Quote Not Closed/)
    await expect(read(`a,b\n${'x'.repeat(20_000)}\n`)).rejects.toThrow(/^line \d+: Max Record Size/)
  })
})

describe('a large file', () => {
  const line = 'sms,49,0.05\n'

  test('is read in slices, between which other requests are served', async () => {
    const text = line.repeat(10_000)
    const turns = await countTurns(async () => expect(await read(text)).toHaveLength(10_000))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / 2_048))
  })

  test.each([
    ['lines', line.repeat(2_000_000), /^at most 10000 lines$/],
    ['empty lines', `a,b\n${'\n'.repeat(20_000_000)}`, /^at most 10000 lines$/],
    ['cells', `a,b\n${`${','.repeat(9_000)}\n`.repeat(2_000)}`, /^line 2: has more than 100 cells$/],
    ['quotes', `a,b\n${'"'.repeat(20_000_000)}`, /^line 2: Max Record Size/],
  ])('is refused at the first of too many %s, without reading the rest', async (_, text, says) => {
    const turns = await countTurns(() => expect(read(text)).rejects.toThrow(says))
    expect(turns).toBeLessThan(100)
  })

  test('may have as many lines as the limit, empty ones not counted', async () => {
    expect(await read('a,b\n\n1,2\n', 2)).toHaveLength(2)
    await expect(read('a,b\n\n1,2\n3,4\n', 2)).rejects.toThrow('at most 10000 lines')
  })
})

test('a written file is read as the same rows', async () => {
  const rows = [
    ['a', 'b,c', 'say "hi"', 'one\ntwo'],
    [1, -0.05, '', 'é'],
  ]
  expect(await cellsOf(writeCsv(rows))).toEqual(rows.map((row) => row.map(String)))
  expect(writeCsv([['a', 'b']])).toBe('a,b\n')
})

test.each([
  ...['=1+1', '+1+1', '-1+1', '@SUM(A1)', ' =1+1', '\t=1', '\r=1', '\n=1', '\tplain', '\rplain'],
  ...['＝1+1', '＋1+1', '－1+1', '＠SUM(A1)', '\u00a0＝1', '\u3000=1', '\ufeff=1', '\u202e=1', '\u0000=1'],
])('%j is no formula in a cell', (text) => {
  expect(plainCell(text)).toBe(`'${text}`)
})

test.each(['-12.5', '12', 'a=1', 'Größe', ''])('%j stays as it is', (text) => {
  expect(plainCell(text)).toBe(text)
})

test('cells with the separators of other spreadsheets are quoted, so that these split nothing', () => {
  expect(writeCsv([['a;=1+1', 'b\t=1', 'c']])).toBe('"a;=1+1","b\t=1",c\n')
})
