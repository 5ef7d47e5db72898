/** Adds the numbers that flash calls come from, as a list or a file of numbers and ranges. */
import { readPhone } from '../../domain/phone.ts'
import { CODE_DIGITS_LEAST, CODE_DIGITS_MOST, type NumberPool } from '../../domain/route.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { readCsv } from './csv.ts'
import { checkId } from './label.ts'

const NUMBERS_MOST = 100_000
export const FIRST_CODE_DIGITS = 4

export interface NewPool {
  readonly id: string
  /** Numbers and ranges such as `4930123400000-4930123400999`. */
  readonly numbers: readonly string[]
  readonly codeDigits: number
}

export interface PoolFile {
  readonly id: string
  readonly csv: string
  /** Absent: as the pool of this id has, or 4. */
  readonly codeDigits: number | undefined
}

/** Replaces the pool of the same id. Throws a ChangeRefused. */
export async function addPool(store: SetupStore, wish: NewPool): Promise<NumberPool> {
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
  const numbers = collectNumbers(wish.numbers.map((range) => ({ range, where: '' })))
  return { id: wish.id, numbers, codeDigits: wish.codeDigits }
}

/** A file with a number or a range in each line, a range in one cell or two. Throws a ChangeRefused that names the line. */
export async function importPool(store: SetupStore, { id, csv, codeDigits }: PoolFile): Promise<NumberPool> {
  const lines = readCsv(csv).filter(({ number, cells }) => number > 1 || /^\+?\d/.test(cells[0] ?? ''))
  const ranges = lines.map(({ number, cells: [first = '', last = '', ...more] }) => {
    if (more.some((cell) => cell !== '')) throw new ChangeRefused(`line ${number}: has more than a number or a range`)
    return { range: last === '' ? first : `${first}-${last}`, where: `line ${number}: ` }
  })
  const digits = codeDigits ?? (await store.loadDirectory()).pools.find((pool) => pool.id === id)?.codeDigits
  const pool = checkPool({ id, numbers: collectNumbers(ranges), codeDigits: digits ?? FIRST_CODE_DIGITS })
  await store.change({ kind: 'set pool', pool })
  return pool
}

/** `where` begins what is said of a range that is wrong. */
interface PlacedRange {
  readonly range: string
  readonly where: string
}

/** Each once, in their order. */
function collectNumbers(ranges: readonly PlacedRange[]): readonly string[] {
  const numbers = new Set<string>()
  for (const { range, where } of ranges) {
    const read = numbersOf(range, NUMBERS_MOST - numbers.size)
    if (typeof read === 'string') throw new ChangeRefused(`${where}${read}`)
    for (const number of read) numbers.add(number)
  }
  if (numbers.size === 0) throw new ChangeRefused('a pool needs at least one number')
  return [...numbers]
}

/** The numbers of one range, both ends included, at most `room`; a text says what is wrong with it. */
function numbersOf(text: string, room: number): readonly string[] | string {
  const match = /^\+?(\d{7,15})(?:\s*-\s*\+?(\d{7,15}))?$/.exec(text)
  if (match?.[1] === undefined) {
    return `${JSON.stringify(text)} is neither a number nor a range such as 4930123400000-4930123400999`
  }
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  if (last < first || String(last).length !== String(first).length) {
    return `the range ${text} does not run from a number to a later one of the same length`
  }
  if (last - first >= room) return `a pool takes at most ${NUMBERS_MOST} numbers`
  const numbers: string[] = []
  for (let number = first; number <= last; number += 1) {
    const phone = readPhone(String(number))
    if (phone === null) return `${number} is not a possible phone number`
    numbers.push(phone)
  }
  return numbers
}
