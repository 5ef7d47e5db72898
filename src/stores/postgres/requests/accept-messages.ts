/**
 * Admits client requests on PostgreSQL, each whole or not at all: reads all facts under the locks of the accounts,
 * decides the requests in memory, and writes all rows at once.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { AcceptOutcome, AcceptRequest, ItemOutcome } from '../../../ports/stores/intake-store.ts'
import { Admission, type AdmissionRows } from '../../admission/admission.ts'
import { toAdmissionOrder } from '../../admission/admission-order.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, insertion, type SqlStatement } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { bucketOfLimit, readFacts } from './admission-facts.ts'
import { insertMessages } from './stored-message.ts'

const INSERT_DUE = insertion('due', 'msg_id, node, channel, tenant, due_at')
const INSERT_LINKS = insertion('link', 'msg_id, code, url, expires_at, human_clicks, bot_clicks, reported')
const INSERT_UNIQUE = insertion('unique_id', 'account_id, client_id, msg_id, parts')
const INSERT_CODES = insertion('call_code', 'msg_id, phone, account_id, code, at')
const ADD_USAGE = insertion(
  'usage',
  'account_id, key, slot, messages, micros, keep_until',
  `ON CONFLICT (bucket, account_id, key, slot) DO UPDATE SET messages = usage.messages + excluded.messages,
     micros = usage.micros + excluded.micros, keep_until = greatest(usage.keep_until, excluded.keep_until)`,
)
const REMOVE_TEMPLATES = inBucket(
  'DELETE FROM sms_template WHERE bucket = $1 AND account_id = ANY ($2::bigint[]) AND template_id = ANY ($3::bigint[])',
)
const INSERT_TEMPLATES = insertion('sms_template', 'template_id, account_id, name, template')
/** Replaces an expired one. */
const KEEP_ANSWERED = insertion(
  'idempotency',
  'account_id, key, body_hash, draft, outcomes, keep_until',
  `ON CONFLICT (bucket, account_id, key) DO UPDATE SET body_hash = excluded.body_hash, draft = excluded.draft,
     outcomes = excluded.outcomes, keep_until = excluded.keep_until`,
)

export async function acceptMessages(
  session: Session,
  requests: readonly AcceptRequest[],
): Promise<readonly AcceptOutcome[]> {
  const orders = requests.map((request) => toAdmissionOrder(request))
  const facts = await readFacts(session, orders)
  const { ledger, vault, node } = session
  const admission = new Admission({ facts, ledger, vault, node })
  const outcomes = orders.map((order) => admission.admit(order))
  write(session, admission.rows())
  return outcomes
}

/** Admits lines of a bulk up to the first that pauses its run; returns the outcomes of those that were processed. */
export async function admitLines(session: Session, request: AcceptRequest): Promise<readonly ItemOutcome[]> {
  const order = toAdmissionOrder(request)
  const facts = await readFacts(session, [order])
  const { ledger, vault, node } = session
  const admission = new Admission({ facts, ledger, vault, node })
  const outcomes = admission.admitLines(order)
  write(session, admission.rows())
  return outcomes
}

function write(session: Session, rows: AdmissionRows): void {
  const ofMessage = ([id]: readonly [MessageId, ...Cell[]]) => bucketOfMessage(id)
  const ofAccount = ([id]: readonly [AccountId, ...Cell[]]) => bucketOf(id)
  const insert = <Row extends readonly Cell[]>(
    statement: SqlStatement,
    each: readonly Row[],
    bucketOfRow: (row: Row) => number,
  ) => {
    session.insert(statement, ByBucket.of(each, bucketOfRow))
  }
  insertMessages(session, rows.messages)
  insert(INSERT_DUE, rows.due, ofMessage)
  insert(
    INSERT_LINKS,
    rows.links.map((row) => [...row, 0, 0, 0] as const),
    ofMessage,
  )
  insert(INSERT_UNIQUE, rows.uniqueIds, ofAccount)
  insert(INSERT_CODES, rows.codes, ofMessage)
  const removedTemplates = ByBucket.of(rows.templates.removed, ([, accountId]) => bucketOf(accountId))
  for (const [bucket, removed] of removedTemplates.entries()) {
    session.write(
      REMOVE_TEMPLATES,
      bucket,
      removed.map(([, accountId]) => accountId),
      removed.map(([id]) => id),
    )
  }
  insert(INSERT_TEMPLATES, rows.templates.added, ([, accountId]) => bucketOf(accountId))
  insert(ADD_USAGE, rows.usage, ([accountId, key]) =>
    bucketOfLimit({ accountId: accountId === 0 ? null : (accountId as AccountId), key }),
  )
  insert(KEEP_ANSWERED, rows.answered, ofAccount)
  session.totals.count(rows.counts)
}
