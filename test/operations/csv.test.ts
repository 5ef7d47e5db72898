/** CSV files as spreadsheets of all countries write them. */
import { describe, expect, test } from 'vitest'
import { readCsv, writeCsv } from '../../src/operations/admin/csv.ts'

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells)

describe('a file', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['a byte order mark and the line breaks of Windows', '\uFEFFa,b\r\n1,2\r\n'],
    ['quotes and spaces', '"a" , "b"\n 1,"2" \n'],
    ['empty lines', '\n\na,b\n\n , \n1,2\n\n'],
  ])('with %s has the same cells', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('keeps what stands in quotes: separators, quotes, line breaks', () => {
    expect(cellsOf('"a,b";"say ""hi"""\n"one\ntwo";3\n')).toEqual([
      ['a,b', 'say "hi"'],
      ['one\ntwo', '3'],
    ])
  })

  test('numbers its lines as editors count', () => {
    expect(readCsv('a,b\n\n1,2\n').map(({ number }) => number)).toEqual([1, 3])
  })

  test('that cannot be read is refused by its line', () => {
    expect(() => readCsv('a,b\n"1,2\n')).toThrow(/^line \d+: Quote Not Closed/)
    expect(() => readCsv(`a,b\n${'x'.repeat(20_000)}\n`)).toThrow(/^line \d+: Max Record Size/)
  })
})

test('what is written is read again', () => {
  const rows = [
    ['a', 'b,c', 'say "hi"', 'one\ntwo'],
    [1, -0.05, '', 'é'],
  ]
  expect(cellsOf(writeCsv(rows))).toEqual(rows.map((row) => row.map(String)))
  expect(writeCsv([['a', 'b']])).toBe('a,b\n')
})
