/** Writes inbound messages, those to a number of an account with their report, in the bucket of the account. */
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { replyStateOf } from '../../../domain/inbound/automatic-reply.ts'
import type { AnsweredMessage } from '../../../domain/inbound/inbound-message.ts'
import { MAX_ANSWERABLE } from '../../../domain/message/answered-message.ts'
import { formsOf } from '../../../domain/numbers/phone.ts'
import type { InboundMessage } from '../../../ports/carriers/carrier.ts'
import {
  accountInbound,
  answerableQuery,
  answeredMessage,
  inboundReports,
  type NumbersKey,
  numbersKeysOf,
  type OwnNumber,
  ownerOf,
  readOwnNumber,
  SELECT_OWN_NUMBERS,
} from '../../recording/assign-inbound.ts'
import { bucketOfCarrier } from '../../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { type InboundRow, inboundRow } from '../../rows/messages/inbound-row.ts'
import { MESSAGE_COLUMNS, type MessageColumns } from '../../rows/messages/message-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion, onRows, rare, unnest } from '../connection/statement.ts'
import { type EventReport, writeEventReports } from '../session/event-reports.ts'
import { lockInboxes } from '../session/lock-names.ts'
import type { Session } from '../session/session.ts'

const OWN_NUMBERS = rare<Cell[]>(
  `${SELECT_OWN_NUMBERS} JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS new (carrier_id, address)) AS wanted
   ON wanted.carrier_id = inbound_number.carrier_id AND wanted.address = inbound_number.address`,
)
/** Of a phone with very many messages only the newest are searched. */
const MAX_OF_PHONE = 500
/** Of each written form of a phone; `place` says whose. */
const NEWEST = onRows<[place: number, ...MessageColumns]>(
  `SELECT new.place, found.* FROM ${unnest({ place: 'integer', account: 'bigint', written: 'text', after: 'bigint' }, 2)},
   LATERAL (
     SELECT ${MESSAGE_COLUMNS} FROM (
       SELECT * FROM message WHERE message.bucket = $1 AND message.phone = new.written
       ORDER BY msg_id DESC LIMIT ${MAX_OF_PHONE}) AS newest
     WHERE account_id = new.account AND created_at > new.after ORDER BY msg_id DESC LIMIT ${MAX_ANSWERABLE}) AS found`,
)
const QUOTED = onRows<[place: number, ...MessageColumns]>(
  `SELECT new.place, found.* FROM ${unnest({ place: 'integer', account: 'bigint', carrier: 'text', written: 'text' }, 2)},
   LATERAL (
     SELECT ${MESSAGE_COLUMNS} FROM message WHERE message.bucket = $1 AND account_id = new.account AND msg_id = (
       SELECT max(msg_id) FROM part_ref
       WHERE part_ref.bucket = $1 AND carrier_id = new.carrier AND ref = new.written)) AS found`,
)
const INSERT = insertion(
  'inbound_message',
  'carrier_id, sender, recipient, text, at, account_id, event_id, facts, reply, answers',
)

/** The bucket of a whole message. */
export function bucketOfInbound(of: { readonly carrierId: string; readonly accountId: Cell }): number {
  const { carrierId, accountId } = of
  return accountId === null ? bucketOfCarrier(carrierId) : bucketOf(toAccountId(Number(accountId)))
}

/** `messages` in the order in which they arrived. */
export async function storeInbound(session: Session, messages: readonly InboundMessage[]): Promise<void> {
  if (messages.length === 0) return
  const numbersOf = await readNumbers(session, messages.flatMap(numbersKeysOf))
  const owners = messages.map((message) => ownerOf(message, numbersKeysOf(message).flatMap(numbersOf)))
  const answered = await findAnswered(session, messages, owners)
  const owned = owners.filter((owner) => owner !== null)
  // Ids of one account then grow in the order of commits, so that a reader that has seen one has seen all before it.
  await lockInboxes(session, new Set(owned.map(({ accountId }) => accountId)))
  let counter = owned.length === 0 ? 0 : await session.nextCounters(owned.length)
  const rows = new ByBucket<InboundRow>()
  const events: EventReport[] = []
  for (const [index, message] of messages.entries()) {
    const owner = owners[index] ?? null
    const inbound = owner && accountInbound(message, owner, counter++, answered[index] ?? null)
    const reports = owner && inbound ? inboundReports(inbound, owner) : []
    const { vault } = session
    rows.add(
      bucketOfInbound({ ...message, accountId: inbound?.accountId ?? null }),
      inboundRow(message, inbound && owner && { inbound, reply: replyStateOf(message, owner) }, vault),
    )
    for (const report of reports) events.push({ report: { ...report, body: vault.seal(report.body) }, at: message.at })
  }
  session.insert(INSERT, rows)
  session.noteReports(writeEventReports(session, events))
}

/** Returns of each message, by its place, which message it answers. */
async function findAnswered(
  session: Session,
  messages: readonly InboundMessage[],
  owners: readonly (OwnNumber | null)[],
): Promise<readonly (AnsweredMessage | null)[]> {
  const asked = messages.map((message, place) => {
    const owner = owners[place] ?? null
    const query = owner && answerableQuery(message, owner)
    return query && { query, owner }
  })
  const [newest, quoted] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>()]
  for (const [place, each] of asked.entries()) {
    if (each === null) continue
    const { query } = each
    const { accountId } = query
    const bucket = bucketOf(accountId)
    if (query.of === 'quoted') quoted.add(bucket, [place, accountId, query.carrierId, query.ref])
    else for (const form of formsOf(query.phone)) newest.add(bucket, [place, accountId, form, query.after])
  }
  const found = await Promise.all([session.queryRows(NEWEST, newest), session.queryRows(QUOTED, quoted)])
  const byPlace = Map.groupBy(found.flat(), ([place]) => place)
  return asked.map((each, place) => {
    // Those of several forms of a phone, the newest first.
    const rows = (byPlace.get(place) ?? []).map(([, ...row]): MessageColumns => row).sort(([a], [b]) => b - a)
    return each && answeredMessage(each.query, each.owner, rows.slice(0, MAX_ANSWERABLE))
  })
}

async function readNumbers(
  session: Session,
  keys: readonly NumbersKey[],
): Promise<(key: NumbersKey) => readonly OwnNumber[]> {
  const columns = [keys.map(([carrierId]) => carrierId), keys.map(([, address]) => address)]
  const found = (await session.query(OWN_NUMBERS, ...columns)).map((cells) => readOwnNumber(cells, session.vault))
  const byKey = Map.groupBy(found, ({ carrierId, address }) => [carrierId, address].join('\0'))
  return (key) => byKey.get(key.join('\0')) ?? []
}
