/** `posting/list`: what was paid in, held, charged and released, the newest first, in pages. */
import { readFields } from '../../contract/fields/fields.ts'
import { DEFAULT_POSTINGS, POSTING_LIST_FIELDS } from '../../contract/operations/money-fields.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import type { Posting } from '../../domain/money/ledger.ts'
import { MAX_LIST_BYTES } from '../../domain/structures/answer-size.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'
import { clientKind, signedAmount } from './view-posting.ts'

/** Throws ItemRefused for fields of another form. */
export function planPostingList(scope: Scope, item: RequestObject): DirectInquiry {
  scope.lists.count(MAX_LIST_BYTES)
  const { account, tools } = scope
  const { after = null, limit = DEFAULT_POSTINGS } = readFields(item, POSTING_LIST_FIELDS, tools.limits)
  return {
    answer: async () => {
      const { rows, next } = await tools.store.page({ of: 'postings', accountId: account.id, after, limit })
      return writeResult({ postings: rows.map(viewPosting), next: next === null ? null : String(next) }, null)
    },
  }
}

/** Without the operator who posted it, and what the carrier costs. */
function viewPosting(posting: Posting & { readonly at: number }): object {
  const { at, kind, messageId, charge, note = null } = posting
  return {
    at: new Date(at).toISOString(),
    kind: clientKind(kind),
    amount: signedAmount(posting),
    msg_id: messageId,
    channel: charge?.channel ?? null,
    operator: charge?.operator ?? null,
    parts: charge?.parts ?? null,
    note,
  }
}
