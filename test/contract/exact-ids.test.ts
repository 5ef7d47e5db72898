import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonToken, keepExactIds, mayHaveUnusualIds } from '../../src/contract/request/read-json.ts'

/** The operations of a body with their exact ids, as the API reads them. */
function read(text: string): readonly unknown[] {
  const { data } = JSON.parse(text)
  return mayHaveUnusualIds(text) ? keepExactIds(Buffer.from(text), data) : data
}

const UNUSUAL = ['9223372036854775807', '1.0', '-0', '1e3', '123456789012345678901234567890', '"caf\\u00e9"', '"a\\/b"']

describe('an unusual id', () => {
  test.each(UNUSUAL)('%s is kept as the token that was sent', (token) => {
    expect(read(`{"data":[{"id" : ${token}}]}`)).toEqual([{ id: new JsonToken(token) }])
    expect(read(`{"data":[{"\\u0069d":${token}}]}`)).toEqual([{ id: new JsonToken(token) }])
    expect(read(`{"d\\u0061ta" : [ {"i\\u0064" :\t${token} } ] }`)).toEqual([{ id: new JsonToken(token) }])
  })

  test('is kept in its own operation, with all other fields as they are', () => {
    expect(read('{"x":[1,2],"data":[1,{"id":7,"a":[1,2]},{"a":{"b":1,"c":2},"id":1.0,"z":true},{}],"y":[1]}')).toEqual([
      1,
      { id: 7, a: [1, 2] },
      { a: { b: 1, c: 2 }, id: new JsonToken('1.0'), z: true },
      {},
    ])
  })

  test('is the last one of an operation that has several', () => {
    expect(read('{"data":[{"id":1.0,"id":2.0}]}')).toEqual([{ id: new JsonToken('2.0') }])
    expect(read('{"data":[{"id":1.0,"id":2}]}')).toEqual([{ id: 2 }])
    expect(read('{"data":[{"id":1.0,"id":[]}]}')).toEqual([{ id: [] }])
  })

  test('is taken from the last data of a request that has several', () => {
    expect(read('{"data":[{},{"id":1.0}],"data":[{"id":2.0},{"id":3}]}')).toEqual([
      { id: new JsonToken('2.0') },
      { id: 3 },
    ])
    expect(read('{"data":{"id":1.0},"data":[{"id":3}]}')).toEqual([{ id: 3 }])
  })

  test('is found after a byte order mark', () => {
    const body = Buffer.from('\ufeff{"data":[{"id":1.0}]}')
    expect(keepExactIds(body, [{ id: 1 }])).toEqual([{ id: new JsonToken('1.0') }])
  })

  test('does not disturb a field named __proto__', () => {
    const [operation] = read('{"data":[{"__proto__":{"phone":"1"},"id":1.0}]}')
    expect(operation).not.toHaveProperty('phone')
    expect(Object.keys(operation as object)).toEqual(['__proto__', 'id'])
  })
})

test.each([
  '{"id":1.0,"data":[{}]}',
  '{"x":[{"id":1.0}],"data":[{}]}',
  '{"data":[{"a":{"id":1.0}},{"a":[{"id":1.0}]}]}',
  '{"data":[[{"id":1.0}]]}',
  '{"data":[["id",1.0]]}',
  '{"data":[{"a":"\\"id\\":1.0,"}]}',
  '{"x":{"data":[{"id":1.0}]},"data":[{}]}',
  '{"data":[{"ID":1.0,"idd":1.0,"i":1.0,"\\u0069":1.0}]}',
])('%s holds no id of an operation', (text) => {
  expect(read(text)).toEqual(JSON.parse(text).data)
})

test.each(['12', '-5', '"007"', '"é"', 'null', 'true'])('the id %s needs no second reading', (token) => {
  expect(mayHaveUnusualIds(`{"data":[{"id":${token},"phone":1.5}]}`)).toBe(false)
})

