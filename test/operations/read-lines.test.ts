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
