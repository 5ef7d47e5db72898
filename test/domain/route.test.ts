import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '../../src/domain/channel.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { type Route, RouteTable } from '../../src/domain/route.ts'

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom('1', '2', '3'), maxLength })

const aRoute: fc.Arbitrary<Route> = fc.record({
  channel: fc.constantFrom(...CHANNELS),
  prefix: digits(2),
  operators: fc.oneof(fc.constant(null), fc.subarray(['26201', '26202', '26203'])),
  carrierId: fc.string(),
  priority: fc.integer({ min: 0, max: 3 }),
  poolId: fc.constant(null),
})

describe('the routes', () => {
  test('of the longest prefix count; among them the lowest priority that serves the operator, the first set on a tie', () => {
    fc.assert(
      fc.property(
        fc.array(aRoute, { maxLength: 30 }),
        digits(4),
        fc.constantFrom('26201', '26202', '26299', null),
        (routes, number, operator) => {
          const fitting = routes.filter((route) => route.channel === 'sms' && number.startsWith(route.prefix))
          const longest = Math.max(...fitting.map((route) => route.prefix.length))
          let best: Route | null = null
          for (const route of fitting) {
            if (route.prefix.length < longest) continue
            if (operator !== null && route.operators?.includes(operator) === false) continue
            if (best === null || route.priority < best.priority) best = route
          }
          expect(new RouteTable(routes).find('sms', number as Phone, operator)).toBe(best)
        },
      ),
    )
  })

  test('of no channel lead nowhere', () => {
    expect(new RouteTable([]).find('sms', '4915112345678' as Phone, null)).toBeNull()
  })
})
