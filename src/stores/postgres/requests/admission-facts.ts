/** Reads all facts for a batch of client requests at once: admission then finds them in memory. */
import type { UsageLimit, UsageWindow, Used } from '../../../domain/guards/guards.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import type { TemplateItem, TemplateList } from '../../../ports/records/template-items.ts'
import type { LookupItem, RequestKey } from '../../../ports/stores/intake-store.ts'
import { type AdmissionFacts, canPay, type PhoneCall, type RepeatedMessage } from '../../admission/admission.ts'
import type { AdmissionItem, AdmissionOrder, CallItem, MessageItem } from '../../admission/admission-order.ts'
import type { AnsweredRow } from '../../admission/answered-requests.ts'
import type { TemplateFacts, TemplateRow } from '../../admission/template-registry.ts'
import type { FindUsed } from '../../admission/usage-meter.ts'
import { bucketOfRef } from '../../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, lookUp, onRows, typesOf, unnest } from '../connection/statement.ts'
import { lockNames } from '../session/lock-names.ts'
import type { Session } from '../session/session.ts'

const ANSWERED = onRows<[...AnsweredRow]>(
  `SELECT account_id, key, body_hash, draft, outcomes, keep_until FROM idempotency
   JOIN ${unnest(typesOf('idempotency', 'account_id, key'), 2)} USING (account_id, key) WHERE idempotency.bucket = $1`,
)
const UNIQUE = onRows<[accountId: number, clientId: string, msgId: MessageId, parts: number]>(
  `SELECT account_id, client_id, msg_id, parts FROM unique_id
   JOIN ${unnest(typesOf('unique_id', 'account_id, client_id'), 2)} USING (account_id, client_id)
   WHERE unique_id.bucket = $1`,
)
const CALLS = lookUp<[phone: string, accountId: number, code: string, at: number]>(
  `SELECT phone, account_id, code, at FROM call_code
   WHERE phone = ANY ($1::text[]) AND at > $2`,
)
const ASKED_USAGE = { place: 'integer', account_id: 'bigint', key: 'text', since: 'bigint' } as const
const USED = onRows<[place: number, messages: number, micros: number]>(
  `SELECT new.place, sum(usage.messages), sum(usage.micros) FROM usage
   JOIN ${unnest(ASKED_USAGE, 2)} ON usage.account_id = new.account_id AND usage.key = new.key AND usage.slot >= new.since
   WHERE usage.bucket = $1 GROUP BY new.place`,
)
const TEMPLATE_COLUMNS = 'template_id, account_id, name, template'
const TEMPLATES_BY_NAME = inBucket<[...TemplateRow]>(
  `SELECT ${TEMPLATE_COLUMNS} FROM sms_template
   JOIN ${unnest(typesOf('sms_template', 'account_id, name'), 2)} USING (account_id, name) WHERE bucket = $1`,
)
const TEMPLATES_BY_ID = inBucket<[...TemplateRow]>(
  `SELECT ${TEMPLATE_COLUMNS} FROM sms_template
   JOIN ${unnest(typesOf('sms_template', 'account_id, template_id'), 2)} USING (account_id, template_id) WHERE bucket = $1`,
)
/** Up to the first row whose text no longer fits. */
const TEMPLATE_LIST = inBucket<[...TemplateRow]>(
  `SELECT ${TEMPLATE_COLUMNS} FROM (
     SELECT ${TEMPLATE_COLUMNS}, sum(octet_length(template)) OVER (ORDER BY template_id) - octet_length(template) AS bytes_before
     FROM sms_template WHERE bucket = $1 AND account_id = $2 AND template_id > $3 ORDER BY template_id LIMIT $4
   ) AS listed WHERE bytes_before <= $5::bigint ORDER BY template_id`,
)
const TEMPLATE_ROOM = inBucket<[accountId: number, count: number, bytes: number]>(
  `SELECT account_id, count(*), sum(octet_length(template)) FROM sms_template
   WHERE bucket = $1 AND account_id = ANY ($2::bigint[]) GROUP BY account_id`,
)

type LimitedItem = MessageItem | CallItem | LookupItem

/**
 * With more limited items, the balances are read before anything is locked for them, in a round trip of its own: a
 * request without money must not keep other accounts waiting.
 */
const MAX_LIMITED_UNPAID = 50

