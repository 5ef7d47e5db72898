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
