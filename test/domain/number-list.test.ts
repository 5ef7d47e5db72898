import { describe, expect, test } from 'vitest'
import { type ListedNumber, NumberLists } from '../../src/domain/numbers/number-list.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'

const entry = (list: ListedNumber['list'], digits: string, whole = false): ListedNumber => {
  return { list, digits, whole, note: '' }
}

function listOf(numbers: readonly ListedNumber[], phone: string) {
  return new NumberLists(numbers).listOf(phone as Phone)
}

describe('the lists of numbers', () => {
  test('have phones and prefixes', () => {
    const lists = [entry('deny', '881'), entry('deny', '4915112345678', true), entry('allow', '371')]
    expect(listOf(lists, '8821650123456')).toBeNull()
    expect(listOf(lists, '8811650123456')).toBe('deny')
    expect(listOf(lists, '4915112345678')).toBe('deny')
    expect(listOf(lists, '49151123456789')).toBeNull()
    expect(listOf(lists, '37120000000')).toBe('allow')
  })

  test('go by the longer entry, and a phone is the longest', () => {
    const lists = [entry('allow', '49'), entry('deny', '49151'), entry('allow', '4915112345678', true)]
    expect(listOf(lists, '4917012345678')).toBe('allow')
    expect(listOf(lists, '4915199999999')).toBe('deny')
    expect(listOf(lists, '4915112345678')).toBe('allow')
  })

  test.each([[['allow', 'deny']], [['deny', 'allow']]] as const)('deny what both have, in any order', (order) => {
    const prefixes = order.map((list) => entry(list, '49151'))
    const phones = order.map((list) => entry(list, '4915112345678', true))
    expect(listOf(prefixes, '4915199999999')).toBe('deny')
    expect(listOf(phones, '4915112345678')).toBe('deny')
  })
})
