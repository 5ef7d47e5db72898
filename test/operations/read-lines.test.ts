/** Blank lines among JSON lines: of each kind, anywhere, and very many. */
import { expect, test } from 'vitest'
import { readLines } from '../../src/operations/bulk/read-lines.ts'

async function read(text: string) {
  async function* bytes() {
    yield Buffer.from(text)
  }
  const rows: unknown[] = []
  const run = async (work: () => void) => work()
  const source = { bytes: bytes(), format: 'ndjson' as const, fromLine: 1, required: ['phone'], optional: [], run }
  for await (const row of readLines(source)) rows.push(row)
  return rows
}
const ROWS = [{ phone: '1' }, { phone: '2' }]

test.each(['\n', '\r\n', ' \n', '\t\r\n \n', '\n'.repeat(100_000), `${' '.repeat(3_000)}\n`])(
  'lines of %j are no lines of the bulk',
  async (blank) => {
    expect(await read(`${blank}{"phone":"1"}\n${blank}  {"phone":"2"}${blank}`)).toEqual(ROWS)
  },
)

test('a blank inside a value stays, and a line that is split between two reads is one', async () => {
  expect(await read(`{"phone":"1"}\n{${' '.repeat(2_000)}"phone":"2 2"}`)).toEqual([{ phone: '1' }, { phone: '2 2' }])
})

test.each([
  ['tabs', 'phone\tname\n1\tAnn, and Bob; Eve\n', 'Ann, and Bob; Eve'],
  ['semicolons', 'phone;name\n1;Ann, and Bob\n', 'Ann, and Bob'],
  ['commas', 'phone,name\n1,Ann; and Bob\n', 'Ann; and Bob'],
  ['what a line sep= names', '\uFEFFsep=;\r\n"phone";"name"\r\n1;Ann, and Bob\r\n', 'Ann, and Bob'],
  ['the header behind blank lines', '\n\nsep=\t\nphone\tname\n1\tAnn;\n', 'Ann;'],
  ['columns in capitals', 'PHONE,Name\n1,Ann\n', 'Ann'],
])('a CSV is read by %s', async (_, body, name) => {
  expect((await read('csv', body)).lines).toEqual([{ phone: '1', name }])
})

test('two columns that differ in capitals alone are refused, unless one is written alike', async () => {
  await expect(read('csv', 'PHONE,Phone,name\n1,2,Ann\n')).rejects.toThrow('The header has the column phone twice')
  expect((await read('csv', 'phone,Phone,name\n1,2,Ann\n')).lines).toEqual([{ phone: '1', name: 'Ann' }])
})

test.each(['9007199254740993', '1.50', '123456789012345678901234567890'])(
  'an id %s stays as it was sent',
  async (id) => {
    const { lines } = await read('ndjson', `{"phone":"1","name":"Ann","id":${id}}\n`)
    expect(lines).toEqual([{ phone: '1', name: 'Ann', id: { source: id } }])
  },
)
