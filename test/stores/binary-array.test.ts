/** Columns of cells that the server reads as arrays. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArrayType } from '../../src/stores/postgres/connection/binary-array.ts'
import type { Connection } from '../../src/stores/postgres/connection/connection.ts'
import { DatabaseHosts } from '../../src/stores/postgres/connection/database-hosts.ts'
import { unnamed } from '../../src/stores/postgres/connection/statement.ts'
import type { Cell } from '../../src/stores/rows/cells/cell.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()
const LONG_TEXT = 'ÄÖÜ€😀"\\{},'.repeat(20_000)

describe.skipIf(postgres.isMissing)('columns of cells', () => {
  let database: TestDatabase
  let connection: Connection
  beforeAll(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    connection = await new DatabaseHosts(database.url).connect({})
  })
  afterAll(() => connection.end())

  const echo = async (type: ArrayType, cells: readonly Cell[]) => {
    const statement = unnamed<[cell: Cell]>(
      `SELECT cell FROM unnest($1::${type}[]) WITH ORDINALITY AS u (cell, n) ORDER BY n`,
    )
    return (await connection.query(statement, cells)).map(([cell]) => cell)
  }
  const whole = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 })
  const CELLS: Readonly<Record<ArrayType, fc.Arbitrary<Cell>>> = {
    bigint: fc.maxSafeInteger(),
    integer: whole(32),
    smallint: whole(16),
    'double precision': fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    text: fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0')),
    bytea: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  }

  for (const [type, cell] of Object.entries(CELLS) as [ArrayType, fc.Arbitrary<Cell>][]) {
    it(`arrive as they are, with gaps (${type})`, async () => {
      const column = fc.array(fc.option(cell, { nil: null }), { maxLength: 50 })
      await fc.assert(
        fc.asyncProperty(column, async (cells) => {
          expect(await echo(type, cells)).toEqual(cells)
        }),
        { numRuns: 30 },
      )
    })
  }

  it('arrive as they are at the ends of their types', async () => {
    const ends = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1, 0, 2 ** 32, -(2 ** 32), 2 ** 31, -(2 ** 31) - 1]
    expect(await echo('bigint', ends)).toEqual(ends)
  })

  it('may be longer than what was written before', async () => {
    expect(await echo('text', [LONG_TEXT, 'short', null, LONG_TEXT])).toEqual([LONG_TEXT, 'short', null, LONG_TEXT])
  })

  it('may hold numbers as texts and texts as numbers', async () => {
    expect(await echo('text', [1, '2'])).toEqual(['1', '2'])
    expect(await echo('bigint', ['1', 2])).toEqual([1, 2])
  })

  it('are refused if a number does not fit', async () => {
    await expect(echo('smallint', [2 ** 15])).rejects.toThrow(RangeError)
    await expect(echo('integer', [2 ** 31])).rejects.toThrow(RangeError)
  })
})
