/** What leads messages to carriers as one text: exported, changed, looked at and applied, whole or not at all. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Directory } from '../../src/domain/directory/directory.ts'
import { readOperators } from '../../src/domain/numbers/operator-table.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine

beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  const smpp = { host: 'smpp.example.net', port: 2775, systemId: 'posthorn', password: 'secret77' }
  for (const [id, priority] of [
    ['beta', '20'],
    ['acme', '10'],
  ] as const) {
    const words = `carrier add --id ${id} --kind smpp --priority ${priority} --settings -`.split(' ')
    await line.ask(words, JSON.stringify(smpp))
  }
  await line.ask('pool add --id berlin --numbers 4930123400000-4930123400099,4930999900000'.split(' '))
  await line.ask('carrier add --id voice --kind sip --set host=sbc.example.net --pool berlin'.split(' '))
  await line.ask('route add --carrier acme --prefix 49 --account 1 --sender Shop --weight 3'.split(' '))
  await line.ask('cost set --carrier acme --prefix 49 --price 0.031'.split(' '))
  await line.ask('cost set --carrier acme --prefix 49 --category utility --price 0.01'.split(' '))
  await line.ask('price set --channel sms --price 0.05 --currency EUR'.split(' '))
})
afterEach(() => line.close())

async function exported(): Promise<string> {
  const { exitCode, out } = await line.run(['config', 'export'])
  expect(exitCode).toBe(0)
  return out
}

/** Applies the exported text as it is after a change of it. */
async function apply(change: (configuration: Configuration) => void, ...flags: readonly string[]) {
  const configuration = JSON.parse(await exported()) as Configuration
  change(configuration)
  const file = line.path('posthorn.json')
  writeFileSync(file, JSON.stringify(configuration))
  return line.run(['config', 'apply', file, ...flags])
}

interface Configuration {
  accounts: Record<string, unknown>[]
  carriers: { id: string; kind: string; channel: string; settings: Record<string, unknown> }[]
  routes: Record<string, unknown>[]
  costs?: Record<string, unknown>[]
  pools: Record<string, unknown>[]
  prices: Record<string, unknown>[]
  operators?: Record<string, unknown>
  [unknown: string]: unknown
}

describe('an export', () => {
  test('is deterministic, sorted, and contains no secret', async () => {
    const text = await exported()
    expect(await exported()).toBe(text)
    expect(text).not.toContain('secret77')
    const { carriers, routes, pools, costs, prices } = JSON.parse(text) as Configuration
    expect(carriers.map(({ id }) => id)).toEqual(['acme', 'beta', 'voice'])
    expect(carriers[0]?.settings).toEqual({
      host: 'smpp.example.net',
      password: '<kept>',
      port: 2775,
      systemId: 'posthorn',
    })
    expect(pools).toEqual([{ id: 'berlin', code_digits: 4, numbers: ['4930123400000-4930123400099', '4930999900000'] }])
    expect(routes).toContainEqual({
      ...{ channel: 'sms', carrier: 'acme', prefix: '49', account: 1, sender: 'Shop' },
      ...{ operators: null, priority: 100, weight: 3, pool: null, ring_seconds: null },
    })
    const everywhere = { prefix: '49', operator: null, from: null, until: null, currency: null }
    expect(costs).toEqual([
      { carrier: 'acme', category: null, ...everywhere, price: 0.031 },
      { carrier: 'acme', category: 'utility', ...everywhere, price: 0.01 },
    ])
    expect(prices).toMatchObject([{ channel: 'sms', currency: 'EUR', prefix: '', account: null, price: 0.05 }])
  })

  test('hides what may be secret in the request of a generic carrier', async () => {
    const settings = {
      request: {
        address: 'https://api.example.net/send?apikey=secret77&to={phone}',
        headers: { 'x-app': 'secret77' },
        body: { json: { user: 'secret77', text: '{text}' } },
      },
      answer: { id: { path: 'id' } },
    }
    await line.withStore((store) =>
      store.change({ kind: 'set carrier', carrier: { id: 'any', kind: 'http', channel: 'sms', settings } }),
    )
    const text = await exported()
    expect(text).not.toContain('secret77')
    expect(text).toContain('"text": "{text}"')
  })
})

