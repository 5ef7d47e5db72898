/** `inbound/list`: messages to the inbound numbers of the account, the oldest first, in pages. */
import { INBOUND_LIST_FIELDS, readFields } from '../../contract/fields/fields.ts'
import { type RequestObject, writeJsonResult } from '../../contract/request/envelope.ts'
import { DEFAULT_INBOUND_LISTED, writeInbound } from '../../domain/inbound/inbound-message.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an `after` that is not an id. */
export function planInboundList(scope: Scope, item: RequestObject): DirectInquiry {
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
