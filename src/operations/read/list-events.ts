/** `event/list`: reads the reports that are kept instead of being posted, and acknowledges those read before. */
import { EVENT_LIST_FIELDS, readFields } from '../../contract/fields/fields.ts'
import { type RequestObject, writeItemError, writeJsonResult } from '../../contract/request/envelope.ts'
import { notACursor } from '../../contract/request/error-texts.ts'
import { DEFAULT_EVENTS, type FeedQuery, feedPageOf, writeEvents } from '../../domain/reports/event-feed.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an `after` or `limit` that has another form. */
export function planEventList(scope: Scope, item: RequestObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { after = null, limit = DEFAULT_EVENTS } = readFields(item, EVENT_LIST_FIELDS, scope.tools.limits)
  const query = { accountId: scope.account.id, after, limit, maxBytes: MAX_LIST_BYTES }
  return { answer: () => answerEvents(scope, query) }
}

async function answerEvents({ tools: { store }, now }: Scope, query: FeedQuery): Promise<string> {
  const { accountId, after } = query
  const read = await store.readEvents(query)
  if (after !== null && after > read.last) return writeItemError(null, notACursor('after'))
  if (after !== null && after > read.acknowledged) {
    await store.acknowledgeEvents({ accountId, through: after, at: now })
  }
  const { next, more, missed } = feedPageOf(read, after ?? read.acknowledged)
  return writeJsonResult(
    `{"events":${writeEvents(read.events)},"next":"${next}","more":${String(more)},"missed":${missed}}`,
  )
}
