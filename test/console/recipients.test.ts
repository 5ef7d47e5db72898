/** Files of recipients as the console reads them, and the parts that it uploads. */
import { expect, test } from 'vitest'
import { readRows, safeCell } from '../../console/src/features/bulks/csv.ts'
import { readFileText } from '../../console/src/features/bulks/read-file.ts'
import {
  columnsOf,
  guessMapping,
  missingColumn,
  openFile,
  partsOf,
} from '../../console/src/features/bulks/recipients.ts'
import { writeXlsx } from '../support/write-xlsx.ts'

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n"1;""x""\ny";2',
    [
      ['a', 'b'],
      ['1;"x"\ny', '2'],
    ],
  ],
  [
    'sep=;\na;b,c\n1;2',
    [
      ['a', 'b,c'],
      ['1', '2'],
    ],
  ],
  ['a\tb\n\n,\n \n1\t', [['a', 'b'], [','], ['1', '']]],
  ['"a, b";c\n"open;1', [['a, b', 'c'], ['open;1']]],
  ['', []],
])('%j is read as rows', (text, rows) => {
  expect([...readRows(text)]).toEqual(rows)
})

test('columns are found by their names, the phone by usual ones too', () => {
  const message = { type: 'sms', sms_message: 'Hi {{Name}}, {{code}} \\{{not}} {{1}} {{unsubscribe}}' }
  const columns = columnsOf(message)
  expect(columns).toEqual(['phone', 'Name', 'code', 'id'])
  const file = openFile('x.csv', 'name,Handynummer,Code,ID\nAnn,1,2,3\n')
  expect(guessMapping(file, columns)).toEqual({ phone: 1, Name: 0, code: 2, id: 3 })
  const other = openFile('y.csv', 'a,b\n1,2\n')
  expect(missingColumn(guessMapping(other, columns), columns)).toBe('phone')
  expect(missingColumn({ phone: 0, Name: 1, code: 1 }, columns)).toBeNull()
})

test('parts have the header and the chosen columns, and continue anywhere', () => {
  const rows = Array.from({ length: 4_500 }, (_, index) => `${index === 2_000 ? '' : index},"x, ""y"""`)
  const file = openFile('x.csv', `phone,other\n${rows.join('\n')}\n`)
  expect(file.rows).toBe(4_500)
  const parts = [...partsOf(file, { phone: 0 })]
  expect(parts.map(({ from, lines }) => [from, lines])).toEqual([
    [1, 2_000],
    [2_001, 2_000],
    [4_001, 500],
  ])
  expect(parts[1]?.csv).toMatch(/^phone\n""\n2001\n/)
  expect([...partsOf(file, { other: 1 }, 4_499)]).toEqual([
    { csv: 'other\n"x, ""y"""\n"x, ""y"""\n', from: 4_499, lines: 2 },
  ])
  expect([...partsOf(file, { phone: 0 }, 1, 2)].map(({ csv }) => csv)).toEqual(['phone\n0\n1\n'])
})

test('workbooks and texts of other encodings are read, and old workbooks are refused', async () => {
  const rows = [
    ['Mobil', 'Name'],
    [491_701_234_500, 'Jörg, "J"'],
  ]
  const workbook = new File([Buffer.from(writeXlsx([{ name: 'A', rows }]))], 'a.xlsx')
  const file = openFile('a.xlsx', await readFileText(workbook))
  expect(file).toMatchObject({ header: ['Mobil', 'Name'], rows: 1 })
  expect([...partsOf(file, guessMapping(file, ['phone', 'name']))].map(({ csv }) => csv)).toEqual([
    'phone,name\n491701234500,"Jörg, ""J"""\n',
  ])
  expect(await readFileText(new File([Buffer.from('a;J\u00F6rg', 'latin1')], 'b.csv'))).toBe('a;Jörg')
  const old = new File([Buffer.from([0xd0, 0xcf, 0x11, 0xe0])], 'c.xls')
  await expect(readFileText(old)).rejects.toMatchObject({ fault: 'locked' })
})

test('cells of downloads are no formulas', () => {
  expect(['=1+1', '-5', '@x', 'Ann'].map(safeCell)).toEqual(["'=1+1", '-5', "'@x", 'Ann'])
})
