/**
 * What operators read: filters that match nothing say why, amounts and durations have units, hints say what comes next.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUSES } from '../../src/domain/message/status.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'

let line: CommandLine

beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterEach(() => line.close())

const run = (command: string) => line.run(splitWords(command))
const ask = (command: string) => line.ask(splitWords(command))

test('a status that does not exist is refused with those that do', async () => {
  for (const command of ['message find', 'message list']) {
    const { exitCode, err } = await run(`${command} --status bogus`)
    expect(exitCode).toBe(2)
    for (const status of STATUSES) expect(err).toContain(status)
    expect(await run(`${command} --status DELIVERED`)).toMatchObject({ exitCode: 0, out: 'No results.\n' })
  }
})

test.each(['message list', 'message find', 'price list', 'report list', 'sender list', 'hook list', 'opt-out list'])(
  '%s names an account that does not exist',
  async (command) => {
    const { exitCode, err } = await run(`${command} --account 7`)
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: 'error: there is no account 7\n' })
  },
)

test('the general prices are listed with a hint at those of accounts', async () => {
  expect((await run('price list')).out).toBe('No results.\n')
  expect((await run('price list --currency euro')).err).toMatch(/"euro" is not an ISO 4217 currency/)
  await ask('price set --channel sms --price 0.07 --currency EUR --account 1')
  await ask('price set --channel sms --price 0.09 --currency EUR')
  const { out } = await run('price list')
  expect(out).toContain('0.09')
  expect(out).not.toContain('0.07')
  expect(out).toMatch(/\n\nAccounts with prices of their own: 1\. Show them: posthorn price list --account 1\n$/)
  expect(await ask('price list')).toMatchObject({ accounts: [1] })
  expect((await run('price list --account 1')).out).toMatch(/0\.07\n$/)
})

test('credentials say how soon a gateway that runs beside the command knows them', async () => {
  const soon = /\n\nA running gateway applies it within one second\.\n$/
  expect((await run('key issue --account 1 --name server')).out).toMatch(soon)
  expect((await run('key rotate --account 1 --name server')).out).toMatch(soon)
  expect((await run('hook rotate-secret --account 1')).out).toMatch(soon)
  await ask('user add --user anna --role owner')
  expect((await run('token issue --user anna --label laptop')).out).toMatch(soon)
  expect((await run('token revoke --user anna --label laptop')).out).toMatch(soon)
})

test('the audit log shows what was changed by the names and values of the admin API', async () => {
  await ask('account top-up --account 1 --amount 250.5')
  await ask('account set --account 1 --step-lifetime-seconds 3600 --low-balance 5 --quiet-hours 21:00-08:00')
  await ask('price set --channel sms --price 0.075 --currency EUR --from 2027-01-01')
  const { out } = await run('audit list')
  expect(out).toMatch(/^at +actor +via +action +subject +currency +before +after\n/)
  expect(out).toContain('price 0.075')
  expect(out).toContain('from 2027-01-01')
  expect(out).toContain('top up 250.5')
  expect(out).toContain('step lifetime seconds 172800')
  expect(out).toContain('low balance 5')
  expect(out).toContain('quiet hours 21:00-08:00')
  expect(out).not.toMatch(/[mM]icros|minute \d/)
})

test('the audit log as JSON has the fields of the admin API, and names the currency', async () => {
  await ask('account set --account 1 --low-balance 5')
  await ask('price set --channel sms --price 0.075 --currency EUR')
  expect(await ask('audit list')).toMatchObject({
    data: [
      { action: 'setPrice', currency: 'EUR', after: { price: 0.075 } },
      { action: 'changeAccount', currency: 'EUR', after: { low_balance: 5 } },
      { action: 'createAccount', currency: 'EUR' },
    ],
  })
})

test('a price that ends before the next one begins is set with a warning', async () => {
  const price = 'price set --channel sms --prefix 49 --price 0.05 --currency EUR'
  expect((await run(price)).out).not.toContain('warning')
  expect((await run(`${price} --from 2027-01-01 --end-previous`)).out).not.toContain('warning')
  expect((await run(`${price} --until 2026-12-01`)).out).toMatch(
    /^warning +there is no price for sms 49… in EUR from 2026-12-01 until 2027-01-01$/m,
  )
})
