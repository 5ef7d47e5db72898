/** The names under which reports to hooks are counted: no secrets, and a bounded number. */
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/accounts/retention.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { CountedHooks, hookName, MAX_COUNTED_HOOKS, OTHER_HOOKS } from '../../src/domain/reports/counted-hooks.ts'

test.each([
  ['https://shop.example/reports?id=1', 'https://shop.example/reports'],
  ['https://user:s3cret@shop.example:8443/reports#x', 'https://shop.example:8443/reports'],
  ['https://shop.example/hooks/T0123456789abcdefXYZ_-9/sms', 'https://shop.example/hooks/…/sms'],
  ['https://shop.example/0b9d5a2c-7d4e-4f6b-8d11-aa00bb11cc22', 'https://shop.example/…'],
  ['https://shop.example/delivery-reports-of-messages', 'https://shop.example/delivery-reports-of-messages'],
  ['feed:', 'feed:'],
  ['no address', OTHER_HOOKS],
])('%s is counted as %s', (address, name) => {
  expect(hookName(address)).toBe(name)
})

test('a long address is cut', () => {
  expect(hookName(`https://shop.example/${'a/'.repeat(500)}`)).toHaveLength(200)
})

test('further addresses of an account are counted together, until the next day', () => {
  const counted = new CountedHooks()
  const [one, two] = [toAccountId(1), toAccountId(2)]
  const nameOf = (number: number, accountId = one, at = 0) =>
    counted.nameOf({ accountId, address: `https://shop.example/${number}?id=${number}` }, at)
  for (let number = 0; number < MAX_COUNTED_HOOKS; number += 1) nameOf(number)
  expect(nameOf(MAX_COUNTED_HOOKS)).toBe(OTHER_HOOKS)
  expect(nameOf(0)).toBe('https://shop.example/0')
  expect(nameOf(MAX_COUNTED_HOOKS, two)).toBe(`https://shop.example/${MAX_COUNTED_HOOKS}`)
  expect(nameOf(MAX_COUNTED_HOOKS, one, DAY_MS)).toBe(`https://shop.example/${MAX_COUNTED_HOOKS}`)
})
