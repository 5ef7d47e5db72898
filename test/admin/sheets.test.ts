/** Costs and prices from the sheets that carriers send: over the admin API, and by the command line. */
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { englishWorkbook, germanSheet, NETWORKS } from '../support/carrier-sheets.ts'
import { CommandLine } from '../support/command-line.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const alone = () =>
  useOwnWorld(world, (own) => {
    world = own
  })
const importCosts = (body: object) => world.askAdmin('POST', '/carriers/sandbox-sms/cost-sheets', { body })
const importPrices = (body: object) =>
  world.askAdmin('POST', '/price-sheets', { body: { channel: 'sms', currency: 'EUR', ...body } })
const costs = async () => {
  const found = (await world.askAdmin('GET', '/costs?carrier=sandbox-sms&most=1000')).body
  return found['data'] as readonly { operator: string | null; price: number; from: string; until: string | null }[]
}
const HEAD = 'Country;MCC;MNC;Price\n'
const problemsOf = async (lines: string, more: object = {}) => {
  const { body } = await importCosts({ csv: HEAD + lines, dry_run: true, ...more })
  return (body['problems'] as readonly { kind: string; count: number }[]).map(({ kind, count }) => `${kind} ${count}`)
}
const ratesOf = async (csv: string, more: object = {}) => {
  const { body } = await importCosts({ csv, dry_run: true, ...more })
  const changes = body['changes'] as readonly { prefix: string; operator: string | null; after: number }[]
  return changes.map(({ prefix, operator, after }) => [operator ?? prefix, after])
}

