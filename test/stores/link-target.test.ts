/** The address that clicks are summed up by has nothing of the single recipient. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { targetOf } from '../../src/stores/rows/statistics/link-target.ts'

describe('the target of an address', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['HTTP://Shop.Example:8080/Sale/?c=17#top', 'http://shop.example:8080/Sale/'],
    ['https://user:secret@shop.example/sale', 'https://shop.example/sale'],
    ['https://shop.example/summer-2026/page2', 'https://shop.example/summer-2026/page2'],
    ['https://shop.example/order/4711000123', 'https://shop.example/order/*'],
    ['https://shop.example/u/anna@mail.example/x', 'https://shop.example/u/*/x'],
    ['https://shop.example/u/anna%40mail.example', 'https://shop.example/u/*'],
    ['https://shop.example/reset/a1B2c3D4', 'https://shop.example/reset/*'],
    ['https://shop.example/t/xYzAbC77', 'https://shop.example/t/*'],
    ['https://shop.example/8c5d2f3e-1a2b-4c3d-9e8f-0a1b2c3d4e5f/pay', 'https://shop.example/*/pay'],
    [`https://shop.example/${'long'.repeat(20)}`, 'https://shop.example/*'],
  ])('%s is %s', (address, target) => {
    expect(targetOf(address)).toBe(target)
  })

  test.each(['', 'javascript:alert(1)', 'tel:+4917', 'not an address'])(
    'of %j is empty: it is none of the web',
    (address) => {
      expect(targetOf(address)).toBe('')
    },
  )

  test('has at most 200 characters, no query and no fragment', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const target = targetOf(address)
        expect(target.length).toBeLessThanOrEqual(200)
        expect(target).not.toMatch(/[?#]/)
      }),
    )
  })
})
