/** Limits as clients meet them: the item that is one too many fails with a clear text, the others go on. */
import { afterEach, expect, test } from 'vitest'
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { AcceptRequest } from '../../src/ports/stores/intake-store.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'

let bench: ClientBench
afterEach(() => bench.stop())

async function begin(settings: Partial<AccountSettings>): Promise<void> {
  bench = await startClientBench({ settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings } })
}

const ANNA = 4_915_112_345_600
const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })

/** For each number whether it is accepted. */
async function accepted(...phones: readonly number[]): Promise<readonly unknown[]> {
  const answer = await bench.post(phones.map(sms))
  return answer.data.map(({ success, error }: { success: boolean; error?: string }) => error ?? success)
}

test('a day has so many messages, calls among them, and the next day has them again', async () => {
  await begin({ dailyMessages: 3, timeZone: 'Europe/Berlin' })
  const error = 'Daily message limit reached'
  expect((await bench.ask({ type: 'call/otp', phone: ANNA })).success).toBe(true)
  expect(await accepted(ANNA, ANNA + 1, ANNA + 2, ANNA + 3)).toEqual([true, true, error, error])
  expect(await bench.ask({ type: 'call/otp', phone: ANNA + 4 })).toMatchObject({ success: false, error })
  bench.clock.turnTo(Date.parse('2026-01-01T22:59:59Z'))
  expect(await accepted(ANNA)).toEqual([error])
  bench.clock.turnTo(Date.parse('2026-01-01T23:00:00Z'))
  expect(await accepted(ANNA)).toEqual([true])
})

test('a day has a limit of money, also if messages fail', async () => {
  await begin({ dailySpendMicros: toMicros(120_000) })
  expect(await accepted(ANNA, ANNA, ANNA)).toEqual([true, true, 'Daily spending limit reached'])
  expect(await bench.store.balancesOf(bench.accountId)).toMatchObject({ held: 100_000 })
})

test.each([
  ['phone', null, 'phone: too many messages to this number, try again later', [true, 'error', true]],
  ['prefix', 6, 'phone: too many messages to numbers like this, try again later', [true, 'error', 'error']],
  ['country', null, 'phone: too many messages to this country, try again later', [true, 'error', 'error']],
] as const)('so many to one %s in a time', async (per, prefixDigits, error, expected) => {
  await begin({ velocityLimits: [{ per, prefixDigits, most: 1, windowSeconds: 60 }] })
  const answers = expected.map((each) => (each === 'error' ? error : each))
  expect(await accepted(ANNA, ANNA, ANNA + 1)).toEqual(answers)
  bench.clock.advance(60_000)
  expect(await accepted(ANNA)).toEqual([error])
  bench.clock.advance(6_000)
  expect(await accepted(ANNA)).toEqual([true])
})

test('what all accounts may send together counts beside it', async () => {
  await begin({ dailyMessages: 5 })
  const settings = {
    ...DEFAULT_GUARD_SETTINGS,
    velocityLimits: [{ per: 'phone', prefixDigits: null, most: 2, windowSeconds: 60 }],
  } as const
  await bench.change({ kind: 'set guard settings', settings })
  const error = 'phone: too many messages to this number, try again later'
  expect(await accepted(ANNA, ANNA, ANNA)).toEqual([true, true, error])
})

test('a repeat under one Idempotency-Key returns the same, and counts nothing', async () => {
  await begin({ dailyMessages: 1 })
  const headers = { 'Idempotency-Key': 'once' }
  const first = await bench.post([sms(ANNA), sms(ANNA)], { headers })
  expect(first.data[1].error).toBe('Daily message limit reached')
  expect(await bench.post([sms(ANNA), sms(ANNA)], { headers })).toEqual(first)
})

test('without limits the store is asked to count nothing', async () => {
  const asked: AcceptRequest[] = []
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        if (name !== 'accept') return Reflect.get(target, name).bind(target)
        return (request: AcceptRequest) => {
          asked.push(request)
          return target.accept(request)
        }
      },
    })
  bench = await startClientBench({ wrapStore })
  expect(await accepted(ANNA, ANNA)).toEqual([true, true])
  expect(asked).toHaveLength(1)
  expect(asked[0]).not.toHaveProperty('limits')
  expect(asked[0]?.items[0]).not.toHaveProperty('counts')
})
