/** `inbound/list`: messages to the inbound numbers of the account, the oldest first, in pages. */
import { type JsonObject, writeJsonResult } from '../contract/envelope.ts'
import { INBOUND_LIST_FIELDS, readFields } from '../contract/fields.ts'
import { MAX_LIST_BYTES } from '../domain/answer-size.ts'
import { DEFAULT_INBOUND_LISTED, writeInbound } from '../domain/inbound-message.ts'
import type { DirectInquiry, Scope } from './planned.ts'

/** Throws ItemRefused for an `after` that is not an id. */
export function planInboundList(scope: Scope, item: JsonObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { account, tools } = scope
  const { after = null, limit = DEFAULT_INBOUND_LISTED } = readFields(item, INBOUND_LIST_FIELDS, tools.limits)
  const query = { accountId: account.id, after, limit, maxBytes: MAX_LIST_BYTES }
  return {
    answer: async () => {
      const found = await tools.store.inboundOf(query)
      return writeJsonResult(`[${found.map((each) => `{${writeInbound(each)}}`).join(',')}]`)
    },
  }
}
