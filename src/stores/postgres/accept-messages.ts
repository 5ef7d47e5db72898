/**
 * IN: client requests, each whole or not at all. What decides about them is read at once under the locks of their accounts;
 * then they are decided one after the other, in memory, and written at once.
 */
import { bucketOf } from '../../domain/message-id.ts'
import { toMicros } from '../../domain/money.ts'
import { type CallContent, partsOf } from '../../domain/plan.ts'
import type { UsageLimit } from '../../domain/usage.ts'
import type { AcceptItem, AcceptOutcome, AcceptRequest, ItemOutcome } from '../../ports/store.ts'
import { calledUnder, uniqueKeyOf } from '../rows/apart-from-tests.ts'
import type { Cell } from '../rows/cell.ts'
import { type MessageRow, toMessageRow } from '../rows/message-row.ts'
import { HELD_ROW, waitingRow } from '../rows/place.ts'
import { AnsweredRequests } from './answered-requests.ts'
import { ByBucket } from './by-bucket.ts'
import { lockNames } from './lock-names.ts'
import { insertMessages } from './message-statements.ts'
import { Meter, namesOfLimits } from './meter.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, lookUp, unnest } from './statement.ts'
import { TemplateBook } from './template-book.ts'

const FIND_UNIQUE = inBucket<[accountId: number, clientId: string, msgId: number, parts: number]>(
  `SELECT account_id, client_id, msg_id, parts FROM unique_id
   JOIN ${unnest({ account_id: 'bigint', client_id: 'text' }, 2)} USING (account_id, client_id) WHERE bucket = $1`,
)
const FIND_CALLS = lookUp<[phone: string, accountId: number, code: string, at: number]>(
  `SELECT phone, account_id, code, at FROM call_code
   WHERE phone = ANY ($1::text[]) AND at > $2`,
)
const INSERT_DUE = insertion('due', {
  msg_id: 'bigint',
  node: 'integer',
  channel: 'text',
  tenant: 'bigint',
  due_at: 'bigint',
})
const INSERT_LINKS = insertion('link', {
  msg_id: 'bigint',
  code: 'text',
  url: 'text',
  expires_at: 'bigint',
  people: 'bigint',
  robots: 'bigint',
  told: 'smallint',
})
const INSERT_UNIQUE = insertion('unique_id', {
  account_id: 'bigint',
  client_id: 'text',
  msg_id: 'bigint',
  parts: 'integer',
})
const INSERT_CODES = insertion('call_code', {
  msg_id: 'bigint',
  phone: 'text',
  account_id: 'bigint',
  code: 'text',
  at: 'bigint',
})
type ItemOf<Kind extends AcceptItem['kind']> = Extract<AcceptItem, { kind: Kind }>

export async function acceptMessages(
  session: Session,
  requests: readonly AcceptRequest[],
): Promise<readonly AcceptOutcome[]> {
  const known = await readKnown(session, requests)
  const intake = new Intake(session, known)
  const outcomes = requests.map((request) => execute(request, known, intake))
  intake.write()
  known.templates.write()
  known.meter.write()
  known.answered.write()
  return outcomes
}

function execute(request: AcceptRequest, known: Known, intake: Intake): AcceptOutcome {
  const earlier = known.answered.find(request)
  if (earlier !== null) return earlier
  const outcomes = request.items.map((item) => intake.take(request, item))
  known.answered.keep(request, outcomes)
  return { kind: 'executed', outcomes }
}

interface PhoneCall {
  readonly accountId: number
  readonly code: string
  readonly at: number
}

/** All that decides about a batch of requests besides the pots, as it is in the database and becomes request by request. */
interface Known {
  readonly answered: AnsweredRequests
  readonly uniqueIds: Map<string, { readonly messageId: number; readonly parts: number }>
  readonly templates: TemplateBook
  readonly meter: Meter
  readonly calls: Map<string, PhoneCall[]>
}

async function readKnown(session: Session, requests: readonly AcceptRequest[]): Promise<Known> {
  const uniques = new ByBucket<Cell[]>()
  const phones: string[] = []
  let callsSince = Number.MAX_SAFE_INTEGER
  for (const { accountId, items } of requests) {
    for (const item of items) {
      const unique = item.kind === 'message' ? uniqueKeyOf(item.message, item.uniqueId) : null
      if (unique !== null) uniques.add(bucketOf(accountId), [accountId, unique])
      if (item.kind !== 'call') continue
      phones.push(calledUnder(item.message))
      callsSince = Math.min(callsSince, item.codesSince, item.limit.since)
    }
  }
  const limits = requests.flatMap((request) => request.limits ?? [])
  // The order matters: what is read after the pots were locked is what the holder before has left.
  const [, , answered, uniqueRows, templates, meter, callRows] = await Promise.all([
    session.purse.lock(requests.map(({ accountId }) => accountId)),
    lockNames(session, [...phones.map((phone) => `calls ${phone}`), ...namesOfLimits(limits)]),
    AnsweredRequests.open(session, requests),
    Promise.all(uniques.entries().map(([bucket, rows]) => session.askFor(FIND_UNIQUE, bucket, rows))),
    TemplateBook.open(session, requests),
    Meter.open(session, limits),
    phones.length > 0 ? session.ask(FIND_CALLS, [...new Set(phones)], callsSince) : [],
  ])
  const calls = new Map<string, PhoneCall[]>(phones.map((phone) => [phone, []]))
  for (const [phone, accountId, code, at] of callRows) calls.get(phone)?.push({ accountId, code, at })
  return {
    answered,
    uniqueIds: new Map(
      uniqueRows
        .flat()
        .map(([accountId, clientId, messageId, parts]) => [`${accountId} ${clientId}`, { messageId, parts }]),
    ),
    templates,
    meter,
    calls,
  }
}

