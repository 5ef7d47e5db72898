import { expect, test } from 'vitest'
import { measureJson } from '../../src/contract/request/read-json.ts'

const measure = (text: string, operations?: number) =>
  measureJson(Buffer.from(text), operations === undefined ? { levels: 8 } : { levels: 8, operations })

test.each([
  ['{"auth":"k","data":[]}', 0],
  ['{"auth":"k","data": [ ] }', 0],
  ['{"data":[{}]}', 1],
  ['{ "data" : [ {"a":[1,2]} , {"b":{"c":1,"d":2}} ] , "x":[1,2,3]}', 2],
  ['{"x":[1,2,3],"data":[1,2],"y":{"data":[1,2,3]}}', 2],
  ['{"data":[1,2,3],"data":[1]}', 1],
  ['{"d\\u0061ta":[1,2,3]}', 3],
  ['{"x":"data","y":[1,2]}', 0],
  ['{"data":["a,b","c\\","]}', 2],
  ['{"data":{"a":1}}', 0],
  ['{"auth":"k"}', 0],
])('%s has %i operations, as JSON.parse finds', (text, operations) => {
  expect(measure(text).operations).toBe(operations)
  const { data } = JSON.parse(text)
  if (Array.isArray(data)) expect(data).toHaveLength(operations)
})

test('it reads no further than the first limit that is exceeded', () => {
  expect(() => measure(`{"data":[${'{},'.repeat(5)}`, 3)).toThrow('data: at most 3 operations in a request')
  expect(() => measure(`{"x":[${'1,'.repeat(1_200)}`, 3)).toThrow('at most 1120 fields and list elements')
  expect(() => measure('[[[[[[[[[')).toThrow('nested too deep, at most 8 levels')
})

test('strings hold what they like', () => {
  expect(measure(`{"data":["${',[{'.repeat(1_000)}"]}`, 1)).toEqual({ operations: 1, members: 0 })
})
