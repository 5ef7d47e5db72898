/** Refuses to remove a carrier, or to give it another account, while its receipts are still expected. */
import type { CarrierSetup } from '../../../domain/directory/directory.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { Page, PageRows } from '../../../ports/records/pages.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { ReceiptAccounts } from '../fields/carrier-kinds.ts'

const PAGE_ROWS = 1_000
/** Each page examines up to 20,000 messages, the newest first. */
const MAX_PAGES = 100

/** Throws ChangeRefused if receipts would be lost by a change of a carrier; `after` is null for its removal. */
export type CheckReceipts = (before: CarrierSetup, after: CarrierSetup | null) => Promise<void>

export interface ReceiptTools {
  readonly store: QueryStore
  readonly receiptAccounts: ReceiptAccounts
}

/** The check of a request that may confirm the loss. */
export function receiptCheck(tools: ReceiptTools, losesReceipts = false): CheckReceipts {
  return async (before, after) => {
    if (!losesReceipts && (after === null || hasOtherAccount(tools, before, after))) {
      await refuseWhileOpen(tools.store, before.id, after === null ? REMOVED : OTHER_ACCOUNT)
    }
  }
}

/** A carrier that keeps one of its accounts, as one of several hosts, gets receipts there. */
function hasOtherAccount({ receiptAccounts }: ReceiptTools, before: CarrierSetup, after: CarrierSetup): boolean {
  const [old, kept] = [receiptAccounts(before), new Set(receiptAccounts(after))]
  return old.length > 0 && !old.some((account) => kept.has(account))
}

interface Loss {
  readonly of: string
  readonly confirm: string
}

const REMOVED: Loss = { of: 'whose receipts would be lost', confirm: 'or confirm with --lose-receipts (lose_receipts)' }

const OTHER_ACCOUNT: Loss = {
  of: 'whose receipts do not come to another account (SMPP: host, port, systemId)',
  confirm:
    'or confirm with --lose-receipts (lose_receipts), also if it is only another address of the same account; a new ' +
    'account can be a carrier of its own',
}

/** Throws ChangeRefused if the carrier has taken parts of messages that have not ended. */
async function refuseWhileOpen(store: QueryStore, carrierId: string, loss: Loss): Promise<void> {
  const match = { clientId: null, sender: null, carrierId, channel: null, from: null, until: null }
  const query = { of: 'messages', accountId: null, phone: null, status: 'ACCEPTED', match, limit: PAGE_ROWS } as const
  let after: number | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { rows, next }: Page<PageRows['messages']> = await store.page({ ...query, after })
    const open = rows.filter((message) => hasTaken(carrierId, message)).length
    if (open > 0) throw new ChangeRefused(describe(carrierId, countOf(open, next !== null), loss))
    if (next === null) return
    after = next
  }
}

function hasTaken(carrierId: string, { journey }: Pick<Message, 'journey'>): boolean {
  return journey.steps.some((step) =>
    step.parts.some((part) => part.ref !== null && (part.carrierId ?? step.carrierId) === carrierId),
  )
}

function countOf(open: number, mayBeMore: boolean): string {
  return open === 1 && !mayBeMore ? '1 open message' : `${open}${mayBeMore ? ' or more' : ''} open messages`
}

function describe(carrierId: string, messages: string, { of, confirm }: Loss): string {
  return (
    `carrier ${carrierId} has taken ${messages}, ${of}: drain it and wait until ` +
    `posthorn message find --carrier ${carrierId} --status ACCEPTED is empty, ${confirm}`
  )
}