/** Takes items in, one after the other, and gathers what is to be written of them. */
class Intake {
  readonly #session: Session
  readonly #known: Known
  readonly #messages = new ByBucket<MessageRow>()
  readonly #due = new ByBucket<Cell[]>()
  readonly #links = new ByBucket<Cell[]>()
  readonly #uniqueIds = new ByBucket<Cell[]>()
  readonly #codes = new ByBucket<Cell[]>()

  constructor(session: Session, known: Known) {
    this.#session = session
    this.#known = known
  }

  take(request: AcceptRequest, item: AcceptItem): ItemOutcome {
    const { accountId } = request
    switch (item.kind) {
      case 'message':
        return this.#message(request, item)
      case 'call':
        return this.#call(request, item)
      case 'template':
      case 'template list':
      case 'template removal':
        return this.#known.templates.take(accountId, item)
      case 'balance':
        return { kind: 'balance', availableMicros: toMicros(this.#session.purse.available(accountId)) }
    }
  }

  write(): void {
    for (const [bucket, rows] of this.#messages.entries()) insertMessages(this.#session, bucket, rows)
    for (const [statement, rows] of [
      [INSERT_DUE, this.#due],
      [INSERT_LINKS, this.#links],
      [INSERT_UNIQUE, this.#uniqueIds],
      [INSERT_CODES, this.#codes],
    ] as const) {
      for (const [bucket, each] of rows.entries()) this.#session.insert(statement, bucket, each)
    }
  }

  #message(request: AcceptRequest, item: ItemOf<'message'>): ItemOutcome {
    const { message, links } = item
    const { accountId } = message
    const unique = uniqueKeyOf(message, item.uniqueId)
    const name = `${accountId} ${unique}`
    const earlier = unique === null ? undefined : this.#known.uniqueIds.get(name)
    if (earlier !== undefined) return { kind: 'repeated', ...earlier } as ItemOutcome
    const reached = this.#reached(request, item)
    if (reached !== null) return { kind: 'limited', ...reached }
    if (!this.#canPay(item)) return { kind: 'unpaid' }
    this.#store(request, item, message)
    const bucket = bucketOf(accountId)
    if (unique !== null) {
      const parts = partsOf(message.plan)
      this.#known.uniqueIds.set(name, { messageId: message.id, parts })
      this.#uniqueIds.add(bucket, [accountId, unique, message.id, parts])
    }
    for (const { code, url, expiresAt } of links)
      this.#links.add(bucket, [message.id, code, this.#session.vault.seal(url), expiresAt, 0, 0, 0])
    return { kind: 'accepted', messageId: message.id, call: null }
  }

  #call(request: AcceptRequest, item: ItemOf<'call'>): ItemOutcome {
    const { message, candidates, codesSince, limit } = item
    const { id, accountId } = message
    const phone = calledUnder(message)
    const made = this.#known.calls.get(phone) ?? []
    const mine = made.filter((each) => each.accountId === accountId && each.at > limit.since)
    if (mine.length >= limit.most) return { kind: 'too many calls' }
    const used = new Set(made.filter(({ at }) => at > codesSince).map(({ code }) => code))
    const call = candidates.find(({ code }) => !used.has(code))
    if (call === undefined) return { kind: 'no number free' }
    const reached = this.#reached(request, item)
    if (reached !== null) return { kind: 'limited', ...reached }
    if (!this.#canPay(item)) return { kind: 'unpaid' }
    this.#store(request, item, withCall(message, call))
    this.#codes.add(bucketOf(accountId), [id, phone, accountId, call.code, request.now])
    made.push({ accountId, code: call.code, at: request.now })
    return { kind: 'accepted', messageId: id, call }
  }

  #canPay({ message }: ItemOf<'message' | 'call'>): boolean {
    const { heldMicros } = message.journey
    // Whoever pays nothing needs no money, but must be there.
    const spendable = this.#session.purse.spendable(message.accountId)
    return heldMicros === 0 || spendable >= heldMicros
  }

  #reached(request: AcceptRequest, item: ItemOf<'message' | 'call'>) {
    return this.#known.meter.reached(limitsOf(request, item), item.message.journey.heldMicros)
  }

  #store(request: AcceptRequest, item: ItemOf<'message' | 'call'>, message: ItemOf<'message'>['message']): void {
    const { id, accountId, plan, journey } = message
    const bucket = bucketOf(accountId)
    const channel = plan[journey.step]?.channel ?? ''
    this.#messages.add(bucket, toMessageRow(message))
    const { tenant, dueAt } = item.waits ? waitingRow(message, request.now) : HELD_ROW
    this.#due.add(bucket, [id, item.waits ? 0 : this.#session.node, channel, tenant, dueAt])
    if (journey.heldMicros > 0) this.#session.purse.move('hold', accountId, id, journey.heldMicros, request.now)
    this.#known.meter.count(limitsOf(request, item), journey.heldMicros)
  }
}

/** Those of the request that the item counts for. */
function limitsOf({ limits = [] }: AcceptRequest, { counts = [] }: ItemOf<'message' | 'call'>): readonly UsageLimit[] {
  return counts.map((place) => {
    const limit = limits[place]
    if (limit === undefined) throw new RangeError('a message counts for a limit that the request does not have')
    return limit
  })
}

/** The only step of a call carries the chosen number. */
function withCall(message: ItemOf<'call'>['message'], content: CallContent): ItemOf<'call'>['message'] {
  return { ...message, plan: message.plan.map((step) => ({ ...step, content })) }
}
