/** Prices as operators keep them: set for later, copied at a percentage, read and written as files. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { type Micros, parseDecimal, toMicros } from '../../src/domain/money/money.ts'
import { GENERAL_PRICES, PRICE_KIND, type Price, Tariff } from '../../src/domain/money/price.ts'
import { MAX_RATE, searchOverlap } from '../../src/domain/money/rate.ts'
import { openAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { copyTariff } from '../../src/operations/admin/prices/copy-tariff.ts'
import { importTariff } from '../../src/operations/admin/prices/import-tariff.ts'
import { setPrice } from '../../src/operations/admin/prices/price.ts'
import { writeTariff } from '../../src/operations/admin/prices/tariff-file.ts'
import { SERVED_OPERATOR } from '../../src/simulator/lookup/lookup.ts'
import { buildPrice } from '../support/build-price.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { call, chain, rcs, sms } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const EUROS = { from: GENERAL_PRICES, currency: 'EUR' } as const
const ofAccount = (accountId: AccountId) => ({ accountId, group: null })

let bench: ClientBench

beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const pricesOf = async (accountId: AccountId | null) =>
  (await bench.store.loadDirectory()).prices.filter((price) => price.accountId === accountId)

const percent = (text: string) => parseDecimal(text) as Micros

describe('the price of an accepted message', () => {
  const held = () => bench.outbox.taken.map(({ journey }) => journey.heldMicros)

  test('is that of the operator, which the message remembers', async () => {
    const price = buildPrice({ channel: 'rcs', operator: SERVED_OPERATOR, priceMicros: toMicros(70_000) })
    await bench.change({ kind: 'set price', price })
    await bench.change({ kind: 'set price', price: { ...price, channel: 'call', priceMicros: toMicros(9_000) } })
    await bench.ask(rcs())
    expect((await bench.ask(call())).data).toMatchObject({ price: 0.009 })
    expect(held()).toEqual([70_000, 9_000])
    const ids = bench.outbox.taken.map(({ id }) => id)
    const stored = await bench.store.loadMessages(ids)
    expect(stored.map(({ operator }) => operator)).toEqual([SERVED_OPERATOR, SERVED_OPERATOR])
  })

  test('is the one valid at that time', async () => {
    const tomorrow = bench.clock.now() + 86_400_000
    await bench.change({
      kind: 'set price',
      price: buildPrice({ channel: 'rcs', prefix: '491', from: tomorrow, priceMicros: toMicros(31_000) }),
    })
    await bench.ask(rcs())
    bench.clock.turnTo(tomorrow - 1)
    await bench.ask(rcs())
    bench.clock.turnTo(tomorrow)
    await bench.ask(rcs())
    expect(held()).toEqual([30_000, 30_000, 31_000])
  })

  test('is that of each step of a chain', async () => {
    await bench.change({
      kind: 'set price',
      price: buildPrice({ accountId: bench.accountId, operator: SERVED_OPERATOR, priceMicros: toMicros(1) }),
    })
    await bench.ask(chain())
    expect(bench.outbox.taken[0]?.plan.map(({ priceMicros }) => priceMicros)).toEqual([30_000, 40_000, 1])
  })
})

describe('a price for later', () => {
  const from = Date.UTC(2027, 0, 1)
  const later = buildPrice({ prefix: '49', from, priceMicros: toMicros(55_000) })

  test('is refused while another is in its way, and set when that one is to end', async () => {
    await expect(setPrice(bench.store, later)).rejects.toThrow(/overlaps with the one at all times/)
    await setPrice(bench.store, later, { endPrevious: true })
    const sms = (await pricesOf(null)).filter(({ channel }) => channel === 'sms')
    expect(sms).toEqual([buildPrice({ prefix: '49', until: from }), later])
  })

  test('ends nothing that is not in its way', async () => {
    const before = await pricesOf(null)
    const apart = [
      { ...later, operator: '26201' },
      { ...later, prefix: '491' },
      { ...later, channel: 'rcs', currency: 'USD' },
    ] as const
    for (const price of apart) await setPrice(bench.store, price, { endPrevious: true })
    expect(new Set(await pricesOf(null))).toEqual(new Set([...before, ...apart]))
    const always = setPrice(bench.store, { ...later, from: null }, { endPrevious: true })
    await expect(always).rejects.toThrow('end_previous requires from')
  })

  test.each([
    [{ operator: '262' }, /operator: must be MCC and MNC/],
    [{ prefix: '+49' }, /prefix: must be up to 15 digits/],
    [{ until: from }, /until: must be later than from/],
    [{ currency: 'EURO' }, /not an ISO 4217 currency/],
    [{ priceMicros: toMicros(-1) }, /must be at least 0/],
    [{ priceMicros: toMicros(MAX_RATE + 1) }, /a price must be at most 100000000$/],
  ])('with %o is refused', async (change, says) => {
    const before = await bench.store.loadDirectory()
    await expect(setPrice(bench.store, { ...later, ...change })).rejects.toThrow(says)
    expect(await bench.store.loadDirectory()).toEqual(before)
  })
})

test('a price that no message can cost is refused by every way in, and fails a stored one alone', async () => {
  const high = { channel: 'sms', prefix: '4999', currency: 'EUR' } as const
  const csv = 'channel,prefix,price\nsms,4999,100000000.000001\n'
  const file = importTariff(bench.store, {
    ...GENERAL_PRICES,
    currency: 'EUR',
    now: bench.clock.now(),
    csv,
    merge: true,
  })
  await expect(file).rejects.toThrow('line 2: a price must be at most 100000000')
  await setPrice(bench.store, buildPrice({ ...high, priceMicros: MAX_RATE }))
  const { accountId: to } = await openAccount(bench.store, new SeededRandom(), { name: 'Copy', currency: 'EUR' })
  const copy = copyTariff(bench.store, { ...EUROS, to: ofAccount(to), percentMicros: percent('101'), replace: false })
  await expect(copy).rejects.toThrow('percent: must leave every price at most 100000000')
  // Earlier versions accepted it.
  await bench.change({ kind: 'set price', price: buildPrice({ ...high, priceMicros: toMicros(999_999_999_000_000) }) })
  const long = sms({ phone: 4999123456789, sms_message: 'x'.repeat(1_530) })
  expect((await bench.post([long, sms({ phone: 4912345678901 })])).data).toMatchObject([
    { success: false, error: 'phone: no price for sms to this number' },
    { success: true },
  ])
})

describe('a copy of a tariff', () => {
  const makeAccount = async (name: string, currency = 'EUR') =>
    (await openAccount(bench.store, new SeededRandom(), { name, currency })).accountId

  test('has every price of the original at its percentage, dates and operators included', async () => {
    await setPrice(bench.store, buildPrice({ operator: '26201', from: 5, until: 9, priceMicros: toMicros(33_333) }))
    await setPrice(bench.store, buildPrice({ currency: 'USD' }))
    const client = await makeAccount('Copy')
    const copied = await copyTariff(bench.store, {
      ...EUROS,
      to: ofAccount(client),
      percentMicros: percent('110'),
      replace: false,
    })
    const original = (await pricesOf(null)).filter(({ currency }) => currency === 'EUR')
    expect(copied).toHaveLength(original.length)
    expect(await pricesOf(client)).toEqual(
      original.map((price) => ({
        ...price,
        accountId: client,
        priceMicros: price.priceMicros === 33_333 ? 36_666 : (price.priceMicros * 11) / 10,
      })),
    )
  })

  test('of another account takes its own prices; what the account had is replaced only when that is said', async () => {
    const [from, to] = [await makeAccount('From'), await makeAccount('To')]
    await setPrice(bench.store, buildPrice({ accountId: from, prefix: '43' }))
    await setPrice(bench.store, buildPrice({ accountId: to, prefix: '41' }))
    const copy = {
      currency: 'EUR',
      from: ofAccount(from),
      to: ofAccount(to),
      percentMicros: percent('100'),
      replace: false,
    }
    await expect(copyTariff(bench.store, copy)).rejects.toThrow(`account ${to} has prices of its own`)
    expect(await copyTariff(bench.store, { ...copy, replace: true })).toHaveLength(1)
    expect(await pricesOf(to)).toEqual([buildPrice({ accountId: to, prefix: '43' })])
  })

  test.each(['1.1', '9.999999', '1000.000001'])(
    'at %s percent is probably a mistake: it needs to be confirmed, and a dry run shows it',
    async (text) => {
      const client = await makeAccount('Copy')
      const copy = { ...EUROS, to: ofAccount(client), percentMicros: percent(text), replace: false }
      await expect(copyTariff(bench.store, copy)).rejects.toThrow(/percent: must be from 10 to 1000, where 110 means/)
      const [shown] = await copyTariff(bench.store, { ...copy, dryRun: true })
      expect(shown?.copy.priceMicros).not.toBe(shown?.price.priceMicros)
      expect(await pricesOf(client)).toEqual([])
      await copyTariff(bench.store, { ...copy, confirm: true })
      expect(await pricesOf(client)).not.toEqual([])
    },
  )

  test.each(['10', '1000'])('at %s percent needs no confirmation', async (text) => {
    const client = await makeAccount('Copy')
    const copy = { ...EUROS, to: ofAccount(client), percentMicros: percent(text), replace: false }
    expect(await copyTariff(bench.store, copy)).toHaveLength((await pricesOf(client)).length)
  })

  test('is refused where it makes no sense', async () => {
    const [client, dollars] = [await makeAccount('Euros'), await makeAccount('Dollars', 'USD')]
    const copy = { ...EUROS, to: ofAccount(client), percentMicros: percent('100'), replace: true }
    const inputs = [
      [{ ...copy, from: ofAccount(dollars) }, /pays in another currency/],
      [{ ...copy, to: ofAccount(dollars), currency: 'USD' }, /there are no prices to copy/],
      [{ ...copy, from: ofAccount(client) }, /from: must be another account/],
      [{ ...copy, percentMicros: percent('0') }, /must be greater than 0/],
      [{ ...copy, to: ofAccount(99 as AccountId) }, /there is no account 99/],
    ] as const
    for (const [input, says] of inputs) await expect(copyTariff(bench.store, input)).rejects.toThrow(says)
  })
})

describe('a tariff as a file', () => {
  const FILE = [
    'channel,prefix,operator,from,until,price',
    'sms,49,,,2027-01-01,0.05',
    'sms,49,,2027-01-01,,0.055',
    'sms,,26202,2027-01-01T12:00:00Z,,0.0000001'.replace('0.0000001', '0.000001'),
    'rcs,+43,,,,1.5',
    '',
  ].join('\n')
  const now = Date.UTC(2026, 0, 1)
  const scope = { ...GENERAL_PRICES, currency: 'EUR', now } as const
  const whole = { merge: false, confirm: true }

  test('is the whole tariff, and is written as it was read', async () => {
    expect(await importTariff(bench.store, { ...scope, csv: FILE, merge: false, confirm: true })).toMatchObject({
      prices: 4,
    })
    const prices = await pricesOf(null)
    const text = [...writeTariff(prices)].join('')
    expect(text.split('\n').sort()).toEqual(FILE.replace('+43', '43').split('\n').sort())
    await importTariff(bench.store, { ...scope, csv: text, merge: false })
    expect(await pricesOf(null)).toEqual(prices)
  })

  test('that is merged changes what it names and leaves the rest', async () => {
    const csv = 'price;'.replace(';', ',channel,prefix\r\n"0.06",SMS,49\r\n0.07,sms,43\r\n')
    expect(await importTariff(bench.store, { ...scope, csv, merge: true })).toMatchObject({ prices: 5 })
    const sms = (await pricesOf(null)).filter(({ channel }) => channel === 'sms')
    expect(sms).toEqual([
      buildPrice({ prefix: '43', priceMicros: toMicros(70_000) }),
      buildPrice({ prefix: '49', priceMicros: toMicros(60_000) }),
    ])
  })

  test.each([
    ['', /the first line must name the columns: channel,prefix,operator,from,until,price/],
    ['sms,49,0.05', /the first line must name the columns/],
    ['channel,price,price\n', /names a column twice/],
    ['channel,price\nsms,0.05,9', /line 2: has more cells/],
    ['channel,price\nsms,1e-3', /line 2: the price must be a decimal number/],
    ['channel;price\nsms;0,05', /line 2: the price must be a decimal number .*; write a decimal point, not a comma/],
    ['channel,price\nsms,-1', /line 2: the price must be a decimal number/],
    ['channel,price\n\nfax,1', /line 3: the channel must be one of rcs, chatapp, sms, call/],
    ['channel,price,prefix\nsms,1,Germany', /line 2: prefix: must be up to 15 digits/],
    ['channel,price,prefix\nsms,1,0049', /line 2: prefix: must begin with a country code, without 0 or 00/],
    ['channel,price,operator\nsms,1,262', /line 2: operator: must be MCC and MNC/],
    ['channel,price,from\nsms,1,2027-02-30', /line 2: from must be a day such as 2026-03-01/],
    ['channel,price,from,until\nsms,1,2027-02-01,2027-01-01', /line 2: until: must be later than from/],
    ['channel,price\nsms,1\nrcs,1\nsms,2', /line 4: has the same key and start as line 2/],
    ['channel,price,from\nsms,1,\nsms,2,2027-01-01', /line 3: the price of sms every number in EUR from 2027-01-01/],
  ])('%j is refused whole', async (csv, says) => {
    const before = await bench.store.loadDirectory()
    await expect(importTariff(bench.store, { ...scope, csv, merge: false })).rejects.toThrow(says)
    expect(await bench.store.loadDirectory()).toEqual(before)
  })

  test('is refused with its first 20 wrong lines and the number of the others', async () => {
    const good = Array.from({ length: 30 }, (_, index) => `sms,${100 + index},0.05`)
    const wrong = ['sms,49,0,05', 'fax,49,1', 'sms,0049,1', ...Array.from({ length: 19 }, () => 'sms,41,x')]
    const csv = priced(...good, ...wrong)
    const error = await importTariff(bench.store, { ...scope, csv, merge: false }).catch((reason: Error) => reason)
    const [count, first, second, third, ...others] = String((error as Error).message).split('\n')
    expect([count, first, second]).toEqual([
      '22 lines are wrong',
      'line 32: has more cells than the first line names',
      expect.stringMatching(/^line 33: prefix|^line 33: the channel must be one of/),
    ])
    expect(third).toMatch(/^line 34: prefix: must begin with a country code/)
    expect(others).toHaveLength(18)
    expect(others.at(-1)).toBe('… and 2 more')
    const twice = priced('sms,49,1', 'sms,49,2', 'sms,43,1', 'sms,49,3')
    await expect(importTariff(bench.store, { ...scope, csv: twice, merge: false })).rejects.toThrow(
      '2 lines are wrong\nline 3: has the same key and start as line 2\nline 5: has the same key and start as line 2',
    )
  })

  test('for an account must be in its currency, and merged with what it says nothing of must fit', async () => {
    const mine = { ...ofAccount(bench.accountId), currency: 'USD', csv: 'channel,price\n', merge: false, now }
    await expect(importTariff(bench.store, mine)).rejects.toThrow('pays in EUR, not in USD')
    const csv = 'channel,price,prefix,from\nsms,1,49,2027-01-01\n'
    await expect(importTariff(bench.store, { ...scope, csv, merge: true })).rejects.toThrow(/line 2: .* overlaps with/)
  })

  const priced = (...lines: readonly string[]) => ['channel,prefix,price', ...lines, ''].join('\n')
  const counts = (added: number, changed: number, removed: number) => ({ added, changed, removed })

  test('reports what it adds, changes and removes, and a dry run only reports it', async () => {
    await importTariff(bench.store, { ...scope, csv: priced('sms,49,0.05', 'sms,43,0.06', 'sms,41,0.07'), ...whole })
    const next = { ...scope, csv: priced('sms,49,0.05', 'sms,43,0.08', 'sms,44,0.09'), merge: false }
    const before = await bench.store.loadDirectory()
    const dry = await importTariff(bench.store, { ...next, dryRun: true })
    expect(await bench.store.loadDirectory()).toEqual(before)
    expect(dry).toEqual({
      prices: 3,
      ...counts(1, 1, 1),
      lines: ['- sms 41… in EUR: 0.07', '~ sms 43… in EUR: 0.06 → 0.08', '+ sms 44… in EUR: 0.09'],
    })
    expect(await importTariff(bench.store, next)).toEqual(dry)
    expect(await importTariff(bench.store, next)).toMatchObject(counts(0, 0, 0))
  })

  test('lists only the first differences of many', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `sms,${1_000 + index},0.05`)
    const { lines: listed, added } = await importTariff(bench.store, { ...scope, csv: priced(...lines), merge: true })
    expect({ listed: listed.length, added }).toEqual({ listed: 20, added: 1_000 })
  })

  test('that removes more than half of the prices, or has none, must be confirmed', async () => {
    const four = priced('sms,49,0.05', 'sms,43,0.06', 'sms,41,0.07', 'sms,44,0.08')
    await importTariff(bench.store, { ...scope, csv: four, ...whole })
    const before = await bench.store.loadDirectory()
    const one = { ...scope, csv: priced('sms,49,0.05'), merge: false }
    await expect(importTariff(bench.store, one)).rejects.toThrow('the file removes 3 of 4 prices')
    for (const merge of [false, true]) {
      await expect(importTariff(bench.store, { ...one, csv: priced(), merge })).rejects.toThrow('has no prices')
    }
    expect(await bench.store.loadDirectory()).toEqual(before)
    expect(await importTariff(bench.store, { ...one, merge: true })).toMatchObject({ prices: 4, ...counts(0, 0, 0) })
    const two = { ...one, csv: priced('sms,49,0.05', 'sms,43,0.06') }
    expect(await importTariff(bench.store, two)).toMatchObject({ prices: 2, ...counts(0, 0, 2) })
    expect(await importTariff(bench.store, { ...one, csv: priced(), confirm: true })).toMatchObject({ prices: 0 })
  })

  test('may have tens of thousands of prices', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `sms,${100_000 + index},,,,0.0${1 + (index % 9)}`)
    const csv = ['channel,prefix,operator,from,until,price', ...lines].join('\n')
    expect(await importTariff(bench.store, { ...scope, csv, merge: false, confirm: true })).toMatchObject({
      prices: 20_000,
    })
    const before: readonly Price[] = (await bench.store.loadDirectory()).prices
    expect([...Tariff.build(before)]).toHaveLength(20)
    expect([...searchOverlap(PRICE_KIND, before)]).toHaveLength(40)
    await bench.store
      .change({ kind: 'resume hook', hook: { accountId: bench.accountId, address: 'x' }, at: 1 })
      .catch(() => {})
    // Unchanged prices are not passed again.
    expect((await bench.store.loadDirectory()).prices).toBe(before)
  })
})