describe('a review', () => {
  test('is applied unchanged, and refused once it would remove something else', async () => {
    const weigh = ({ routes }: Configuration) => Object.assign(routes[0] ?? {}, { weight: 7 })
    const file = line.path('posthorn.json')
    const { out } = await apply(weigh, '--dry-run', '--json')
    const { review } = JSON.parse(out) as { readonly review: string }
    await line.ask('route add --carrier beta --prefix 43'.split(' '))
    const refused = await line.run(['config', 'apply', file, '--review', review])
    expect(refused.err).toContain('the differences are no longer those of the review')
    await line.ask('route remove --carrier beta --prefix 43'.split(' '))
    expect(await line.run(['config', 'apply', file, '--review', review])).toMatchObject({ exitCode: 0 })
    expect(await exported()).toContain('"weight": 7')
  })
})

describe('an apply', () => {
  test('keeps a secret while the carrier stays where it is', async () => {
    const tuned = { window: 50, systemType: 'SMPP', throughput: 100 }
    const ran = await apply(({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, tuned))
    expect(ran).toMatchObject({ exitCode: 0 })
    expect((await line.directory()).carriers[0]).toMatchObject({ settings: { ...tuned, password: 'secret77' } })
  })

  test('of what was exported changes nothing', async () => {
    const before = await line.directory()
    expect(await apply(() => {})).toEqual({ exitCode: 0, out: 'Nothing to change.\n', err: '' })
    expect(await line.directory()).toEqual(before)
  })

  test('changes how long the phones of a route ring, and has them ring as their carrier says again', async () => {
    const ring = (seconds: number | null) => (configuration: Configuration) => {
      configuration.routes = configuration.routes.map((route) =>
        route['carrier'] === 'voice' ? { ...route, ring_seconds: seconds } : route,
      )
    }
    const ringing = async () =>
      (await line.directory()).routes.find(({ carrierId }) => carrierId === 'voice')?.ringSeconds
    expect((await apply(ring(2.5))).out).toContain('to voice: ring_seconds null → 2.5')
    expect(await ringing()).toBe(2.5)
    expect(JSON.parse(await exported()).routes).toContainEqual(
      expect.objectContaining({ carrier: 'voice', ring_seconds: 2.5 }),
    )
    expect((await apply(ring(61))).err).toContain('a ring time must be a number of seconds from 0.1 to 60')
    expect(await ringing()).toBe(2.5)
    expect((await apply(ring(null))).out).toContain('to voice: ring_seconds 2.5 → null')
    expect(await ringing()).toBeUndefined()
  })

  test('adds, removes and changes in one transaction; a dry run prints the same and changes nothing', async () => {
    const before = await line.directory()
    const edit = (configuration: Configuration) => {
      const { carriers, routes } = configuration
      const acme = carriers.find(({ id }) => id === 'acme')
      if (acme !== undefined)
        Object.assign(acme.settings, { host: 'new.example.net', window: 20, password: 'secret77' })
      carriers.push({
        id: 'gamma',
        kind: 'smpp',
        channel: 'sms',
        settings: { host: 'c.example.net', port: 2775, systemId: 'c', password: 'secret88' },
      })
      configuration.carriers = carriers.filter(({ id }) => id !== 'beta')
      configuration.routes = routes
        .filter(({ carrier }) => carrier !== 'beta')
        .map((route) => (route['sender'] === 'Shop' ? { ...route, weight: 5 } : route))
      configuration.routes.push({ channel: 'sms', carrier: 'gamma', prefix: '43', priority: 1 })
      configuration.prices[0] = { ...configuration.prices[0], price: 0.06 }
    }
    const lines = [
      '+ carrier gamma (smpp)',
      '- carrier beta (smpp)',
      '~ carrier acme (smpp): host "smpp.example.net" → "new.example.net", window nothing → 20',
      '+ route sms 43… to gamma',
      '- route sms every number to beta',
      '~ route sms 49… to acme for account 1 as Shop: weight 3 → 5',
      '~ price of sms every number in EUR: price 0.05 → 0.06',
    ]
    const dry = await apply(edit, '--dry-run')
    expect(dry.out.split('\n')).toEqual([...lines, '7 changes, not applied (dry run).', ''])
    expect(await line.directory()).toEqual(before)

    expect((await apply(edit)).out.split('\n')).toEqual([...lines, '7 changes applied.', ''])
    const rows = await line.directory()
    expect(rows.revision).toBe(before.revision + 1)
    expect(rows.carriers).toMatchObject([
      { id: 'acme', settings: { host: 'new.example.net', password: 'secret77', window: 20 } },
      { id: 'gamma', settings: { password: 'secret88' } },
      { id: 'voice' },
    ])
    expect(rows.routes.map(({ carrierId }) => carrierId).sort()).toEqual(['acme', 'acme', 'gamma', 'voice'])

    const again = readFileSync(line.path('posthorn.json'), 'utf8')
    expect((await line.run(['config', 'apply', '-'], again)).out).toBe('Nothing to change.\n')
  })

  test('lets one price end where the next begins, and refuses two at one time', async () => {
    const next = { channel: 'sms', currency: 'EUR', prefix: '', operator: null, from: '2027-01-01', price: 0.06 }
    expect((await apply(({ prices }) => prices.push(next))).err).toMatch(
      /the price of sms every number in EUR from 2027-01-01 overlaps with the one at all times/,
    )
    const ran = await apply(({ prices }) => {
      prices[0] = { ...prices[0], until: '2027-01-01' }
      prices.push(next, { ...next, operator: '26201', from: '2027-01-01T09:00:00+01:00', until: '2028-01-01' })
    })
    expect(ran.out.split('\n')).toEqual([
      '+ price of sms every number in EUR from 2027-01-01',
      '+ price of sms every number of operator 26201 in EUR from 2027-01-01T08:00:00Z',
      '~ price of sms every number in EUR: until null → "2027-01-01"',
      '3 changes applied.',
      '',
    ])
    expect(await apply(() => {})).toMatchObject({ out: 'Nothing to change.\n' })
    const wrong = await apply(({ prices }) => Object.assign(prices[0] ?? {}, { until: 'tomorrow' }))
    expect(wrong).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('prices[0]: until: must be a day such as 2027-01-01'),
    })
  })

  test('changes a secret without a word of it, and keeps the maintenance switch', async () => {
    await line.ask('carrier drain --id acme'.split(' '))
    const ran = await apply(({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, { password: 'secret99' }))
    expect(ran.out).toBe('~ carrier acme (smpp): password (secret) → (secret)\n1 change applied.\n')
    const [acme] = (await line.directory()).carriers
    expect(acme).toMatchObject({ id: 'acme', draining: true, settings: { password: 'secret99' } })
  })

  test('leaves alone what the file does not speak of', async () => {
    const before = await line.directory()
    const file = line.path('some.json')
    writeFileSync(file, JSON.stringify({ costs: [] }))
    const ran = await line.run(['config', 'apply', file])
    expect(ran.out).toBe('- cost of acme 49…\n- cost of acme utility 49…\n2 changes applied.\n')
    const { costs, revision, ...after } = await line.directory()
    expect({ ...after, costs: before.costs, revision: revision - 1 }).toEqual(before)
  })

  const REFUSED: readonly (readonly [what: string, edit: (configuration: Configuration) => void, says: RegExp])[] = [
    [
      'a field that is not known',
      (file) => Object.assign(file, { carrier: [] }),
      /^error: \S+posthorn.json: carrier: unknown field/,
    ],
    [
      'a field of a route that is not known',
      ({ routes }) => Object.assign(routes[1] ?? {}, { prio: 1 }),
      /routes\[1\]\.prio: unknown field/,
    ],
    ['a missing field', ({ routes }) => delete routes[0]?.['prefix'], /routes\[0\]\.prefix: required/],
    [
      'a wrong type',
      ({ prices }) => Object.assign(prices[0] ?? {}, { price: '1' }),
      /prices\[0\]\.price: must be a number/,
    ],
    [
      'half a millionth',
      ({ prices }) => Object.assign(prices[0] ?? {}, { price: 1e-7 }),
      /prices\[0\]: price: must be a decimal/,
    ],
    ['an account that is not there', ({ routes }) => Object.assign(routes[0] ?? {}, { account: 7 }), /no account 7/],
    [
      'an account that is none',
      ({ routes }) => Object.assign(routes[0] ?? {}, { account: 0.5 }),
      /routes\[0\]\.account: must be a whole number, at least 1/,
    ],
    [
      'a carrier that routes need',
      (file) => {
        file.carriers = file.carriers.filter(({ id }) => id !== 'acme')
      },
      /routes\[\d\]: there is no carrier acme/,
    ],
    [
      'a pool that routes need',
      (file) => {
        file.pools = []
      },
      /there is no pool berlin/,
    ],
    [
      'settings that the driver refuses',
      ({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, { port: 'x', password: 'secret77' }),
      /invalid settings of carrier acme: port/,
    ],
    [
      'a secret that is kept nowhere',
      ({ carriers }) => carriers.push({ ...carriers[0], id: 'delta' } as (typeof carriers)[number]),
      /carrier delta: password is <kept>, but no secret is stored for it/,
    ],
    [
      'a kept secret for another host',
      ({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, { host: 'evil.example.net' }),
      /carrier acme: host changed, so <kept> cannot stand for password: give the secret itself/,
    ],
    [
      'a kept secret for another port, in the clear or over TLS',
      ({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, { port: 2776, tls: { servername: 'evil.example' } }),
      /carrier acme: port, tls\.servername changed, so <kept> cannot stand for password/,
    ],
    [
      'the address of a metadata service',
      ({ carriers }) => Object.assign(carriers[0]?.settings ?? {}, { host: '169.254.169.254', password: 'secret88' }),
      /carrier acme: host is 169\.254\.169\.254, a link-local address/,
    ],
    [
      'a kind that is not known',
      ({ carriers }) => Object.assign(carriers[0] ?? {}, { kind: 'toString' }),
      /carriers\[0\]\.kind: must be one of rbm, /,
    ],
    [
      'the same route twice',
      ({ routes }) => routes.push({ ...routes[0], priority: 3 }),
      /the route \w+ every number to \w+ occurs twice/,
    ],
    [
      'another table of operators',
      ({ operators }) => Object.assign(operators ?? {}, { sha256: '00' }),
      /another operator table: import that table/,
    ],
  ]

  test.each(REFUSED)('refuses %s and changes nothing', async (_what, edit, says) => {
    const before = await line.directory()
    const ran = await apply(edit)
    expect(ran).toMatchObject({ exitCode: 1, out: '' })
    expect(ran.err).toMatch(says)
    expect(ran.err).not.toContain('secret77')
    expect(await line.directory()).toEqual(before)
  })

  test.each([
    ['', 2],
    ['null', 2],
    ['[]', 2],
    ['{"password": secret77}', 2],
    ['{"routes":{}}', 1],
    ['{"routes":[1]}', 1],
  ])('refuses %s', async (text, exitCode) => {
    const ran = await line.run(['config', 'apply', '-'], text)
    expect(ran).toMatchObject({ exitCode, out: '' })
    expect(ran.err).toMatch(/^error: standard input: [^\n]+\n$/)
    expect(ran.err).not.toContain('secret77')
  })

  test('names a folder given in place of the file', async () => {
    const ran = await line.run(['config', 'apply', line.path('.')])
    expect(ran).toMatchObject({ exitCode: 1, err: `error: ${line.path('.')}: a folder, not a file; name a file\n` })
  })
})

describe('a table of operators', () => {
  test('is imported whole, in place of the one before, and answers for numbers', async () => {
    await line.ask(['operator', 'import', '-', '--confirm'], '1,31026,Old\n')
    const csv = '\uFEFFprefix,mccmnc,name\r\n4917,26202,"Vodafone, ""D2"""\r\n+49176,26203,o2\r\n\r\n49151,26201\r\n'
    expect(await line.ask(['operator', 'import', '-', '--confirm'], csv)).toEqual({ prefixes: 3 })
    const rows = await line.directory()
    expect(readOperators(rows.operators)).toEqual([
      { prefix: '49151', operator: '26201', name: '' },
      { prefix: '4917', operator: '26202', name: 'Vodafone, "D2"' },
      { prefix: '49176', operator: '26203', name: 'o2' },
    ])
    const directory = new Directory(rows)
    const operatorOf = (phone: string) => directory.operatorOf(phone as Phone)
    expect(['491701234567', '491761234567', '491511234567', '4930123456', '1202'].map(operatorOf)).toEqual([
      '26202',
      '26203',
      '26201',
      null,
      null,
    ])
  })

  test.each([
    ['4917,26202\n4917,26203', /line 2: 4917 occurs twice/],
    ['4917,26202\nabc,26203', /line 2: the prefix must be 1 to 15 digits/],
    ['4917,26202\nabc,26203\n4917,1', /^error: 2 lines are wrong\nline 2: the prefix .*\nline 3: the operator must be/],
    ['4917,262', /line 1: the operator must be its MCC and MNC/],
    ['4917,26202,a,b', /line 1: must have only/],
    [`4917,26202,${'a'.repeat(101)}`, /line 1: the name must have at most 100/],
  ])('%j is refused', async (csv, says) => {
    const before = await line.directory()
    const ran = await line.run(['operator', 'import', '-'], csv)
    expect(ran).toMatchObject({ exitCode: 1, out: '' })
    expect(ran.err).toMatch(says)
    expect(await line.directory()).toEqual(before)
  })
})

test('a carrier is drained, resumed, emptied and removed by single commands', async () => {
  await line.ask('carrier drain --id acme'.split(' '))
  const list = await line.run(['carrier', 'list'])
  expect(list.out).toMatch(/acme +smpp +sms +yes /)
  await line.ask('carrier resume --id acme'.split(' '))
  await line.ask('route remove --carrier acme'.split(' '))
  await line.ask('route remove --carrier acme --prefix 49 --account 1 --sender Shop'.split(' '))
  await line.ask('carrier remove --id acme'.split(' '))
  await line.ask('price remove --channel sms --currency EUR'.split(' '))
  await line.ask('route remove --carrier voice'.split(' '))
  await line.ask('pool remove --id berlin'.split(' '))
  await line.ask('key issue --account 1 --name shop'.split(' '))
  await line.ask('key revoke --account 1 --name shop'.split(' '))
  const rows = await line.directory()
  expect(rows.carriers.map(({ id }) => id)).toEqual(['beta', 'voice'])
  expect([rows.routes.length, rows.costs, rows.prices, rows.pools, rows.keys]).toEqual([1, [], [], [], []])
})

describe('the settings of accounts', () => {
  test('are those of the file, as far as it names them', async () => {
    await line.ask(['account', 'create', '--name', 'Other'])
    const shop = { account: 1, name: 'Shop', unique_ids: true, low_balance: 12.5, texts_kept_days: 30 }
    const { exitCode, out } = await apply((file) => (file.accounts = [shop]))
    expect([exitCode, out]).toEqual([
      0,
      '~ account 1 (Shop): low_balance null → 12.5, texts_kept_days 90 → 30, unique_ids false → true\n1 change applied.\n',
    ])
    const { accounts } = JSON.parse(await exported()) as Configuration
    expect(accounts).toMatchObject([
      { ...shop, report_steps: false },
      { account: 2, name: 'Other', unique_ids: false },
    ])
    const audit = await line.run(['audit', 'list', '--json'])
    expect(audit.out).toContain('"account 1"')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['of an unknown account', { account: 7, name: 'Shop' }, 'there is no account 7'],
    ['of another account', { account: 1, name: 'Bakery' }, 'account 1 is Shop here and Bakery in the configuration'],
    ['that are not known', { account: 1, name: 'Shop', colour: 'red' }, 'accounts[0].colour: unknown field'],
    ['of the wrong kind', { account: 1, name: 'Shop', unique_ids: 3 }, 'accounts[0].unique_ids: must be true or false'],
    ['out of bounds', { account: 1, name: 'Shop', operations_per_second: 1e9 }, 'operations_per_second: must be'],
  ])('%s are refused, and nothing is changed', async (_, entry, sentence) => {
    const before = await exported()
    const { exitCode, err } = await apply((file) => {
      file.accounts = [entry]
      file.routes = []
    })
    expect(exitCode).not.toBe(0)
    expect(err).toContain(sentence)
    expect(await exported()).toBe(before)
  })
})
