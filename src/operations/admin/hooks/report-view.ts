/** A report as the admin API shows it. */
import Type, { type Static } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { hideInAddresses } from '../../../domain/accounts/audit.ts'
import { reportId } from '../../../domain/reports/report.ts'
import { isDelivery } from '../../../domain/reports/report-tries.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import { ACCOUNT, nullable, TEXT_READERS, TIME, whole, writeTime } from '../fields/shapes.ts'

export const EVENT = whole({ minimum: 64, description: 'msg_id, inbound_id, bulk_id, or the id of another event' })
export const REPORT_NUMBER = whole({ minimum: 0, description: 'number of the report within its message' })

/** The oldest first. */
const LAST_TRIES = Type.Array(
  Type.Object({
    at: TIME,
    delivered: Type.Boolean({ description: 'the hook took it' }),
    took_ms: nullable(whole()),
    detail: Type.String(),
  }),
  { description: 'the first try and up to nine others; empty if the first one succeeded and it was not sent again' },
)

export const ShownReport = Type.Object({
  message: EVENT,
  number: REPORT_NUMBER,
  account: ACCOUNT,
  type: nullable(Type.String(), { description: 'such as message.status; null once its payload is no longer kept' }),
  webhook_id: Type.String({ description: 'the same on every try, also when it is sent again' }),
  address: Type.String({ description: 'without user, query and fragment; feed: for the event feed' }),
  state: Type.Enum(['pending', 'sent', 'failed']),
  failed_tries: whole(),
  created_at: TIME,
  tried_at: nullable(TIME, { description: 'of the last try' }),
  next_at: nullable(TIME, { description: 'of the next try; null unless it waits for a retry' }),
  waits_for: nullable(Type.Enum(['sending', 'retry', 'hook', 'earlier report']), {
    description:
      'sending: a gateway posts it now or within seconds. hook: it is sent once its hook answers again. Null once it is sent or failed',
  }),
  last_tries: LAST_TRIES,
  detail: Type.String({ description: 'status or error of the last try' }),
  payload: nullable(Type.String(), {
    description: 'as it is posted; null once it is no longer kept, and with texts of recipients for most roles',
  }),
})

export function viewReport(report: TracedReport, role: Role): Static<typeof ShownReport> {
  const { messageId, number, accountId, address, state, tries, createdAt, triedAt, dueAt, detail, body } = report
  const { waitsFor, triesMade } = report
  const type = body === '' ? null : typeOf(body)
  const isSeen = type !== null && (type !== 'message.inbound' || TEXT_READERS.includes(role))
  return {
    message: messageId,
    number,
    account: accountId,
    type,
    webhook_id: reportId(report),
    address: String(hideInAddresses(address)),
    state,
    failed_tries: tries,
    created_at: writeTime(createdAt),
    tried_at: writeTime(triedAt),
    next_at: waitsFor === 'retry' ? writeTime(dueAt) : null,
    waits_for: waitsFor,
    last_tries: triesMade.map((made) => {
      const { at, tookMs, detail: said } = made
      return { at: writeTime(at), delivered: isDelivery(made), took_ms: tookMs, detail: said }
    }),
    detail,
    payload: isSeen ? body : null,
  }
}

function typeOf(body: string): string {
  return String(JSON.parse(body).type)
}