/** Locks what the requests compete for, then reads. */
export async function readFacts(session: Session, orders: readonly AdmissionOrder[]): Promise<AdmissionFacts> {
  const items = orders.flatMap(({ accountId, items }) => items.map((item) => ({ accountId, item })))
  // The order matters: reads after the account locks see what the previous node committed.
  const first = Promise.all([
    session.ledger.lock(orders.map(({ accountId }) => accountId)),
    readAnswered(session, orders),
    readUnique(session, items),
    readTemplates(session, items),
  ])
  const isLarge = items.filter(({ item }) => isLimited(item)).length > MAX_LIMITED_UNPAID
  if (isLarge) await first
  const competes = (item: AdmissionItem): item is LimitedItem => {
    return isLimited(item) && (!isLarge || item.kind === 'lookup' || canPay(session.ledger, item))
  }
  const limits = orders.flatMap((order) => limitsOf(order, order.items.filter(competes)))
  const calls = items.flatMap(({ item }) => (item.kind === 'call' && competes(item) ? [item] : []))
  const phones = [...new Set(calls.map(({ calledUnder }) => calledUnder))]
  const callsSince = Math.min(...calls.flatMap(({ codesSince, limit }) => [codesSince, limit.since]))
  const [[, answered, unique, templates], , used, callRows] = await Promise.all([
    first,
    lockNames(session, [...phones.map((phone) => `calls ${phone}`), ...namesOfLimits(limits)]),
    readUsed(session, [...limits, ...orders.flatMap(({ idempotency }) => idempotency?.room?.window ?? [])]),
    phones.length > 0 ? session.query(CALLS, phones, callsSince) : [],
  ])
  const callsTo = Map.groupBy(callRows, ([phone]) => phone)
  return {
    answered: (accountId, key) => answered.get(`${accountId} ${key}`),
    unique: (accountId, key) => unique.get(`${accountId} ${key}`) ?? null,
    calls: (phone, since) =>
      (callsTo.get(phone) ?? [])
        .map(([, accountId, code, at]): PhoneCall => ({ accountId, code, at }))
        .filter(({ at }) => at > since),
    used,
    templates,
  }
}

/** Returns the request stored under one idempotency key. */
export async function findAnswered(
  connection: Connection,
  accountId: AccountId,
  key: string,
): Promise<AnsweredRow | undefined> {
  return (await connection.query(ANSWERED, bucketOf(accountId), [accountId], [key]))[0]
}

/** Returns what an account stores under its idempotency keys; reads nothing if the request does not limit it. */
export async function findKept(connection: Connection, { room }: RequestKey): Promise<Used> {
  if (room === undefined || room.maxBytes === null) return NOTHING_USED
  return findUsed(connection, room.window)
}

export async function findUsed(connection: Connection, window: UsageWindow): Promise<Used> {
  const { accountId, key, since } = window
  const rows = await connection.query(USED, bucketOfLimit(window), [0], [accountId ?? 0], [key], [since])
  const [, messages, micros] = rows[0] ?? [0, 0, 0]
  return { messages, micros }
}

export function bucketOfLimit({ accountId, key }: Pick<UsageWindow, 'accountId' | 'key'>): number {
  return accountId === null ? bucketOfRef('usage', key) : bucketOf(accountId)
}

function isLimited(item: AdmissionItem): item is LimitedItem {
  if (item.kind === 'lookup') return item.counts !== undefined
  return item.kind === 'call' || (item.kind === 'message' && item.counts !== null)
}

/** Returns the limits that these items of the request count towards. */
function limitsOf({ limits = [] }: AdmissionOrder, items: readonly LimitedItem[]): readonly UsageLimit[] {
  const places = new Set(items.flatMap(({ counts }) => counts ?? []))
  return limits.filter((_, place) => places.has(place))
}

/** Returns the names to lock: all nodes share the limits of all accounts combined. */
function namesOfLimits(limits: readonly UsageLimit[]): readonly string[] {
  return limits.flatMap(({ accountId, key }) => (accountId === null ? [`usage ${key}`] : []))
}

type AccountItem = { readonly accountId: AdmissionOrder['accountId']; readonly item: AdmissionOrder['items'][number] }

