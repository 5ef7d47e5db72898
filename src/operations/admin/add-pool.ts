/** Adds the numbers that flash calls come from, as a list of numbers and ranges. */
import { readPhone } from '../../domain/phone.ts'
import type { NumberPool } from '../../domain/route.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { checkId } from './label.ts'

const NUMBERS_MOST = 100_000
const CODE_DIGITS_LEAST = 4
const CODE_DIGITS_MOST = 6

export interface NewPool {
  readonly id: string
  /** Numbers and ranges such as `4930123400000-4930123400999`. */
  readonly numbers: readonly string[]
  readonly codeDigits: number
}

/** Replaces the pool of the same id. Throws a ChangeRefused. */
export async function addPool(store: Store, wish: NewPool): Promise<NumberPool> {
  const pool = checkPool(wish)
  await store.change({ kind: 'set pool', pool })
  return pool
}

/** The pool that a wish makes, its numbers one by one. Throws a ChangeRefused. */
export function checkPool(wish: NewPool): NumberPool {
  checkId('the id of a pool', wish.id)
  if (!Number.isInteger(wish.codeDigits) || wish.codeDigits < CODE_DIGITS_LEAST || wish.codeDigits > CODE_DIGITS_MOST) {
    throw new ChangeRefused(`a code must have ${CODE_DIGITS_LEAST} to ${CODE_DIGITS_MOST} digits`)
  }
  const numbers = new Set<string>()
  for (const range of wish.numbers)
    for (const number of numbersOf(range, NUMBERS_MOST - numbers.size)) numbers.add(number)
  if (numbers.size === 0) throw new ChangeRefused('a pool needs at least one number')
  return { id: wish.id, numbers: [...numbers], codeDigits: wish.codeDigits }
}

/** The numbers of one range, both ends included, at most `room`. */
function numbersOf(text: string, room: number): readonly string[] {
  const match = /^\+?(\d{7,15})(?:-\+?(\d{7,15}))?$/.exec(text)
  if (match?.[1] === undefined) {
    throw new ChangeRefused(
      `${JSON.stringify(text)} is neither a number nor a range such as 4930123400000-4930123400999`,
    )
  }
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  if (last < first || String(last).length !== String(first).length) {
    throw new ChangeRefused(`the range ${text} does not run from a number to a later one of the same length`)
  }
  if (last - first >= room) throw new ChangeRefused(`a pool takes at most ${NUMBERS_MOST} numbers`)
  const numbers: string[] = []
  for (let number = first; number <= last; number += 1) {
    const phone = readPhone(String(number))
    if (phone === null) throw new ChangeRefused(`${number} is not a possible phone number`)
    numbers.push(phone)
  }
  return numbers
}
