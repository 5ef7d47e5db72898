/** A map by id has what a Map has to which the same was done, however it grew and shrank. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { LAST_COUNTER, type MessageId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import { IdMap } from '../../src/domain/structures/id-map.ts'

/** Few counters, some of which share their first place in a table of any size. */
const counter = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 0, max: 40 }).map((count) => 1 + count * 1_024),
  fc.integer({ min: 0, max: 40 }).map((count) => LAST_COUNTER - count),
)
const id = fc.oneof(
  fc.tuple(counter, fc.nat(130)).map(([count, account]) => makeMessageId(count, account as AccountId)),
  fc.integer({ min: -3, max: 200 }),
)

test('it has the entries of a Map to which the same was done', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 600 }), (steps) => {
      const messages = new IdMap<number, { readonly step: number }>(8)
      const map = new Map<number, { readonly step: number }>()
      steps.forEach(([each, isSet], step) => {
        if (isSet) {
          messages.set(each, { step })
          map.set(each, { step })
        } else {
          expect(messages.delete(each)).toBe(map.delete(each))
        }
        expect(messages.size).toBe(map.size)
      })
      for (const [each] of steps) expect(messages.get(each)).toEqual(map.get(each))
      expect(new Map(messages.entries())).toEqual(map)
      expect(messages.values().toSorted((a, b) => a.step - b.step)).toEqual(
        [...map.values()].toSorted((a, b) => a.step - b.step),
      )
    }),
  )
})

test('it grows to many messages and shrinks again', () => {
  const messages = new IdMap<MessageId, { readonly count: number }>()
  const idOf = (count: number) => makeMessageId(count, 7 as AccountId)
  for (let count = 1; count <= 5_000; count += 1) messages.set(idOf(count), { count })
  expect(messages.size).toBe(5_000)
  for (let count = 1; count <= 4_990; count += 1) expect(messages.delete(idOf(count))).toBe(true)
  for (let count = 1; count <= 5_000; count += 1) {
    expect(messages.get(idOf(count))).toEqual(count <= 4_990 ? undefined : { count })
  }
  expect(messages.size).toBe(10)
})