async function readAnswered(session: Session, orders: readonly AdmissionOrder[]): Promise<Map<string, AnsweredRow>> {
  const asked = new ByBucket<Cell[]>()
  for (const { accountId, idempotency } of orders) {
    if (idempotency !== null) asked.add(bucketOf(accountId), [accountId, idempotency.key])
  }
  const rows = await session.queryRows(ANSWERED, asked)
  return new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]))
}

async function readUnique(
  session: Session,
  items: readonly AccountItem[],
): Promise<ReadonlyMap<string, RepeatedMessage>> {
  const asked = new ByBucket<Cell[]>()
  for (const { accountId, item } of items) {
    if (item.kind === 'message' && item.uniqueKey !== null) asked.add(bucketOf(accountId), [accountId, item.uniqueKey])
  }
  const rows = await session.queryRows(UNIQUE, asked)
  return new Map(
    rows.map(([accountId, clientId, messageId, parts]) => [`${accountId} ${clientId}`, { messageId, parts }]),
  )
}

const NOTHING_USED: Used = { messages: 0, micros: 0 }

async function readUsed(session: Session, each: readonly UsageWindow[]): Promise<FindUsed> {
  const nameOf = ({ accountId, key, since }: UsageWindow) => `${since} ${accountId} ${key}`
  // Requests of one account use the same windows.
  const windows = [...new Map(each.map((window) => [nameOf(window), window])).values()]
  const asked = new ByBucket<Cell[]>()
  for (const [place, window] of windows.entries()) {
    asked.add(bucketOfLimit(window), [place, window.accountId ?? 0, window.key, window.since])
  }
  const rows = await session.queryRows(USED, asked)
  const used = new Map<string, Used>()
  for (const [place, messages, micros] of rows) {
    const window = windows[place]
    if (window !== undefined) used.set(nameOf(window), { messages, micros })
  }
  return (window) => used.get(nameOf(window)) ?? NOTHING_USED
}

async function readTemplates(session: Session, items: readonly AccountItem[]): Promise<TemplateFacts> {
  const asked = items.flatMap(({ accountId, item }) => (isTemplateItem(item) ? [{ accountId, item }] : []))
  const [names, ids, counted] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>(), new ByBucket<number>()]
  for (const { accountId, item } of asked) {
    const bucket = bucketOf(accountId)
    if (item.kind === 'template') {
      names.add(bucket, [accountId, item.template.name])
      counted.add(bucket, accountId)
    }
    if (item.kind !== 'template removal') continue
    if (item.templateId === null) names.add(bucket, [accountId, item.name])
    else ids.add(bucket, [accountId, item.templateId])
  }
  // Enough to fill a page after removals.
  const removals = asked.filter(({ item }) => item.kind === 'template removal').length
  const lists = asked.flatMap(({ accountId, item }) => (item.kind === 'template list' ? [{ accountId, item }] : []))
  const [rooms, listed, ...found] = await Promise.all([
    Promise.all(counted.entries().map(([bucket, accounts]) => session.query(TEMPLATE_ROOM, bucket, accounts))),
    Promise.all(
      lists.map(async ({ accountId, item: { after, limit: most, maxBytes }, item }) => {
        const page = [accountId, after ?? 0, most + removals, maxBytes]
        return [item, await session.query(TEMPLATE_LIST, bucketOf(accountId), ...page)] as const
      }),
    ),
    session.queryRows(TEMPLATES_BY_NAME, names),
    session.queryRows(TEMPLATES_BY_ID, ids),
  ])
  const room = new Map(rooms.flat().map(([accountId, count, bytes]) => [accountId, { count, bytes }]))
  const pages = new Map<TemplateList, readonly TemplateRow[]>(listed)
  const byId = new Map(found.flat().map((row) => [row[0], row]))
  const byName = new Map(found.flat().map((row) => [`${row[1]} ${row[2]}`, row]))
  return {
    // The registry itself checks the account and the name.
    find: (accountId, templateId, name) =>
      templateId === null ? byName.get(`${accountId} ${name}`) : byId.get(templateId),
    list: (_, list) => pages.get(list) ?? [],
    room: (accountId) => room.get(accountId) ?? { count: 0, bytes: 0 },
  }
}

function isTemplateItem(item: AdmissionOrder['items'][number]): item is TemplateItem {
  return item.kind === 'template' || item.kind === 'template list' || item.kind === 'template removal'
}
