/** Calls to hooks arrive in the other thread as they were, whatever the calls before them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAnswer, CallBatch, type FlatAnswers, readAnswers, readCalls } from '../../src/http/hooks/flat-calls.ts'
import type { HookAnswer, HookCall } from '../../src/ports/hooks/hook-post.ts'

const few = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)

const call: fc.Arbitrary<HookCall> = fc
  .record({
    account: fc.nat(),
    address: few('http://one.example/', 'https://two.example/hook?id=1', ''),
    body: fc.string(),
    count: few(null, 1, 100),
    id: fc.string(),
    at: fc.nat(),
    secrets: few([], ['whsec_YQ=='], ['whsec_YQ==', 'whsec_Yg==']),
    traceparent: few(undefined, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  })
  .map(({ traceparent, ...all }) => (traceparent === undefined ? all : { ...all, traceparent }))

const answer: fc.Arbitrary<HookAnswer> = fc.oneof(
  fc.record({ kind: few('answered' as const), status: few(200, 410, 503), retryAfterMs: few(null, 7_000) }),
  fc.record({ kind: few('failed' as const, 'forbidden' as const), reason: fc.string() }),
)

test('calls of several batches', () => {
  fc.assert(
    fc.property(fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 3 }), (batches) => {
      const batch = new CallBatch()
      for (const calls of batches) {
        expect(batch.isEmpty).toBe(true)
        for (const [index, each] of calls.entries()) batch.add(index, each)
        const read: (readonly [number, HookCall])[] = []
        readCalls(structuredClone(batch.take()), (number, each) => read.push([number, each]))
        expect(read).toEqual([...calls.entries()])
      }
    }),
  )
})

test('answers', () => {
  fc.assert(
    fc.property(fc.array(answer), (answers) => {
      const flat: FlatAnswers = []
      for (const [index, each] of answers.entries()) addAnswer(flat, index, each)
      const read: (readonly [number, HookAnswer])[] = []
      readAnswers(structuredClone(flat), (number, each) => read.push([number, each]))
      expect(read).toEqual([...answers.entries()])
    }),
  )
})
