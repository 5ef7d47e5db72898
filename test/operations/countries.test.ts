/** Countries that an account may send to, and prefixes where traffic was stopped: refused before anything is held. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../src/domain/guards/traffic-alarm.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { buildPrice } from '../support/build-price.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'

const LATVIAN = 37_120_000_000
const GERMAN = 4_915_112_345_678
const KAZAKH = 77_011_234_567
const RUSSIAN = 79_161_234_567
const SATELLITE = 870_773_111_632

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
  const price = { prefix: '', priceMicros: toMicros(50_000) }
  await bench.change({ kind: 'set price', price: buildPrice({ ...price, channel: 'sms' }) })
  await bench.change({ kind: 'set price', price: buildPrice({ ...price, channel: 'call' }) })
})
afterEach(() => bench.stop())

const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })

/** For each number whether it is accepted. */
async function accepted(...phones: readonly number[]): Promise<readonly unknown[]> {
  const answer = await bench.post(phones.map(sms))
  return answer.data.map(({ success, error }: { success: boolean; error?: string }) => error ?? success)
}

const allow = (allowedCountries: readonly string[] | null) =>
  bench.change({
    kind: 'set account',
    accountId: bench.accountId,
    settings: { ...DEFAULT_ACCOUNT_SETTINGS, allowedCountries },
  })
const allowAll = (allowedCountries: readonly string[] | null) =>
  bench.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, allowedCountries } })

const NOT_ALLOWED = 'phone: this country is not allowed'

describe('countries', () => {
  test('are all allowed at first', async () => {
    expect(await accepted(LATVIAN, GERMAN, KAZAKH, SATELLITE)).toEqual([true, true, true, true])
  })

  test('only the named ones are allowed, also where countries share a code', async () => {
    await allow(['LV', 'KZ'])
    const answers = [true, NOT_ALLOWED, true, NOT_ALLOWED, NOT_ALLOWED]
    expect(await accepted(LATVIAN, GERMAN, KAZAKH, RUSSIAN, SATELLITE)).toEqual(answers)
    expect(await bench.store.balancesOf(bench.accountId)).toMatchObject({ held: 100_000 })
  })

  test('must be allowed by the installation as well', async () => {
    await allow(['LV', 'DE'])
    await allowAll(['DE', 'KZ'])
    expect(await accepted(LATVIAN, GERMAN, KAZAKH)).toEqual([NOT_ALLOWED, true, NOT_ALLOWED])
    await allow([])
    expect(await accepted(GERMAN)).toEqual([NOT_ALLOWED])
    await allow(null)
    expect(await accepted(LATVIAN, GERMAN, KAZAKH)).toEqual([NOT_ALLOWED, true, true])
  })

  test('count for calls and prices too', async () => {
    await allow(['DE'])
    expect(await bench.ask({ type: 'call/otp', phone: LATVIAN })).toMatchObject({ success: false, error: NOT_ALLOWED })
    const price = { ...sms(LATVIAN), type: 'price', send_type: 'sms' }
    expect(await bench.ask(price)).toMatchObject({ success: false, error: NOT_ALLOWED })
  })
})

describe('a prefix that is stopped', () => {
  const alarm = (change: Partial<TrafficAlarm> = {}) =>
    bench.change({
      kind: 'set traffic alarm',
      alarm: {
        accountId: null,
        kind: 'messages',
        prefix: '3712000',
        raisedAt: bench.clock.now(),
        seen: 500,
        usual: 3,
        state: 'stopped',
        until: bench.clock.now() + 60_000,
        ...change,
      },
    })
  const STOPPED = 'phone: traffic to numbers like this is stopped for now, ask the operator'

  test('takes nothing until its time is over, and others are as before', async () => {
    await alarm()
    expect(await accepted(LATVIAN, 37_120_100_000, GERMAN)).toEqual([STOPPED, true, true])
    bench.clock.advance(60_000)
    expect(await accepted(LATVIAN)).toEqual([true])
  })

  test('takes nothing while confirmed, and everything after it is lifted', async () => {
    await alarm({ state: 'confirmed', until: null })
    bench.clock.advance(1_000_000_000)
    expect(await accepted(LATVIAN)).toEqual([STOPPED])
    await alarm({ state: 'lifted', until: bench.clock.now() + 1_000 })
    expect(await accepted(LATVIAN)).toEqual([true])
    await alarm({ state: 'raised', until: null })
    expect(await accepted(LATVIAN)).toEqual([true])
  })

  test('is stopped for one account and one kind alone', async () => {
    await alarm({ accountId: (bench.accountId + 1) as never })
    expect(await accepted(LATVIAN)).toEqual([true])
    await alarm({ accountId: bench.accountId })
    expect(await accepted(LATVIAN)).toEqual([STOPPED])
    expect(await bench.ask({ type: 'call/otp', phone: LATVIAN })).not.toMatchObject({ error: STOPPED })
    await alarm({ kind: 'calls' })
    expect(await bench.ask({ type: 'call/otp', phone: LATVIAN })).toMatchObject({ success: false, error: STOPPED })
  })

  test('takes what the operator has put on the allow list', async () => {
    await alarm()
    await bench.change({ kind: 'list number', number: { list: 'allow', digits: '371', whole: false, note: '' } })
    expect(await accepted(LATVIAN)).toEqual([true])
  })
})
