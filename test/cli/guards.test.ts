/** Guards as operators set them: on the command line and in configuration files, with all errors. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_GUARDS } from '../../src/domain/accounts/account.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterEach(() => line.close())

const ask = (words: string) => line.ask(splitWords(words))
const settings = async () => (await line.directory()).guardSettings

describe('the guards of an account', () => {
  test('are off at first', async () => {
    expect((await line.directory()).accounts[0]?.settings).toMatchObject(DEFAULT_ACCOUNT_GUARDS)
  })

  test('are set one by one; those that are not named stay', async () => {
    await ask('account set --account 1 --allowed-countries de,AT --daily-messages 1000 --daily-spend 12.5')
    await ask('account set --account 1 --velocity-limits "5 per phone in 60 seconds,9 per prefix of 7 in 1 second"')
    await ask('account set --account 1 --quiet-hours "21:30-08:00 refuse" --time-zone Europe/Berlin')
    expect((await line.directory()).accounts[0]?.settings).toMatchObject({
      allowedCountries: ['DE', 'AT'],
      dailyMessages: 1_000,
      dailySpendMicros: 12_500_000,
      velocityLimits: [
        { per: 'phone', prefixDigits: null, most: 5, windowSeconds: 60 },
        { per: 'prefix', prefixDigits: 7, most: 9, windowSeconds: 1 },
      ],
      quietHours: { fromMinute: 1_290, toMinute: 480, action: 'refuse' },
      timeZone: 'Europe/Berlin',
    })
    await ask('account set --account 1 --allowed-countries none --daily-messages none --daily-spend none')
    await line.ask(['account', 'set', '--account', '1', '--velocity-limits', ''])
    await ask('account set --account 1 --quiet-hours off --operations-per-second 7')
    await ask('account set --account 1 --operations-per-second none')
    expect((await line.directory()).accounts[0]?.settings).toMatchObject({
      allowedCountries: null,
      dailyMessages: null,
      dailySpendMicros: null,
      quietHours: 'off',
      timeZone: 'Europe/Berlin',
      operationsPerSecond: null,
      velocityLimits: [],
    })
  })

  test.each([
    ['--allowed-countries xx', 'must be ISO 3166 codes of two letters'],
    ['--daily-messages -1', 'must be a whole number, at least 0'],
    ['--daily-messages 1.5', 'must be a whole number, at least 0'],
    ['--daily-spend 0.0000001', '--daily-spend: must be a decimal number'],
    ['--velocity-limits "5 per hour"', '--velocity-limits: must be limits such as 5 per phone'],
    ['--velocity-limits "5 per phone of 3 in 60 seconds"', '--velocity-limits: must be limits such as 5 per phone'],
    ['--velocity-limits "5 per prefix in 60 seconds"', '--velocity-limits: must be limits such as 5 per phone'],
    ['--velocity-limits "5 per prefix of 16 in 60 seconds"', '--velocity-limits: a prefix must have 1 to 15 digits'],
    ['--velocity-limits "5 per phone in 0 seconds"', '--velocity-limits: must be for 1 to 604800 seconds'],
    [
      '--velocity-limits "5 per phone in 60 seconds,6 per phone in 60 seconds"',
      '--velocity-limits: two have the same scope and time',
    ],
    ['--quiet-hours 21-8', '--quiet-hours: must be hours such as 21:00-08:00'],
    ['--quiet-hours 24:00-08:00', '--quiet-hours: must be hours such as 21:00-08:00'],
    ['--time-zone Berlin', '--time-zone: must be an IANA name such as Europe'],
  ])('refuse %s', async (option, error) => {
    const { exitCode, err } = await line.run(splitWords(`account set --account 1 ${option}`))
    expect(err).toContain(error)
    // Fields that are of the wrong form are wrong usage.
    expect(exitCode).toBe(err.startsWith('error: --') ? 2 : 1)
    expect((await line.directory()).accounts[0]?.settings).toMatchObject(DEFAULT_ACCOUNT_GUARDS)
  })
})

describe('the guards of the installation', () => {
  test('are shown and set; those that are not named stay', async () => {
    expect(await ask('guard show')).toMatchObject({ pumping: null, quiet_hours: null, opt_out_scope: 'sender' })
    await line.ask(['guard', 'set', '--pumping', '{"floor":100,"factor":5,"stop_minutes":60}'])
    await line.ask(['guard', 'set', '--opt-out-languages', '{"de":{"stop":["Halt"],"start":[]}}'])
    const shown = await ask('guard set --quiet-hours 22:00-07:00 --opt-out-scope account --daily-messages 5')
    expect(shown).toMatchObject({ quiet_hours: '22:00-07:00', pumping: { stop_minutes: 60 }, daily_messages: 5 })
    expect(await settings()).toEqual({
      ...DEFAULT_GUARD_SETTINGS,
      dailyMessages: 5,
      quietHours: { fromMinute: 1_320, toMinute: 420, action: 'wait' },
      pumping: { floor: 100, factor: 5, stopMinutes: 60 },
      optOutScope: 'account',
      optOutLanguages: { de: { stop: ['Halt'], start: [] } },
    })
    const log = await ask('audit list')
    expect(log['data']).toMatchObject([
      { action: 'changeGuards', subject: 'guards' },
      {},
      {},
      { action: 'createAccount' },
    ])
  })

  test.each([
    ['--pumping', '{"floor":0,"factor":5,"stop_minutes":60}', 'pumping'],
    ['--pumping', '{"floor":1,"factor":5,"stop_minutes":100000}', '--pumping: stop_minutes must be a whole number'],
    ['--opt-out-languages', '{"german":{"stop":[],"start":[]}}', '--opt-out-languages: must name languages by codes'],
    ['--opt-out-languages', '{"de":{"stop":["!"],"start":[]}}', 'a word must have 1 to 60 characters'],
    ['--opt-out-scope', 'everybody', 'opt-out-scope'],
    ['--allowed-countries', 'Germany', 'must be ISO 3166 codes of two letters'],
  ])('refuse %s %s', async (option, value, error) => {
    const { exitCode, err } = await line.run(['guard', 'set', option, value])
    expect(exitCode).not.toBe(0)
    expect(err).toContain(error)
    expect(await settings()).toEqual(DEFAULT_GUARD_SETTINGS)
  })

  test('deny and allow numbers', async () => {
    await ask('number add --list deny --digits 881 --whole no --note satellites')
    await ask('number add --list deny --digits 37120000001 --whole yes')
    await ask('number add --list allow --digits 49 --whole no')
    expect((await ask('number list'))['data']).toHaveLength(3)
    await ask('number remove --list allow --digits 49 --whole no')
    expect((await line.directory()).listedNumbers.map(({ digits }) => digits)).toEqual(['37120000001', '881'])
    expect(JSON.stringify(await ask('audit list'))).not.toContain('37120000001')
    for (const wrong of ['--digits +49 --whole no', '--digits 4915 --whole yes', '--digits 049 --whole no']) {
      expect((await line.run(splitWords(`number add --list deny ${wrong}`))).exitCode).toBe(2)
    }
    expect((await line.run(splitWords('number remove --list deny --digits 49 --whole no'))).err).toContain(
      'there is no such entry',
    )
  })
})

describe('opt-outs', () => {
  test('are added by hand, found, listed and removed, and the audit log has no phone', async () => {
    await ask('sender approve --account 1 --channel sms --name Shop')
    await ask('opt-out add --account 1 --phone +37120000001 --sender Shop')
    expect(await ask('opt-out add --account 1 --phone 37120000001')).toMatchObject({ sender: null, by: 'hand' })
    expect((await ask('opt-out list --account 1'))['data']).toMatchObject([{ sender: null }, { sender: 'Shop' }])
    expect((await ask('opt-out find --phone 37120000001'))['data']).toHaveLength(2)
    await ask('opt-out remove --account 1 --phone 37120000001 --sender Shop')
    expect((await ask('opt-out find --phone 37120000001'))['data']).toMatchObject([{ account: 1, sender: null }])
    expect((await ask('opt-out find --phone 37120000002'))['data']).toEqual([])
    expect(JSON.stringify(await ask('audit list'))).not.toContain('37120000001')
  })

  test.each([
    [
      'add --account 1 --phone 4915',
      '--phone: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918',
    ],
    ['add --account 7 --phone 37120000001', 'there is no account 7'],
    ['add --account 1 --phone 37120000001 --sender Unknown', '--sender: must be a sender name of account 1'],
    ['remove --account 1 --phone 37120000001', 'there is no such opt-out'],
    [
      'find --phone 1',
      '--phone: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918',
    ],
  ])('refuse %s', async (words, error) => {
    const { exitCode, err } = await line.run(splitWords(`opt-out ${words}`))
    expect({ exitCode, err }).toEqual({ exitCode: error.startsWith('--') ? 2 : 1, err: expect.stringContaining(error) })
  })
})

describe('a configuration file', () => {
  test('has the guards, and applied to another installation makes them equal', async () => {
    await ask('guard set --allowed-countries lv,DE --velocity-limits "5 per phone in 60 seconds"')
    await ask('number add --list deny --digits 881 --whole no --note satellites')
    const file = line.path('posthorn.json')
    writeFileSync(file, (await line.run(['config', 'export'])).out)
    const other = new CommandLine()
    await other.ask(['account', 'create', '--name', 'Shop'])
    const applied = await other.ask(['config', 'apply', file])
    expect(JSON.stringify(applied)).toContain('881… on the deny list')
    const [mine, theirs] = [await line.directory(), await other.directory()]
    expect(theirs.guardSettings).toEqual(mine.guardSettings)
    expect(theirs.listedNumbers).toEqual(mine.listedNumbers)
    other.close()
  })

  test('that does not speak of guards leaves them; one that does has all of them', async () => {
    await ask('guard set --daily-messages 5 --opt-out-scope account')
    await ask('number add --list deny --digits 881 --whole no')
    const file = line.path('posthorn.json')
    const apply = (content: object) => {
      writeFileSync(file, JSON.stringify(content))
      return line.run(['config', 'apply', file])
    }
    expect((await apply({})).exitCode).toBe(0)
    expect(await settings()).toMatchObject({ dailyMessages: 5, optOutScope: 'account' })
    expect((await apply({ guards: { daily_messages: 6 }, numbers: [] })).exitCode).toBe(0)
    expect(await line.directory()).toMatchObject({
      guardSettings: { ...DEFAULT_GUARD_SETTINGS, dailyMessages: 6 },
      listedNumbers: [],
    })
    const wrong = [
      [{ guards: { daily_messages: -1 } }, 'guards.daily_messages: must be a whole number, at least 0'],
      [{ guards: { quiet: 'yes' } }, 'guards.quiet: unknown field'],
      [{ guards: { time: 1 } }, 'guards.time: unknown field'],
      [{ numbers: [{ list: 'grey', digits: '49' }] }, 'numbers[0].list: must be one of deny, allow'],
      [{ numbers: [{ list: 'deny', digits: 'x' }] }, 'digits: must be 1 to 15 digits'],
    ] as const
    for (const [content, error] of wrong) expect((await apply(content)).err).toContain(error)
  })
})
