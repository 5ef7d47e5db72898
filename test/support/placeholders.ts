/** Compares what was seen with an example in which `<…>` stands for a value that is different every time. */
import { expect } from 'vitest'

const POSITIVE = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0
const textLike = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

const PLACEHOLDERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<msg_id>': POSITIVE,
  '<template_id>': POSITIVE,
  '<inbound_id>': POSITIVE,
  '<bulk_id>': POSITIVE,
  '<upload>': textLike(/^\/api\/bulk\/\d+\/lines$/),
  '<webhook_id>': textLike(/^rep_\d+_\d+$/),
  '<cursor>': textLike(/^\d+$/),
  '<request_id>': textLike(/^[0-9a-f]{32}$/),
  '<code>': textLike(/^\d{4,6}$/),
  '<link_code>': textLike(/^[A-Za-z0-9]{10}$/),
  '<secret>': textLike(/^whsec_[A-Za-z0-9+/]{32}$/),
  '<amount>': (value) => typeof value === 'number' && Number.isFinite(value),
  '<timestamp>': textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
}

/** Fails the test unless `seen` is `example`, key for key, with every placeholder filled in. */
export function expectLike(seen: unknown, example: unknown): void {
  expect(fillIn(seen, example)).toEqual(example)
}

/** `seen` with each value that a placeholder allows replaced by that placeholder. */
function fillIn(seen: unknown, example: unknown): unknown {
  if (typeof example === 'string' && PLACEHOLDERS[example]?.(seen) === true) return example
  if (Array.isArray(seen) && Array.isArray(example)) return seen.map((value, index) => fillIn(value, example[index]))
  if (!isRecord(seen) || !isRecord(example)) return seen
  return Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, fillIn(value, example[key])]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
