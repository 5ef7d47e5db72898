/** Lines are read in small pieces of work, whatever a body is made of, and only the fields that are asked for. */
import { expect, test } from 'vitest'
import { type LineFormat, readLines } from '../../src/operations/bulk/read-lines.ts'

/** Reads a body that arrives at once; returns its lines, and how many each piece of work read. */
async function read(format: LineFormat, body: string) {
  const lines: unknown[] = []
  let pieces = 0
  let most = 0
  let begun = 0
  async function* bytes() {
    yield Buffer.from(body)
  }
  const run = async (work: () => void) => {
    most = Math.max(most, lines.length - begun)
    begun = lines.length
    pieces += 1
    work()
  }
  const source = { bytes: bytes(), format, fromLine: 1, required: ['phone', 'name'], optional: ['id'], run }
  for await (const line of readLines(source)) lines.push(line)
  return { lines, pieces, most }
}

test('short rows under a wide header are read a few at a time', async () => {
  const header = ['phone', 'name', ...Array.from({ length: 198 }, (_, index) => `c${index}`)].join(',')
  const { lines, pieces, most } = await read('csv', `${header}\n${'1\n'.repeat(17_000)}`)
  expect(lines).toHaveLength(17_000)
  expect(most).toBeLessThanOrEqual(512)
  expect(pieces).toBeGreaterThanOrEqual(34)
})

test('short JSON lines are read a few at a time', async () => {
  const { lines, most } = await read('ndjson', '{}\n'.repeat(20_000))
  expect(lines).toHaveLength(20_000)
  expect(most).toBeLessThanOrEqual(342)
})

test('only the fields that are asked for are kept', async () => {
  const fields = [{ phone: '1', name: 'Ann', id: '7' }]
  expect((await read('csv', 'more,phone,name,id\nx,1,Ann,7,y\n')).lines).toEqual(fields)
  expect((await read('csv', 'name,phone\nAnn\n')).lines).toEqual([{ phone: undefined, name: 'Ann' }])
  expect((await read('ndjson', '{"more":[1],"phone":"1","name":"Ann","id":"7"}\n')).lines).toEqual(fields)
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
