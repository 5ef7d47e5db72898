/** Refuses to remove a carrier whose receipts are still expected. */
import type { Message } from '../../../domain/message.ts'
import type { Page, PageRows } from '../../../ports/pages.ts'
import type { QueryStore } from '../../../ports/query-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'

const PAGE_ROWS = 1_000
/** Each page examines up to 20,000 messages, the newest first. */
const MAX_PAGES = 100

/** Throws ChangeRefused if the carrier has taken parts of messages that have not ended. */
export async function checkRemoval(store: QueryStore, carrierId: string): Promise<void> {
  const match = { clientId: null, sender: null, carrierId, from: null, until: null }
  const query = { of: 'messages', accountId: null, phone: null, status: 'ACCEPTED', match, limit: PAGE_ROWS } as const
  let after: number | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { rows, next }: Page<PageRows['messages']> = await store.page({ ...query, after })
    const open = rows.filter((message) => hasTaken(carrierId, message)).length
    if (open > 0) throw new ChangeRefused(describe(carrierId, open, next !== null))
    if (next === null) return
    after = next
  }
}

function hasTaken(carrierId: string, { journey }: Pick<Message, 'journey'>): boolean {
  return journey.steps.some((step) =>
    step.parts.some((part) => part.ref !== null && (part.carrierId ?? step.carrierId) === carrierId),
  )
}

function describe(carrierId: string, open: number, mayBeMore: boolean): string {
  const messages = open === 1 && !mayBeMore ? '1 open message' : `${open}${mayBeMore ? ' or more' : ''} open messages`
  return (
    `carrier ${carrierId} has taken ${messages}, whose receipts would be lost: drain it and wait until ` +
    `posthorn message find --carrier ${carrierId} --status ACCEPTED is empty, or confirm with --lose-receipts ` +
    '(lose_receipts)'
  )
}
