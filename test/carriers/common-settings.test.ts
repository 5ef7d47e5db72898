/** The settings that every kind of carrier has besides those of its driver. */
import { expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import { sharedLimits } from '../../src/carriers/shared-limits.ts'
import { readSmppSettings } from '../../src/carriers/smpp/settings.ts'

const own = { host: '127.0.0.1', port: 2775, systemId: 'a', password: 'b', throughput: 10, binds: 2 }

test('reads the common settings, each with its default', () => {
  expect(readSmppSettings(own).degradedAfter).toEqual({ answers: 5, seconds: 5 })
  const settings = { ...own, degradedAfter: { answers: 20 } }
  expect(readSmppSettings(settings).degradedAfter).toEqual({ answers: 20, seconds: 5 })
  checkCarrierSettings('smpp', settings)
  expect(sharedLimits.slotsOf({ id: 'a', kind: 'smpp', channel: 'sms', settings })).toBe(2)
})

test.each([
  [{ degradedAfter: { answers: 0 } }, 'degradedAfter.answers: should be a whole number from 1'],
  [{ degradedAfter: { minutes: 1 } }, 'degradedAfter.minutes: is not a setting'],
  [{ degradedAfter: 5 }, 'degradedAfter: should be an object'],
])('refuses %j and names the setting', (change, complaint) => {
  expect(() => checkCarrierSettings('smpp', { ...own, ...change })).toThrow(complaint)
})