describe('the costs of a carrier', () => {
  test('that were set for later go with a complete sheet, are counted as ended, and need a confirmation', async () => {
    await alone()
    for (const prefix of ['33', '34', '39'])
      await world.askAdmin('PUT', '/costs', {
        body: { carrier: 'sandbox-sms', prefix, price: 0.04, from: '2031-01-01' },
      })
    const body = { csv: 'Prefix,Price,Currency\n33,0.03,EUR\n', replace: true }
    const look = await importCosts({ ...body, dry_run: true })
    expect(look.body).toMatchObject({ effects: { added: 1, ended: 3 }, doubt: 'the sheet ends 3 of 3 rates' })
    expect((await importCosts(body)).status).toBe(422)
    expect(await costs()).toHaveLength(3)
    expect((await importCosts({ ...body, confirm: true })).body).toMatchObject({ applied: true })
    expect(await costs()).toMatchObject([{ price: 0.03, until: null }])
  })

  test('have a history in the audit log: of each, whatever its start, and the imports that may have changed it', async () => {
    await alone()
    for (const from of ['2031-01-01', '2032-01-01']) {
      const body = { carrier: 'sandbox-sms', prefix: '33', price: 0.04, from, end_previous: true }
      await world.askAdmin('PUT', '/costs', { body })
    }
    await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-sms', prefix: '34', price: 0.04 } })
    const csv = 'Prefix,Price,Currency\n33,0.03,EUR\n39,0.05,EUR\n'
    await importCosts({ csv, from: '2033-01-01', file: 'acme january.xlsx' })
    const subject = encodeURIComponent('cost of sandbox-sms 33…')
    const { body } = await world.askAdmin('GET', `/audit?subject=${subject}`)
    expect(body['data']).toMatchObject([
      {
        ...{ action: 'importCosts', subject: 'costs of carrier sandbox-sms', before: { costs: 3 } },
        after: {
          ...{ costs: 5, file: 'acme january.xlsx', from: '2033-01-01' },
          ...{ raised: 0, lowered: 1, added: 1, ended: 0, unchanged: 0 },
        },
      },
      { action: 'setCost', after: { from: '2032-01-01' } },
      { action: 'setCost', after: { from: '2031-01-01', until: '2032-01-01' } },
      { action: 'setCost', after: { from: '2031-01-01', until: null } },
    ])
  })

  test('are at most 60,000 of one sheet, whose lines may name many networks', async () => {
    const networks = Array.from({ length: 999 }, (_, index) => String(index + 1).padStart(3, '0')).join(' ')
    const lines = Array.from({ length: 61 }, (_, index) => `G;${240 + index};${networks};0.05`)
    const refused = await importCosts({ csv: `${HEAD}${lines.join('\n')}\n`, dry_run: true, skip_wrong: true })
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('at most 60000') } })
  })

  test('come from its German sheet: first looked at, then applied, then followed by the next one', async () => {
    await alone()
    const csv = germanSheet()
    const look = await importCosts({ csv, from: '2030-01-01', dry_run: true })
    expect(look).toMatchObject({
      status: 200,
      body: {
        ...{ applied: false, decimal: ',', lines: 600, rates: 600, wrong: 0, problems: [], doubt: null },
        columns: { country: 1, mcc: 2, mnc: 3, price: 5 },
        effects: { added: 600, raised: 0, lowered: 0, ended: 0, unchanged: 0 },
        unknown_networks: { count: NETWORKS.filter(({ name }) => name.startsWith('Network ')).length },
      },
    })
    expect(await costs()).toEqual([])
    expect((await importCosts({ csv, from: '2030-01-01' })).body).toMatchObject({ applied: true })
    expect(await costs()).toHaveLength(600)
    expect((await costs()).find(({ operator }) => operator === '26202')).toMatchObject({
      ...{ from: '2030-01-01', until: null, currency: 'EUR' },
      price: (NETWORKS.find(({ mcc, mnc }) => mcc + mnc === '26202')?.price ?? 0) / 10_000,
    })
    expect((await world.askAdmin('GET', '/audit?most=1')).body['data']).toMatchObject([
      { subject: 'costs of carrier sandbox-sms', before: { costs: 0 }, after: { costs: 600 } },
    ])
    const again = await importCosts({ csv, from: '2030-02-01', dry_run: true })
    expect(again.body).toMatchObject({ effects: { unchanged: 600, added: 0 }, changes: [] })
    const next = await importCosts({ csv: germanSheet(110), from: '2030-03-01' })
    expect(next.body).toMatchObject({ effects: { raised: 600 } })
    const vodafone = (await costs()).filter(({ operator }) => operator === '26202')
    expect(vodafone.map(({ from, until }) => [from, until])).toEqual([
      ['2030-01-01', '2030-03-01'],
      ['2030-03-01', null],
    ])
  })

  test('are named beside the prices that would not pay them', async () => {
    const csv = `${HEAD}Germany;262;02;0,99\n`
    const { body } = await importCosts({ csv, dry_run: true })
    expect(body['below_cost']).toMatchObject({
      first: expect.arrayContaining([
        expect.objectContaining({ account: null, group: null, currency: 'EUR', cost: 0.99, cost_operator: '26202' }),
      ]),
    })
  })

  test('count each price below them once, with the highest cost of its numbers, by owner', async () => {
    await alone()
    const price = { channel: 'sms', currency: 'EUR', account: world.accountId, prefix: '39', price: 0.05 }
    await world.askAdmin('PUT', '/prices', { body: price })
    const { body } = await importCosts({ csv: 'Prefix,Price\n393,0.06\n394,0.08\n395,0.07\n', dry_run: true })
    const { first } = body['below_cost'] as { first: readonly { account: number | null }[] }
    expect(first.filter(({ account }) => account === world.accountId)).toEqual([
      {
        ...{ account: world.accountId, group: null, prefix: '39', operator: null, currency: 'EUR', price: 0.05 },
        ...{ cost: 0.08, cost_prefix: '394', cost_operator: null },
      },
    ])
  })

  test('without a price are counted, and a complete sheet does not end what was set before', async () => {
    await alone()
    await importCosts({ csv: 'Prefix,Price\n43,0.04\n41,0.04\n31,0.04\n32,0.04\n33,0.04\n34,0.04\n' })
    const csv = 'Prefix,Price\n43,TBD\n41,0.05\n31,free\n32,0.06\n32,0.07\n33,\n,\n'
    const whole = { csv, replace: true, skip_wrong: true, from: '2030-01-01' }
    const { body } = await importCosts(whole)
    expect(body).toMatchObject({
      ...{ applied: true, lines: 4, kept: 4, effects: { raised: 1, ended: 1 } },
      unpriced: {
        count: 2,
        lines: [
          { line: 2, text: '43' },
          { line: 7, text: '33' },
        ],
      },
    })
    const found = (await world.askAdmin('GET', '/costs?carrier=sandbox-sms&most=1000')).body['data']
    const open = (found as readonly { prefix: string; until: string | null }[]).filter(({ until }) => until === null)
    expect(open.map(({ prefix }) => prefix)).toEqual(['31', '32', '33', '41', '43'])
  })

  test('that change are all in a file, with countries, networks, currencies and percentages', async () => {
    await alone()
    await importCosts({ csv: `${HEAD}Germany;262;02;0,05 €\n` })
    const csv = `${HEAD}Germany;262;02;0,06 €\nUSA;;;$0,07\nGermany;262;99;0,01\n`
    const { body } = await importCosts({ csv, dry_run: true, csv_changes: true, from: '2030-01-01' })
    expect(String(body['csv']).split('\n')).toEqual([
      'effect,country,prefix,mccmnc,network,in_table,before,before_currency,after,after_currency,percent,from,is_new',
      expect.stringMatching(/^raised,DE,,26202,Vodafone.*,yes,0.05,EUR,0.06,EUR,20,2030-01-01,$/),
      'added,US,1,,,,,,0.07,USD,,2030-01-01,yes',
      'added,DE,,26299,,no,,,0.01,,,2030-01-01,yes',
      '',
    ])
    expect((await importCosts({ csv, dry_run: true })).body['csv']).toBeNull()
  })
})