/** The same by a reviver, which is slow and simple. */
function readWithReviver(text: string): readonly unknown[] {
  type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
  const parse = JSON.parse as (text: string, reviver: Reviver) => { readonly data: readonly unknown[] }
  const { data } = parse(text, (key, value, { source }) =>
    key === 'id' && source !== undefined && JSON.stringify(value) !== source ? new JsonToken(source) : value,
  )
  const plain: readonly unknown[] = JSON.parse(text).data
  return plain.map((operation, index) => {
    const id = (data[index] as { id?: unknown } | null)?.id
    return id instanceof JsonToken && !Array.isArray(operation) ? { ...(operation as object), id } : operation
  })
}

/** JSON texts with what their writers may vary: space, escapes, double keys, notations of numbers. */
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r')
const scalar = fc.oneof(
  fc.constantFrom('0', '7', '12.50', '1E+2', '-1.0e-1', '1e999', 'null', 'true', 'false', '""', '"id"', ...UNUSUAL),
  fc.constantFrom('"\\"id\\":1.0"', '"\\\\"', '"},{"', '"[\\u0022]"', '"é\\n🎉"', '"data"'),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
)
const key = fc.constantFrom(
  '"id"',
  '"id"',
  '"\\u0069d"',
  '"i\\u0064"',
  '"\\u0069\\u0064"',
  '"a"',
  '"ID"',
  '"data"',
  '"__proto__"',
)
const { value, operations } = fc.letrec<{ value: string; object: string; list: string; operations: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(space, key, space, space, tie('value')), { maxLength: 4 })
    .map((members) => `{${members.map(([a, name, b, c, value]) => `${a}${name}${b}:${c}${value}${a}`).join(',')}}`),
  list: fc
    .array(fc.tuple(space, tie('value')), { maxLength: 4 })
    .map((items) => `[${items.map(([a, item]) => `${a}${item}${a}`).join(',')}]`),
  operations: fc
    .array(fc.oneof({ weight: 4, arbitrary: tie('object') }, tie('value')), { maxLength: 5 })
    .map((items) => `[${items.join(',')}]`),
}))
const member = fc.oneof(
  fc.tuple(fc.constantFrom('"data"', '"d\\u0061ta"'), fc.oneof({ weight: 3, arbitrary: operations }, value)),
  fc.tuple(key, value),
)
const request = fc
  .tuple(fc.array(member, { maxLength: 4 }), operations, space)
  .map(
    ([members, data, a]) =>
      `{${[...members, ['"data"', data]].map(([name, value]) => `${a}${name}:${value}`).join(',')}}`,
  )

test('the exact ids of any request are those that a reviver finds', () => {
  fc.assert(
    fc.property(request, (text) => {
      const exact = read(text)
      expect(exact).toEqual(readWithReviver(text))
    }),
    { numRuns: 2_000 },
  )
})

/** How many bytes a scan reads of a body. */
function countReads(body: Buffer, data: readonly unknown[]): number {
  let reads = 0
  const counted = new Proxy(body, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
      const value = Reflect.get(target, name)
      if (name !== 'toString') return value
      return (encoding: BufferEncoding, start: number, end: number) => {
        reads += end - start
        return target.toString(encoding, start, end)
      }
    },
  })
  keepExactIds(counted, data)
  return reads
}

test.each([
  ['operations', (size: number) => `{"data":[${Array(size).fill('{"id":1.0,"phone":"49"}').join(',')}]}`],
  ['double ids', (size: number) => `{"data":[{${Array(size).fill('"id":1.0').join(',')}}]}`],
  ['characters in an id', (size: number) => `{"data":[{"id":"\\u0041${'\\"'.repeat(size)}"}]}`],
  ['digits in an id', (size: number) => `{"data":[{"id":${'1'.repeat(size)}.0}]}`],
  ['keys that are nearly ids', (size: number) => `{"data":[{${Array(size).fill('"\\u0069\\u0069":1').join(',')}}]}`],
  ['spaces', (size: number) => `{"data":[{"id"${' '.repeat(size)}:${' '.repeat(size)}1.0}]}`],
  ['lists of data', (size: number) => `{${Array(size).fill('"data":[{"id":1.0}]').join(',')}}`],
])('reading ids among many %s takes a few reads for each byte', (_, write) => {
  const text = write(300)
  expect(countReads(Buffer.from(text), JSON.parse(text).data)).toBeLessThan(4 * text.length)
})
