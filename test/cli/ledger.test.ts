/** Money on the command line: a tariff from a file, a statement, and a book that is checked. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterEach(() => line.close())

test('a tariff comes from a file, goes to a file, and is copied', async () => {
  writeFileSync(line.path('prices.csv'), 'channel,prefix,price\nsms,49,0.05\nsms,,0.09\n')
  const imported = await line.run(['tariff', 'import', line.path('prices.csv'), '--currency', 'EUR'])
  expect(imported).toMatchObject({ exitCode: 0 })
  expect(imported.out.split('\n')).toEqual([
    '+ sms 49… in EUR: 0.05',
    '+ sms every number in EUR: 0.09',
    '2 added, 0 changed, 0 removed.',
    'The tariff now has 2 prices.',
    '',
  ])
  const partial = await line.run(['tariff', 'import', '-', '--currency', 'EUR'], 'channel,price\n')
  expect(partial.err).toMatch(/the file has no prices; to do it anyway, add --confirm/)
  const dry = await line.run(['tariff', 'import', '-', '--currency', 'EUR', '--dry-run'], 'channel,price\n')
  expect(dry.out).toMatch(
    /0 added, 0 changed, 2 removed, not applied \(dry run\)\.\nThe tariff would have 0 prices\.\n$/,
  )
  await line.run(['tariff', 'import', '-', '--currency', 'EUR', '--merge'], 'channel,price,operator\nsms,0.06,26202\n')
  const copy = ['tariff', 'copy', '--account', '1', '--percent', '92.5']
  const shown = await line.run([...copy, '--dry-run', 'yes'])
  expect(shown.out).toMatch(/applied +no\n(.*\n)*.*old price +new price\n/)
  expect(await line.ask(copy)).toMatchObject({
    applied: true,
    prices: 3,
    first: [
      { channel: 'sms', prefix: '', operator: null, old_price: 0.09, new_price: 0.08325 },
      { operator: '26202' },
      { prefix: '49' },
    ],
  })
  expect((await line.run('tariff export --currency EUR --account 1'.split(' '))).out).toBe(
    'channel,prefix,operator,from,until,price\nsms,,,,,0.08325\nsms,,26202,,,0.0555\nsms,49,,,,0.04625\n',
  )
})

test('the statement shows payments, with the user who entered them', async () => {
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '250', '--note', '=SUM(A1) "paid"'])
  await line.ask(['account', 'correct', '--account', '1', '--amount', '-50', '--note', 'typed wrong'])
  const month = new Date(line.clock.now()).toISOString().slice(0, 7)
  const { payments } = await line.ask(['account', 'statement', '--account', '1', '--month', month])
  expect(payments).toMatchObject([
    { kind: 'top-up', amount: 250, by: 'tester' },
    { kind: 'correction', amount: -50, by: 'tester', note: 'typed wrong' },
  ])
  const csv = (await line.run(['account', 'statement-csv', '--account', '1', '--month', month])).out
  const at = new Date(line.clock.now()).toISOString()
  expect(csv.trim().split('\n').slice(1)).toEqual([
    `${month},1,opening balance,,,,,,0,EUR,,UTC`,
    `${month},1,top-up,${at},,,,,250,EUR,"'=SUM(A1) ""paid""",UTC`,
    `${month},1,correction,${at},,,,,-50,EUR,typed wrong,UTC`,
    `${month},1,closing balance,,,,,,200,EUR,,UTC`,
  ])
})

test('a correct ledger verifies; a forged one prints each discrepancy, with exit code 1', async () => {
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '250'])
  expect(await line.run(['ledger', 'verify'])).toEqual({
    exitCode: 0,
    out: 'Ledger verified: no discrepancies.\n',
    err: '',
  })
  const database = new DatabaseSync(join(line.dataDir, 'posthorn.db'))
  database.exec('UPDATE account_balance SET available = available + 1, paid = paid - 1')
  database.close()
  expect(await line.run(['ledger', 'verify'])).toEqual({
    exitCode: 1,
    out: '',
    err:
      'error: the ledger has discrepancies\n' +
      'account 1 has -250000001 micros paid, but its postings sum to -250000000 micros\n' +
      'account 1 has 250000001 micros available, but its postings sum to 250000000 micros\n',
  })
})