describe('prices', () => {
  test('come from a sheet of costs with a margin, and only of their channel and owner', async () => {
    await alone()
    const before = (await world.askAdmin('GET', '/prices?most=1000')).body['data'] as readonly object[]
    const csv = `${HEAD}Germany;262;01;0,0500\nGermany;262;02;0,0010\n`
    const made = await importPrices({ csv, percent: 115, min_margin: 0.002, from: '2030-01-01' })
    expect(made.body).toMatchObject({ applied: true, effects: { lowered: 1, raised: 1 }, new_rates: 2 })
    const after = (await world.askAdmin('GET', '/prices?most=1000')).body['data'] as readonly object[]
    expect(after).toHaveLength(before.length + 2)
    expect(after).toEqual(
      expect.arrayContaining([
        ...before,
        expect.objectContaining({ channel: 'sms', operator: '26201', price: 0.0575, from: '2030-01-01' }),
        expect.objectContaining({ channel: 'sms', operator: '26202', price: 0.003 }),
      ]),
    )
  })

  test('of new lines are compared with what their numbers pay before, by more digits, operators, and wider lists', async () => {
    await alone()
    const list = { channel: 'sms', currency: 'EUR' }
    await world.askAdmin('PUT', '/price-groups/retail')
    const move = { accounts: [world.accountId], group: 'retail' }
    expect((await world.askAdmin('POST', '/price-group-moves', { body: move })).status).toBe(200)
    await world.askAdmin('PUT', '/prices', { body: { ...list, prefix: '', price: 0.05 } })
    await world.askAdmin('PUT', '/prices', { body: { ...list, group: 'retail', prefix: '43', price: 0.04 } })
    await world.askAdmin('PUT', '/prices', { body: { ...list, account: world.accountId, prefix: '4176', price: 0.09 } })
    const csv = 'Prefix,Price\n49,0.13\n431,0.05\n4176,0.08\n39,0.05\n41761,0.10\n'
    const body = { ...list, account: world.accountId, csv, dry_run: true, csv_changes: true }
    const look = (await importPrices(body)).body
    expect(look).toMatchObject({
      effects: { raised: 3, lowered: 1, added: 1, ended: 0, unchanged: 0 },
      ...{ new_rates: 4, doubt: null },
      changes: [
        { effect: 'raised', is_new: true, prefix: '49', before: 0.05, after: 0.13 },
        { effect: 'raised', is_new: true, prefix: '431', before: 0.04, after: 0.05 },
        { effect: 'raised', is_new: true, prefix: '41761', before: 0.09, after: 0.1 },
        { effect: 'lowered', is_new: false, prefix: '4176', before: 0.09, after: 0.08 },
        { effect: 'added', is_new: true, prefix: '39', before: 0.05, after: 0.05 },
      ],
    })
    expect(String(look['csv'])).toContain('raised,DE,49,,,,0.05,EUR,0.13,EUR,160,')
    const network = { ...list, csv: `${HEAD}Germany;262;02;0,01\n`, dry_run: true }
    expect((await importPrices(network)).body['changes']).toMatchObject([
      { effect: 'lowered', is_new: true, operator: '26202', before: 0.05, after: 0.01 },
    ])
  })

  test('of a complete list end those that it does not name, after a question if they are many', async () => {
    await alone()
    const price = { channel: 'sms', currency: 'EUR', account: world.accountId }
    for (const prefix of ['43', '44', '41']) {
      await world.askAdmin('PUT', '/prices', { body: { ...price, prefix, price: 0.05 } })
    }
    const body = { account: world.accountId, csv: 'Country,Price\nAustria,0.06\n', from: '2030-01-01', replace: true }
    expect(await importPrices(body)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching('^the sheet ends 2 of 3 rates; to do it anyway') },
    })
    const { body: done } = await importPrices({ ...body, confirm: true })
    expect(done).toMatchObject({ effects: { raised: 1, ended: 2 } })
    const list = await world.askAdmin('GET', `/prices?account=${world.accountId}`)
    expect(list.body['data']).toMatchObject([
      { prefix: '41', until: '2030-01-01' },
      { prefix: '43', price: 0.05, until: '2030-01-01' },
      { prefix: '43', price: 0.06, from: '2030-01-01', until: null },
      { prefix: '44', until: '2030-01-01' },
    ])
  })

  test('that change more than tenfold are asked about: a decimal sign was probably read wrongly', async () => {
    await alone()
    const csv = 'Prefix,Price\n999,0.05\n'
    await importPrices({ csv })
    const high = { csv: csv.replace('0.05', '50') }
    expect((await importPrices({ ...high, dry_run: true })).body['doubt']).toMatch(
      /^1 of 1 amounts are more than 10 times/,
    )
    expect((await importPrices(high)).status).toBe(422)
  })

  test('in a currency that does not exist are wrong', async () => {
    const csv = 'Prefix,Price,Currency\n36,0.02,AAA\n37,0.02,EUR\n'
    expect((await importCosts({ csv, dry_run: true })).body).toMatchObject({
      rates: 1,
      problems: [{ kind: 'currency', count: 1 }],
    })
  })

  test('in another currency than the list are wrong', async () => {
    const { body } = await importPrices({ csv: 'Prefix,Price\n49,$0.05\n', dry_run: true })
    expect(body['problems']).toMatchObject([{ kind: 'currency', count: 1, lines: [{ line: 2, text: '$0.05' }] }])
  })
})

