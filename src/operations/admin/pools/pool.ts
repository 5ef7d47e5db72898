/** Number pools: calling numbers of flash calls, as a list or a file of numbers and ranges. */
import Type, { type Static } from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { readPhone } from '../../../domain/numbers/phone.ts'
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN, type NumberPool } from '../../../domain/routing/route.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { checkItem, resource, setUpOf } from '../endpoint/resource.ts'
import { setItem } from '../endpoint/resource-endpoints.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { isHeading, readCsv } from '../fields/csv.ts'
import { checkNew, FieldRefused } from '../fields/field-refused.ts'
import { field } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import { ONLY_NEW, OPERATORS, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { WrongLines } from '../fields/wrong-lines.ts'
import { ROUTE } from '../routes/route.ts'

const MAX_NUMBERS = 100_000
const LIMITS = { maxLines: MAX_NUMBERS + 1, tooMany: `a pool takes at most ${MAX_NUMBERS} numbers` }
const FIRST_CODE_DIGITS = 4
const NO_NUMBER = 'a pool needs at least one number'

const ID = Type.String({ maxLength: 40, description: 'id of the pool', examples: ['berlin'] })
const NUMBERS = Type.Array(Type.String(), {
  description: 'numbers and ranges, separated by commas',
  examples: ['4930123400000-4930123400999'],
})

export const POOL = resource<NumberPool>({
  section: 'pools',
  key: ['id'],
  explicit: ['codeDigits'],
  isReferredTo: true,
  fields: {
    id: ID,
    codeDigits: whole({ description: 'digits of a code, 4 to 6', default: FIRST_CODE_DIGITS }),
    numbers: field('numbers', NUMBERS, {
      view: toRanges,
      read: (ranges: readonly string[]) => collectNumbers(ranges.map((range) => ({ range, where: '' }))),
    }),
  },
  items: ({ pools }) => pools,
  check: (pool) => {
    checkId('id', 'the id of a pool', pool.id)
    const { codeDigits } = pool
    if (!Number.isInteger(codeDigits) || codeDigits < CODE_DIGITS_MIN || codeDigits > CODE_DIGITS_MAX) {
      throw new ChangeRefused(`a code must have ${CODE_DIGITS_MIN} to ${CODE_DIGITS_MAX} digits`)
    }
    return pool
  },
  describe: ({ id }) => `pool ${id}`,
  audited: ({ codeDigits, numbers }) => ({ code_digits: codeDigits, numbers: numbers.length }),
  set: (pool) => ({ kind: 'set pool', pool }),
  remove: ({ id }) => ({ kind: 'remove pool', poolId: id }),
})

const PoolView = Type.Object({
  pool: ID,
  code_digits: whole(),
  numbers: whole(),
  ranges: Type.Array(Type.String()),
  routes: Type.Array(Type.String(), { description: 'routes that use it' }),
})
const PoolRange = Type.Object({
  first: Type.String(),
  last: Type.String({ description: 'the same as the first one for a single number' }),
  numbers: whole(),
})
const MODES = ['replace', 'add', 'remove'] as const

const POOLS: ChangeRule = { what: 'number pools', may: OPERATORS }

export const POOL_CHANGES = {
  'set pool': { ...POOLS, audit: ({ pool }, rows) => itemSet(POOL, pool, rows) },
  'remove pool': { ...POOLS, audit: ({ poolId: id }, rows) => itemRemoved(POOL, { id }, rows) },
} satisfies Changes

export const POOL_ENDPOINTS = [
  endpoint({
    name: 'listPools',
    method: 'GET',
    path: '/pools',
    command: 'pool list',
    summary: 'list number pools',
    may: READERS,
    query: PAGING,
    result: pageOf(PoolView),
    run: async ({ store }, paging) => {
      const rows = await store.loadDirectory()
      return takePage(rows.pools, paging, (pool) => viewPool(pool, rows))
    },
  }),
  endpoint({
    name: 'listPoolNumbers',
    method: 'GET',
    path: '/pools/{id}/numbers',
    command: 'pool numbers',
    summary: 'list the numbers of a pool as ranges',
    may: READERS,
    params: { id: ID },
    query: {
      ...PAGING,
      number: Type.Optional(Type.String({ maxLength: 20, description: 'only the range with this number' })),
    },
    result: pageOf(PoolRange),
    run: async ({ store }, { id, number, ...paging }) => {
      const pool = (await store.loadDirectory()).pools.find((each) => each.id === id)
      if (pool === undefined) throw new UnknownThing(`there is no pool ${id}`)
      const wanted = number?.replace(/\D/g, '') ?? null
      const ranges = rangesOf(pool.numbers).filter(({ first, last }) => {
        return wanted === null || (wanted.length === first.length && wanted >= first && wanted <= last)
      })
      return takePage(ranges, paging, (range) => ({ ...range }))
    },
  }),
  endpoint({
    name: 'setPool',
    method: 'PUT',
    path: '/pools/{id}',
    command: 'pool add',
    summary: 'create a number pool, or replace its numbers; the last digits of a number are the code',
    may: OPERATORS,
    params: { id: ID },
    body: { numbers: NUMBERS, code_digits: Type.Optional(POOL.fields.codeDigits.schema) },
    result: PoolView,
    run: async (tools, pool) => viewPool(await setItem(POOL, tools, pool), await tools.store.loadDirectory()),
  }),
  endpoint({
    name: 'importPool',
    method: 'PUT',
    path: '/pools/{id}/numbers',
    ownCommand: 'pool import',
    summary: 'create a pool from a file, or replace its numbers, add some or remove some',
    may: OPERATORS,
    params: { id: ID },
    body: {
      csv: Type.String({ description: 'a number or a range in each line: 4930123400000-4930123400999' }),
      mode: Type.Optional(Type.Enum([...MODES], { default: 'replace', description: 'what to do with the numbers' })),
      code_digits: Type.Optional(
        whole({ description: 'digits of a code, 4 to 6; unchanged by default, 4 for a new pool' }),
      ),
      new: ONLY_NEW,
    },
    result: PoolView,
    maxBytes: 8 * 1024 * 1024,
    run: async (tools, { csv, ...pool }) => {
      return viewPool(await importPool(tools, pool, csv), await tools.store.loadDirectory())
    },
  }),
  endpoint({
    name: 'removePool',
    method: 'DELETE',
    path: '/pools/{id}',
    command: 'pool remove',
    summary: 'remove a pool that no route uses',
    may: OPERATORS,
    params: { id: ID },
    run: ({ store }, { id }) => store.change({ kind: 'remove pool', poolId: id }),
  }),
]

function viewPool({ id, codeDigits, numbers }: NumberPool, { routes }: DirectoryRows): Static<typeof PoolView> {
  const users = routes.filter(({ poolId }) => poolId === id).map(ROUTE.describe)
  return { pool: id, code_digits: codeDigits, numbers: numbers.length, ranges: [...toRanges(numbers)], routes: users }
}

/** Reads a number or a range in each line, a range in one cell or two. Throws ChangeRefused naming the wrong lines. */
async function importPool(
  { store, checkSettings }: AdminTools,
  { id, code_digits: asked, mode = 'replace', new: onlyNew }: PoolImport,
  csv: string,
): Promise<NumberPool> {
  const read = await readCsv(csv, LIMITS)
  const lines = read.filter(({ number, cells }) => number > 1 || !isHeading(cells, 1))
  const wrong = new WrongLines()
  const ranges = lines.flatMap(({ number, cells: [first = '', last = '', ...more] }) => {
    const where = `line ${number}: `
    if (more.every((cell) => cell === '')) return { range: last === '' ? first : `${first}-${last}`, where }
    wrong.add(`${where}must have only a number or a range`)
    return []
  })
  const rows = await store.loadDirectory()
  const before = rows.pools.find((pool) => pool.id === id)
  checkNew(onlyNew, before, 'id', `pool ${id}`)
  if (before === undefined && mode === 'remove') throw new UnknownThing(`there is no pool ${id}`)
  const codeDigits = asked ?? before?.codeDigits ?? FIRST_CODE_DIGITS
  const numbers = combine(before?.numbers ?? [], collectNumbers(ranges, wrong), mode)
  const pool = checkItem(POOL, { id, numbers, codeDigits }, setUpOf(rows, checkSettings))
  // Numbers that another request has added in the meantime stay.
  await store.change({ kind: 'all', revision: rows.revision, changes: [POOL.set(pool)] })
  return pool
}

interface PoolImport {
  readonly id: string
  readonly code_digits?: number
  readonly mode?: (typeof MODES)[number]
  readonly new?: boolean
}

function combine(before: readonly string[], named: readonly string[], mode: NonNullable<PoolImport['mode']>) {
  if (mode === 'replace') return named
  const numbers = new Set(mode === 'add' ? [...before, ...named] : before)
  if (mode === 'remove') for (const number of named) numbers.delete(number)
  if (numbers.size > MAX_NUMBERS) throw new ChangeRefused(LIMITS.tooMany)
  if (numbers.size === 0) throw new ChangeRefused(NO_NUMBER)
  return [...numbers]
}

/** `where` begins the error about an invalid range. */
interface PlacedRange {
  readonly range: string
  readonly where: string
}

/** Returns each number once, in order. */
function collectNumbers(ranges: readonly PlacedRange[], wrong = new WrongLines()): readonly string[] {
  const numbers = new Set<string>()
  for (const { range, where } of ranges) {
    const read = numbersOf(range, MAX_NUMBERS - numbers.size)
    if (typeof read === 'string') {
      if (where === '') throw new FieldRefused('numbers', read)
      wrong.add(`${where}${read}`)
      continue
    }
    for (const number of read) numbers.add(number)
  }
  wrong.refuse()
  if (numbers.size === 0) throw new ChangeRefused(NO_NUMBER)
  return [...numbers]
}

/** Returns the numbers of a range including both ends, at most `room`; a text if the range is invalid, saying why. */
function numbersOf(text: string, room: number): readonly string[] | string {
  const match = /^\+?(\d{7,15})(?:\s*-\s*\+?(\d{7,15}))?$/.exec(text)
  if (match?.[1] === undefined) {
    return `${JSON.stringify(text)} is neither a number such as 4930123400000 nor a range such as 4930123400000-4930123400999`
  }
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  if (last < first || String(last).length !== String(first).length) {
    return `the range ${text} must go from a number to a higher one of the same length`
  }
  if (last - first >= room) return `a pool takes at most ${MAX_NUMBERS} numbers`
  const numbers: string[] = []
  for (let number = first; number <= last; number += 1) {
    const phone = readPhone(String(number))
    if (phone === null) return `${number} is not a possible phone number with its country code`
    numbers.push(phone)
  }
  return numbers
}

/** Writes consecutive numbers as ranges. */
function toRanges(numbers: readonly string[]): readonly string[] {
  return rangesOf(numbers).map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}

/** Combines consecutive numbers. */
function rangesOf(numbers: readonly string[]): readonly Static<typeof PoolRange>[] {
  const ranges: Static<typeof PoolRange>[] = []
  for (const number of [...numbers].sort()) {
    const range = ranges.at(-1)
    if (range !== undefined && range.last.length === number.length && Number(range.last) + 1 === Number(number)) {
      range.last = number
      range.numbers += 1
    } else {
      ranges.push({ first: number, last: number, numbers: 1 })
    }
  }
  return ranges
}
