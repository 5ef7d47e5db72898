/** Settings with which later messages or reports would fail are refused when they are set, and nothing changes. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CommandLine, splitWords } from '../support/command-line.ts'

let line: CommandLine
beforeAll(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'create', '--name', 'Gone'])
  await line.ask(splitWords('account close --account 2 --name Gone'))
  await line.ask(splitWords('price set --channel sms --currency EUR --prefix 49 --price 0.05'))
  await line.ask(splitWords('sender request --account 1 --channel sms --name Waiting'))
  await line.ask(splitWords('sender approve --account 1 --channel sms --name MyShop'))
})
beforeEach(() => {
  line.environment = {}
})
afterAll(() => line.close())

const price = 'price set --channel sms --currency EUR --prefix 49 --price 0.06'
const PRIVATE = /must be a public address, private networks are not allowed/

test.each([
  [`${price} --until 2020-01-01`, /until: must be later than now; to remove a price: posthorn price remove/],
  ['account set --account 1 --default-hook http://127.0.0.1:9000/', PRIVATE],
  ['account set --account 1 --default-hook http://localhost/hook', PRIVATE],
  ['account set --account 1 --default-hook http://10.1.2.3/hook', PRIVATE],
  ['account set --account 1 --quiet-hours 22:00-22:00', /must begin and end at different times/],
  ['guard set --quiet-hours 22:00-22:00', /must begin and end at different times/],
  ['account top-up --account 2 --amount 5', /account 2 is closed: it cannot be topped up/],
  ['account set --account 1 --default-sms-sender Waiting', /must be an approved sender of account 1/],
  [
    'account set --account 1 --default-sms-sender Nope',
    /posthorn sender approve --account 1 --channel sms --name Nope/,
  ],
  [
    'chat-template approve --account 1 --signature MyShop --template Hello',
    /account 1 has no approved sender MyShop for chatapp/,
  ],
])('posthorn %s is refused', async (words, says) => {
  const before = await line.directory()
  const { exitCode, err } = await line.run(splitWords(words))
  expect(err).toMatch(says)
  expect(exitCode).not.toBe(0)
  expect(await line.directory()).toEqual(before)
})

test('account set says first what it has changed', async () => {
  const { out } = await line.run(splitWords('account set --account 1 --unique-ids yes --daily-messages 1000'))
  expect(out.split('\n')[0]).toMatch(/^changed +unique ids no → yes, daily messages none → 1000$/)
})

test('a refund of a closed account remains possible', async () => {
  await line.ask(splitWords('account correct --account 2 --amount 5 --note "paid twice"'))
  const answer = await line.ask(splitWords('account correct --account 2 --amount=-5 --note refund'))
  expect(answer['available']).toBe(0)
})

test('a hook in an allowed network and an approved sender are set', async () => {
  line.environment = { POSTHORN_HOOK_ALLOW: '10.1.0.0/16' }
  const words = 'account set --account 1 --default-hook http://10.1.9.9/hook --default-sms-sender MyShop'
  expect(await line.ask(splitWords(words))).toMatchObject({
    default_hook: 'http://10.1.9.9/hook',
    default_sms_sender: 'MyShop',
  })
  line.environment = {}
  // What is set already needs no new check.
  expect(await line.ask(splitWords(words))).toMatchObject({ default_sms_sender: 'MyShop' })
})

test('a configuration file is checked like the commands', async () => {
  const file = line.path('configuration.json')
  const apply = async (account: object) => {
    writeFileSync(file, JSON.stringify({ accounts: [{ account: 1, name: 'Shop', ...account }] }))
    return (await line.run(['config', 'apply', file, '--dry-run'])).err
  }
  expect(await apply({ default_hook: 'http://127.0.0.1/' })).toMatch(PRIVATE)
  expect(await apply({ default_sms_sender: 'Nope' })).toMatch(/must be an approved sender of account 1/)
})

test('an imported tariff does not end a valid price in the past, but may contain ended ones', async () => {
  const file = line.path('tariff.csv')
  const load = async (...lines: readonly string[]) => {
    writeFileSync(file, ['channel,prefix,from,until,price', ...lines, ''].join('\n'))
    return line.run(['tariff', 'import', '--currency', 'EUR', file])
  }
  expect((await load('sms,49,,2020-01-01,0.06')).err).toMatch(/line 2: until: must be later than now/)
  expect(await load('sms,49,,2020-01-01,0.06', 'sms,49,2020-01-01,,0.07')).toMatchObject({ exitCode: 0 })
  expect(await load('sms,49,,,0.06', 'sms,43,2019-01-01,2020-01-01,0.07')).toMatchObject({ exitCode: 0 })
})

test.each(['serve', 'sandbox'])('%s refuses a name of the chat app that has another meaning', async (command) => {
  const empty = new CommandLine({ initialized: false })
  const { exitCode, err } = await empty.run([command, '--chatapp-names', 'viber,sms'])
  expect(err).toBe('error: POSTHORN_CHATAPP_NAMES: "sms" has another meaning in the API\n')
  expect(exitCode).toBe(2)
  empty.close()
})
