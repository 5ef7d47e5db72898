/** A large configuration is checked and compared in slices, between which other requests are served. */
import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/operations/admin/configuration/configuration.ts'
import { countTurns } from '../support/count-turns.ts'

test('its entries are checked a thousand at a time', async () => {
  const prices = Array.from({ length: 20_000 }, (_, index) => {
    return { channel: 'sms', currency: 'EUR', prefix: String(1_000_000 + index), price: 0.05 }
  })
  const turns = await countTurns(async () => {
    const { sections } = await readConfiguration({ prices })
    expect(sections.get('prices')).toHaveLength(prices.length)
  })
  expect(turns).toBeGreaterThanOrEqual(20)
})