describe('a sheet', () => {
  test('may have a network whose name begins as a line of totals does', async () => {
    const csv = 'Network,MCC,MNC,Price\nTotal Mobile,262,01,0.05\nTotal,,,0.05\n'
    expect(await ratesOf(csv)).toEqual([['26201', 0.05]])
  })

  test('names networks, several in a cell, prefixes, and countries by name, code and MCC', async () => {
    expect(await ratesOf(`${HEAD}Germany;262;01,02;0,05\nAustria;232;;0,06\nÖsterreich;;;0,06\nPL;;*;0,07\n`)).toEqual([
      ['26201', 0.05],
      ['26202', 0.05],
      ['43', 0.06],
      ['48', 0.07],
    ])
    expect(await ratesOf('Dial code\tRate\n+4915\t0.05\n0043\t.06\n')).toEqual([
      ['4915', 0.05],
      ['43', 0.06],
    ])
    expect(await ratesOf('MCCMNC,Price\n26201,0.05\n')).toEqual([['26201', 0.05]])
    expect(await ratesOf('Code,Network,Preis\n262-02,D2,0.05\n', { columns: { mcc: 1, price: 3 } })).toEqual([
      ['26202', 0.05],
    ])
  })

  test('has exact prefixes for countries that share a code, or an error', async () => {
    expect(await ratesOf('Country,Price\nKazakhstan,0.1\nRussia,0.2\n')).toEqual([
      ['77', 0.1],
      ['73', 0.2],
      ['74', 0.2],
      ['78', 0.2],
      ['79', 0.2],
    ])
    const { body } = await importCosts({ csv: 'Country,Price\nUK,0.1\nJersey,0.2\n', dry_run: true })
    expect(body).toMatchObject({
      also_covered: ['GG', 'IM'],
      problems: [{ kind: 'shared', lines: [{ text: 'Jersey' }] }],
    })
  })

  test('has the calling code for the main country of North America, and exact prefixes for the others', async () => {
    const csv = `${HEAD}United States;310;(all);0,01\nUnited States;311;All networks;0,01\nGuam;310;;0,05\n`
    const { body } = await importCosts({ csv: `${csv}Canada;302;*;0,02\n`, dry_run: true })
    expect(body).toMatchObject({ problems: [], also_covered: expect.arrayContaining(['JM', 'BS']) })
    expect(body['also_covered']).not.toContain('CA')
    expect(await ratesOf(csv)).toEqual([
      ['1', 0.01],
      ['1671', 0.05],
    ])
    const canada = await ratesOf('Country,Price\nCanada,0.02\n')
    expect(canada).toContainEqual(['1204', 0.02])
    expect(canada.every(([prefix]) => /^1[2-9]\d\d$/.test(String(prefix)))).toBe(true)
  })

  test('has wrong lines grouped by what is wrong, and is applied without them only if asked', async () => {
    const lines = [
      ...['Atlantis;;;0,05', 'Nowhere;;;0,05', 'Germany;999;;0,05', 'Germany;262;x1;0,05', 'Germany;262;01;free'],
      ...['Germany;262;02;0,05', 'Germany;262;02;0,06', 'Germany;262;03;0,07', 'Germany;262;03;0,07', ';;;0,05'],
      ...['Germany;262;04;n/a', 'Germany;262;05;', 'Total;;;1,55'],
    ].join('\n')
    const kinds = ['country 2', 'mcc 1', 'mnc 1', 'price 1', 'repeated 1', 'destination 1']
    expect(await problemsOf(lines)).toEqual(kinds)
    const refused = await importCosts({ csv: HEAD + lines })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^7 lines are wrong; to leave/) },
    })
    expect(await ratesOf(HEAD + lines)).toEqual([['26203', 0.07]])
  })

  test('has a decimal sign, which its amounts show, or the operator says', async () => {
    const price = (...amounts: readonly string[]) =>
      `Prefix;Price\n${amounts.map((each, at) => `${at + 1};${each}\n`).join('')}`
    expect(await ratesOf(price('1.234', '0.05'))).toEqual([
      ['1', 1.234],
      ['2', 0.05],
    ])
    expect(await ratesOf(price('1.234', '0,05'))).toEqual([
      ['1', 1234],
      ['2', 0.05],
    ])
    expect(await ratesOf(price('1.234,50 EUR'))).toEqual([['1', 1234.5]])
    expect(await ratesOf(price('€ 1,234.5'))).toEqual([['1', 1234.5]])
    expect(await ratesOf(price('1.234'))).toEqual([])
    expect(await ratesOf(price('1.234'), { decimal: ',' })).toEqual([['1', 1234]])
    expect(await ratesOf(price('0.03333333'))).toEqual([['1', 0.033333]])
  })

  test('without known heads is shown, and read with the columns that are named', async () => {
    const csv = 'A;B\n49;0,05\n'
    const { body } = await importCosts({ csv, dry_run: true })
    expect(body).toMatchObject({
      columns: {},
      columns_fault: expect.stringMatching('price'),
      sample: [
        ['A', 'B'],
        ['49', '0,05'],
      ],
    })
    expect(await importCosts({ csv })).toMatchObject({ status: 422, body: { errors: [{ field: 'columns' }] } })
    expect(await ratesOf(csv, { columns: { prefix: 1, price: 2 } })).toEqual([['49', 0.05]])
  })

  test('may have days of its own: later ones end those before', async () => {
    const csv = 'Prefix;Price;Gültig ab\n49;0,05;01.01.2030\n49;0,06;2030-02-01\n43;0,05;31.02.2030\n'
    const { body } = await importCosts({ csv, dry_run: true })
    expect(body).toMatchObject({
      effects: { added: 1, raised: 1 },
      problems: [{ kind: 'from', lines: [{ line: 4, text: '31.02.2030' }] }],
    })
  })
})

