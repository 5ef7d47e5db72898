/** What every verified provider does with its ready settings, tested against its double. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { ProviderBench, type ProviderCall, type ProviderDouble } from './provider-bench.ts'

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(9)
const UNICODE = 'Привіт 👋 & 100% {{text}}'

/** Beside tests of its own. `texts` returns the texts of a request of the provider. */
export function describeProvider(create: () => ProviderDouble, textOf: (body: string) => string): void {
  let double: ProviderDouble
  let bench: ProviderBench
  beforeEach(async () => {
    double = create()
    bench = await ProviderBench.start(double)
  })
  afterEach(() => bench.stop())

  const { receipts, arrivals } = {
    receipts: () => bench.parts.inbox.receipts,
    arrivals: () => bench.parts.inbox.arrivals,
  }
  const lastTaken = () => {
    const message = double.taken.at(-1)
    if (message === undefined) throw new Error('it took nothing')
    return message
  }

  test('takes a message, and its delivery is known', async () => {
    const { verdict } = await bench.send('00')
    expect(verdict).toMatchObject({ kind: 'taken' })
    expect((await bench.call(double.receipt(lastTaken(), 'delivered')))?.status).toBeLessThan(300)
    expect(receipts()).toMatchObject([{ ref: verdict?.kind === 'taken' ? verdict.ref : '', outcome: 'delivered' }])
  })

  test('reports a failure of a message that it took', async () => {
    await bench.send('00')
    await bench.call(double.receipt(lastTaken(), 'failed'))
    expect(receipts()).toMatchObject([{ outcome: 'undeliverable' }])
  })

  test.each([
    ['short', 'Hello'],
    ['Unicode', UNICODE],
    ['long', LONG],
  ])('gets a %s text as it is', async (_what, text) => {
    const parts = text === LONG ? [0, 1, 2] : [0]
    const { verdicts } = await bench.send('00', text, { parts })
    expect(verdicts.map(({ kind }) => kind)).toEqual(parts.map(() => 'taken'))
    const sent = bench.seen.filter(
      ({ path, query, body }) => textOf(body === '' ? String(query) : body) === text && path !== '',
    )
    expect(sent.length).toBe(1)
  })

  test('refuses a number, an opt-out, an empty account and a fast sender, each in its own words', async () => {
    const expected: Readonly<Record<string, object>> = {
      '01': { kind: 'refused', status: expect.stringMatching(/UNDELIVERABLE|REJECTED/) },
      '02': { kind: 'refused', status: 'UNDELIVERABLE', optedOut: true },
      '04': { kind: 'slow' },
      '03': { kind: 'unreachable', account: true },
    }
    // The account comes last: the carrier is down after it.
    for (const end of ['01', '02', '04', '03'].filter((each) => double.ends.includes(each))) {
      expect((await bench.send(end)).verdict).toMatchObject(expected[end] ?? {})
    }
    expect(double.taken).toEqual([])
  })

  test('passes on an inbound message once, although it repeats the call', async () => {
    const call = double.inbound('Yes & привіт')
    for (const _ of [1, 2]) expect((await bench.call(call))?.status).toBeLessThan(300)
    const [arrival, ...others] = arrivals()
    expect(others).toEqual([])
    expect(arrival?.sender.replace('+', '')).toBe('380501234599')
    expect(arrival?.recipient.replace('+', '')).toBe('4915550001')
    expect(arrival?.text).toBe('Yes & привіт')
  })

  test('proves that a call comes from it: others are refused and change nothing', async () => {
    await bench.send('00')
    for (const call of [double.receipt(lastTaken(), 'delivered'), double.inbound('Hi')]) {
      for (const forged of forgeriesOf(call)) {
        expect([401, 404]).toContain((await bench.call(forged))?.status)
      }
    }
    expect([...receipts(), ...arrivals()]).toEqual([])
  })

  test('says what is left on the account, if it can be asked', async () => {
    const balance = () => bench.carrier.balance?.()
    if (balance() === undefined) return
    await eventually('the balance', () => Number(balance()?.amount) === 12.5)
    expect(balance()?.error).toBeNull()
  })
}

/** Without its token or its signature, and with another one. */
function forgeriesOf(call: ProviderCall): readonly ProviderCall[] {
  const signed = Object.keys(call.headers ?? {}).filter((name) => /signature/i.test(name) && !/nonce|time/i.test(name))
  if (signed.length === 0) {
    const [address = '', ...query] = call.url.split('?')
    const others = [address.replace(/\/[^/]+$/, ''), address.replace(/.$/, 'X')]
    return others.map((url) => ({ ...call, url: [url, ...query].join('?') }))
  }
  const change = (of: (value: string) => string) =>
    Object.fromEntries(
      Object.entries(call.headers ?? {}).map(([name, value]) => [name, signed.includes(name) ? of(value) : value]),
    )
  return [
    { ...call, headers: change(() => '') },
    { ...call, headers: change((value) => [...value].reverse().join('')) },
    ...((call.body ?? '') === '' ? [{ ...call, url: `${call.url}&x=1` }] : [{ ...call, body: `${call.body} ` }]),
  ]
}
