import { expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { packAnswers, packBatch, unpackAnswers, unpackBatch } from '../../src/stores/sqlite/engine/crossing.ts'
import type { CommandOutcome, EngineCommand } from '../../src/stores/sqlite/engine/engine.ts'

const TEXT = 'zażółć 😀 "quoted" \\ \u2028 \0 and half of a pair: \ud83d'

const settle: EngineCommand = [
  'settleReports',
  [{ messageId: (2 ** 53 - 1) as MessageId, number: 1, kind: 'sent', at: 1.5, dueAt: null, held: false, detail: TEXT }],
]
const read: EngineCommand = ['trace', 1 as MessageId]

/** Passes the batch to another thread, and its answers back. */
function cross(batch: readonly EngineCommand[], answers: readonly CommandOutcome[]) {
  const packed = structuredClone(packBatch(batch))
  const answered = structuredClone(packAnswers(answers, packed))
  return { isText: typeof packed === 'string', received: unpackBatch(packed), answers: unpackAnswers(answered) }
}

test('frequent commands and their answers cross as text and arrive unchanged', () => {
  const answers: readonly CommandOutcome[] = [
    ['done', [{ detail: TEXT, dueAt: null, tries: 0 }]],
    ['failed', TEXT],
  ]
  expect(cross([settle, settle], answers)).toEqual({ isText: true, received: [settle, settle], answers })
})

test('a batch with any other command crosses as it is, with values that are no JSON', () => {
  const answers: readonly CommandOutcome[] = [
    ['done', new Uint8Array([1, 2])],
    ['done', undefined],
  ]
  expect(cross([settle, read], answers)).toEqual({ isText: false, received: [settle, read], answers })
})
