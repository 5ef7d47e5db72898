/** Rows of rules are found, changed and removed by their cells, also by those that are NULL. */
import { expect, test } from 'vitest'
import { findSql, putSql, removeSql, type StepSql, updateSql } from '../../src/stores/changes/step-sql.ts'
import { memoryDatabase } from '../support/memory-database.ts'

const COST = { carrier_id: 'acme', category: '', prefix: '49', price_micros: 1, valid_from: 0, valid_until: null }
/** Of every operator in the currency of the installation, which is NULL, and of one in euros. */
const COSTS = [
  { ...COST, operator: '', currency: null },
  { ...COST, operator: '26201', currency: 'EUR' },
]

test('a cell that is NULL is the same as NULL, and no other one', () => {
  const database = memoryDatabase()
  const run = ({ text, values }: StepSql) => database.prepare(text).all(...values)
  database.exec("INSERT INTO carrier (carrier_id, channel, kind, settings) VALUES ('acme', 'sms', 'smpp', '')")
  for (const row of COSTS) run(putSql('cost', row))
  const find = { step: 'find', table: 'cost', where: [], columns: ['operator'], max: null } as const
  const found = (where: object) => run(findSql(find, where as never)).map((row) => row['operator'])
  expect(found({ prefix: '49', currency: null })).toEqual([''])
  expect(found({ currency: 'EUR', valid_until: null })).toEqual(['26201'])
  expect(found({ currency: null, operator: '26201' })).toEqual([])
  run(
    updateSql({
      step: 'update',
      table: 'cost',
      set: { currency: null },
      where: { currency: 'EUR', valid_until: null },
    }),
  )
  expect(found({ currency: null })).toEqual(['', '26201'])
  run(removeSql({ step: 'remove', table: 'cost', where: [] }, { currency: null, operator: '' }))
  expect(found({ currency: null })).toEqual(['26201'])
})