describe('the command', () => {
  let line: CommandLine
  beforeEach(async () => {
    line = new CommandLine()
    writeFileSync(line.path('rates.xlsx'), englishWorkbook())
    const settings = [
      '--set',
      'host=smpp.example.net',
      '--set',
      'port=2775',
      '--set',
      'systemId=posthorn',
      '--set',
      'password=secret77',
    ]
    await line.ask(['carrier', 'add', '--id', 'acme', '--kind', 'smpp', ...settings])
  })
  afterEach(() => line.close())

  test('reads a workbook with titles, shows what changes, and applies it', async () => {
    const words = ['cost', 'import', line.path('rates.xlsx'), '--carrier', 'acme']
    const { out } = await line.run([...words, '--dry-run'])
    expect(out).toContain('Columns: country=1,mcc=2,mnc=3,price=5,from=6')
    expect(out).toContain('600 added, 0 ended')
    expect(out).toContain('not applied (dry run)')
    const { out: changes } = await line.run([...words, '--dry-run', '--csv'])
    expect(changes.trimEnd().split('\n')).toHaveLength(601)
    expect(await line.ask(words)).toMatchObject({ applied: true, rates: 600 })
    const { costs: stored } = await line.directory()
    expect(new Set(stored.map(({ operator }) => operator))).toEqual(new Set(NETWORKS.map(({ mcc, mnc }) => mcc + mnc)))
    expect(stored.every(({ from }) => from === Date.UTC(2030, 0, 1))).toBe(true)
  })

  test('makes prices of it, and says what is wrong with a file', async () => {
    const words = [
      'price',
      'import',
      line.path('rates.xlsx'),
      ...'--channel sms --currency EUR --percent 200'.split(' '),
    ]
    await line.ask(words)
    const price = (await line.directory()).prices.find(({ operator }) => operator === '26202')
    const cost = NETWORKS.find(({ mcc, mnc }) => mcc + mnc === '26202')?.price ?? 0
    expect(price?.priceMicros).toBe(cost * 100 * 2)
    expect(await line.run([...words, '--sheet', 'RCS'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching('the sheets are: SMS MT, Internal'),
    })
    writeFileSync(line.path('old.xls'), Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))
    expect((await line.run(['cost', 'import', line.path('old.xls'), '--carrier', 'acme'])).err).toMatch(
      'save it as XLSX',
    )
  })
})
