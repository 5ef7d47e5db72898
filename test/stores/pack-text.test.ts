/** Storage of answers for repeats: a client must not fill the disk with errors that are free of charge. */
import { describe, expect, it, test } from 'vitest'
import { writeItemError } from '../../src/contract/request/envelope.ts'
import { unknownOperation } from '../../src/contract/request/error-texts.ts'
import {
  packDraft,
  packText,
  rowsOfRequest,
  unpackDraft,
  unpackText,
} from '../../src/stores/admission/answered-requests.ts'
import { BEGINNING, buildAccount } from '../support/build-message.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const refused = { kind: 'written', text: writeItemError(null, unknownOperation(null)) }
const draftOf = (results: readonly object[]) => JSON.stringify({ requestId: null, results })

test('ten thousand equal refusals take about as much space as their request', () => {
  const draft = draftOf(Array(10_000).fill(refused))
  expect(packText(draft).length).toBeLessThan(1.5 * '{},'.length * 10_000)
  expect(unpackText(packText(draft))).toBe(draft)
})

describe.each([0, 1, 20, 2_000])('an answer of %i results', (count) => {
  it('is unpacked unchanged', () => {
    const draft = draftOf(Array.from({ length: count }, (_, id) => ({ ...refused, id, name: '“ü” 😀' })))
    expect(unpackText(packText(draft))).toBe(draft)
  })
})

test('reads unpacked answers of earlier versions unchanged', () => {
  const draft = draftOf(Array(100).fill(refused))
  expect(unpackText(draft)).toBe(draft)
})

describe('the draft of a request', () => {
  const request = (draft: string | null) => ({
    ...{ accountId: buildAccount().id, now: BEGINNING, items: [] },
    idempotency: draft === null ? null : { key: 'k', bodyHash: 'h', draft, keepUntil: BEGINNING },
  })

  it('is packed before the store is asked, and unpacked after', async () => {
    const draft = draftOf(Array(10_000).fill(refused))
    const packed = await packDraft(request(draft))
    expect(packed.idempotency?.draft.length).toBeLessThan(draft.length / 50)
    expect(await unpackDraft({ kind: 'replayed', draft: packed.idempotency?.draft ?? '' })).toMatchObject({ draft })
    expect(await unpackDraft({ kind: 'conflict' })).toEqual({ kind: 'conflict' })
  })

  it('counts as rows by its size, so that large ones share no batch', async () => {
    const noise = Buffer.from(new SeededRandom().bytes(2_000_000)).toString('hex')
    expect(rowsOfRequest(await packDraft(request(noise)))).toBeGreaterThan(256)
    expect(rowsOfRequest(await packDraft(request('{}')))).toBe(1)
    expect(rowsOfRequest(await packDraft(request(null)))).toBe(0)
  })
})
