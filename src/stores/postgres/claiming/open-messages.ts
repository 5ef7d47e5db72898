/** Finds open messages: of one account in its bucket, of all accounts bucket by bucket. */
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import type { OpenPage, OpenQuery } from '../../../ports/stores/queued-store.ts'
import { openMessages } from '../../commands/reading/open-messages.ts'
import type { Command } from '../../commands/statement/command.ts'

/** An id names its bucket; a number below the first id is a bucket that begins. */
export function* openInBuckets(query: OpenQuery): Command<OpenPage> {
  const { accountId, after } = query
  const bucket = accountId === null ? after % BUCKETS : bucketOf(accountId)
  const page = yield* openMessages(bucket, query)
  const nextBucket = bucket + 1 < BUCKETS ? bucket + 1 : null
  return accountId === null && page.next === null ? { ...page, next: nextBucket } : page
}
