/**
 * TURN: writes what `advance` has decided, each turn whole. A turn made from an older version than the stored one is
 * left out and named; a turn that is stored already is taken for written and not written twice.
 */
import type { Message } from '../../domain/message.ts'
import { bucketOfMessage, type MessageId } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { Overtaker } from '../../ports/receipt-address.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/store.ts'
import type { Cell } from '../rows/cell.ts'
import { bounded } from '../rows/kept-text.ts'
import { toChargeCells } from '../rows/posting-row.ts'
import { ByBucket } from './by-bucket.ts'
import { CallCounter } from './call-totals.ts'
import { INSERT_REPORTS } from './low-balance-reports.ts'
import { handOvertakers } from './overtakers.ts'
import type { Session } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'
import { leaveToSweep } from './sweep-messages.ts'

/** With the journeys of those that may have the turn already. */
const LOCK_MESSAGES = inBucket<[msgId: number, version: number, journey: string | null]>(
  `SELECT message.msg_id, message.version, CASE WHEN message.version >= new.version THEN message.journey END
   FROM message JOIN ${unnest({ msg_id: 'bigint', version: 'integer' }, 2)} USING (msg_id)
   WHERE message.bucket = $1 ORDER BY message.msg_id FOR NO KEY UPDATE OF message`,
)
const STORED_EVENTS = inBucket<
  [msgId: number, version: number, at: number, kind: string, step: number, carrierId: string | null, detail: string]
>(
  `SELECT msg_id, version, at, kind, step, carrier_id, detail FROM event
   WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) ORDER BY msg_id, version, number`,
)
/** Locked, lest one be settled elsewhere while another is lined up behind it here. */
const PENDING_REPORTS = inBucket<[msgId: number, number: number]>(
  `SELECT msg_id, number FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND state = 'pending'
   ORDER BY msg_id, number FOR SHARE`,
)
/** Locked, lest their node let go of them meanwhile. */
const HELD_ELSEWHERE = inBucket<[msgId: number]>(
  `SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($3::bigint[]) AND node NOT IN (0, $2)
   ORDER BY msg_id FOR UPDATE`,
)
const HELD_HERE = inBucket<[msgId: number]>(
  'SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($3::bigint[]) AND node = $2',
)
const UPDATE_MESSAGES = inBucket(
  `UPDATE message SET version = new.version, status = new.status, journey = new.journey
   FROM ${unnest({ msg_id: 'bigint', version: 'integer', status: 'text', journey: 'text' }, 2)}
   WHERE message.bucket = $1 AND message.msg_id = new.msg_id`,
)
const END_DUE = inBucket('DELETE FROM due WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])')
/** Held by a node, or waiting for their time with node 0. What stays as it was is not written. */
const CHANGE_DUE = inBucket(
  `UPDATE due SET node = new.node, channel = new.channel, tenant = 0, due_at = new.due_at
   FROM ${unnest({ msg_id: 'bigint', node: 'integer', channel: 'text', due_at: 'bigint' }, 2)}
   WHERE due.bucket = $1 AND due.msg_id = new.msg_id AND (new.node = 0 OR due.node <> new.node OR due.channel <> new.channel)`,
)
const INSERT_EVENTS = insertion('event', {
  msg_id: 'bigint',
  version: 'integer',
  number: 'integer',
  at: 'bigint',
  kind: 'text',
  step: 'integer',
  carrier_id: 'text',
  detail: 'text',
})
const INSERT_REFS = insertion('part_ref', {
  msg_id: 'bigint',
  step: 'integer',
  part: 'integer',
  carrier_id: 'text',
  ref: 'text',
})
const TELL_LINKS = inBucket(
  `UPDATE link SET told = 1 FROM ${unnest({ msg_id: 'bigint', code: 'text' }, 2)}
   WHERE link.bucket = $1 AND link.msg_id = new.msg_id AND link.code = new.code`,
)

const NO_EVENTS = '[]'

interface Outcome extends RecordOutcome {
  readonly stale: MessageId[]
  readonly elsewhere: MessageId[]
  readonly overtakers: Overtaker[]
  readonly queuedReports: { readonly messageId: MessageId; readonly number: number }[]
}

export async function recordSteps(
  session: Session,
  calls: readonly (readonly RecordedTurn[])[],
): Promise<readonly RecordOutcome[]> {
  const turns = calls.flat()
  const stored = await readStored(session, turns)
  const book = new TurnBook(session, stored)
  const outcomes = calls.map((each) => {
    const outcome: Outcome = { stale: [], elsewhere: [], overtakers: [], queuedReports: [] }
    const kept = each.filter((recorded) => book.record(recorded, outcome))
    handOvertakers(session, kept, outcome.overtakers)
    return outcome
  })
  book.write()
  return outcomes
}

/** What tells a turn from another one of the same version. */
interface Known {
  version: number
  journey: string | null
  /** By version; read only of messages that may have a turn already. */
  readonly events: Map<number, string>
}

interface Stored {
  readonly messages: Map<MessageId, Known>
  readonly pending: Map<MessageId, number[]>
  readonly elsewhere: ReadonlySet<MessageId>
  /** Of the messages that have gone on since the last of the turns, those that this node has in hand all the same. */
  readonly here: ReadonlySet<MessageId>
}

async function readStored(session: Session, turns: readonly RecordedTurn[]): Promise<Stored> {
  const firsts = new Map<MessageId, number>()
  const reporting = new ByBucket<MessageId>()
  const paying = new Set<number>()
  const doubtful = new ByBucket<MessageId>()
  for (const { turn, fromAfar } of turns) {
    const { id, accountId, journey } = turn.message
    if (fromAfar === true) doubtful.add(bucketOfMessage(id), id)
    if (!firsts.has(id)) firsts.set(id, journey.version)
    if (turn.reports.some(({ number }) => number > 0)) reporting.add(bucketOfMessage(id), id)
    if (turn.postings.length > 0) paying.add(accountId)
  }
  const asked = new ByBucket<Cell[]>()
  for (const [id, version] of firsts) asked.add(bucketOfMessage(id), [id, version])
  const { node } = session
  const [, messages, pendingReports, elsewhere] = await Promise.all([
    session.ledger.lock(paying),
    Promise.all(asked.entries().map(([bucket, rows]) => session.askFor(LOCK_MESSAGES, bucket, rows))),
    Promise.all(reporting.entries().map(([bucket, ids]) => session.ask(PENDING_REPORTS, bucket, ids))),
    Promise.all(doubtful.entries().map(([bucket, ids]) => session.ask(HELD_ELSEWHERE, bucket, node, ids))),
  ])
  const known = messages.flat().map(([id, version, journey]): [MessageId, Known] => {
    return [id as MessageId, { version, journey, events: new Map() }]
  })
  const messagesById = new Map(known)
  const stored = {
    messages: messagesById,
    pending: new Map<MessageId, number[]>(),
    elsewhere: new Set(elsewhere.flat().map(([id]) => id as MessageId)),
    here: await readEarlierTry(session, firsts, messagesById),
  }
  for (const [id, number] of pendingReports.flat()) {
    stored.pending.set(id as MessageId, [...(stored.pending.get(id as MessageId) ?? []), number])
  }
  return stored
}

/** Of the few that look as if they were recorded before: the events of all their turns. Answers with those held here. */
async function readEarlierTry(
  session: Session,
  firsts: ReadonlyMap<MessageId, number>,
  messages: ReadonlyMap<MessageId, Known>,
): Promise<ReadonlySet<MessageId>> {
  const doubtful = new ByBucket<MessageId>()
  for (const [id, first] of firsts) {
    if ((messages.get(id)?.version ?? -1) >= first) doubtful.add(bucketOfMessage(id), id)
  }
  const [read, here] = await Promise.all([
    Promise.all(doubtful.entries().map(([bucket, ids]) => session.ask(STORED_EVENTS, bucket, ids))),
    Promise.all(doubtful.entries().map(([bucket, ids]) => session.ask(HELD_HERE, bucket, session.node, ids))),
  ])
  for (const [id, rows] of Map.groupBy(read.flat(), ([msgId]) => msgId)) {
    for (const [version, events] of Map.groupBy(rows, (row) => row[1])) {
      messages.get(id as MessageId)?.events.set(version, JSON.stringify(events.map((row) => row.slice(2))))
    }
  }
  return new Set(here.flat().map(([id]) => id as MessageId))
}

/** Decides turn by turn, in memory, and gathers what is to be written. */
class TurnBook {
  readonly #session: Session
  readonly #stored: Stored
  readonly #messages = new Map<MessageId, Cell[]>()
  /** Null once ended. */
  readonly #due = new Map<MessageId, Cell[] | null>()
  readonly #events = new ByBucket<Cell[]>()
  readonly #reports = new ByBucket<Cell[]>()
  readonly #refs = new ByBucket<Cell[]>()
  readonly #told = new ByBucket<Cell[]>()
  readonly #calls = new CallCounter()

  constructor(session: Session, stored: Stored) {
    this.#session = session
    this.#stored = stored
  }

  /** False when the turn is stale. */
  record(recorded: RecordedTurn, outcome: Outcome): boolean {
    const { message, timeline, reports } = recorded.turn
    const { id, journey } = message
    // What was made from a stale turn is stale, whatever number the stored version has reached by other turns.
    if (outcome.stale.includes(id)) {
      outcome.stale.push(id)
      return false
    }
    if (recorded.fromAfar === true && this.#stored.elsewhere.has(id)) outcome.elsewhere.push(id)
    const known = this.#stored.messages.get(id)
    const events = timeline.map(({ at, kind, step, carrierId, detail }) => [at, kind, step, carrierId, bounded(detail)])
    const told = { version: journey.version, journey: JSON.stringify(journey), events: JSON.stringify(events) }
    if (known?.version === journey.version - 1) {
      this.#keep(recorded, told.journey, events)
      Object.assign(known, { version: told.version, journey: told.journey }).events.set(told.version, told.events)
    } else if (!isSame(known, told)) {
      outcome.stale.push(id)
      return false
    } else if (recorded.held && this.#isLetGo(id, told.version)) {
      outcome.elsewhere.push(id)
    }
    for (const { number } of reports) {
      if (this.#isQueued(id, number)) outcome.queuedReports.push({ messageId: id, number })
    }
    return true
  }

  write(): void {
    const [messages, ended, changed] = [new ByBucket<Cell[]>(), new ByBucket<number>(), new ByBucket<Cell[]>()]
    for (const [id, row] of this.#messages) messages.add(bucketOfMessage(id), row)
    for (const [id, row] of this.#due) {
      if (row === null) ended.add(bucketOfMessage(id), id)
      else changed.add(bucketOfMessage(id), row)
    }
    const session = this.#session
    for (const [bucket, rows] of messages.entries()) session.update(UPDATE_MESSAGES, bucket, rows)
    for (const [bucket, ids] of ended.entries()) session.write(END_DUE, bucket, ids)
    leaveToSweep(
      session,
      ended.entries().flatMap(([, ids]) => ids),
    )
    for (const [bucket, rows] of changed.entries()) session.update(CHANGE_DUE, bucket, rows)
    for (const [bucket, rows] of this.#events.entries()) session.insert(INSERT_EVENTS, bucket, rows)
    for (const [bucket, rows] of this.#reports.entries()) session.insert(INSERT_REPORTS, bucket, rows)
    for (const [bucket, rows] of this.#refs.entries()) session.insert(INSERT_REFS, bucket, rows)
    for (const [bucket, rows] of this.#told.entries()) session.update(TELL_LINKS, bucket, rows)
    this.#calls.write(session)
  }

  #keep(recorded: RecordedTurn, journey: string, events: readonly Cell[][]): void {
    const { turn, clickedCode } = recorded
    const { message, postings, reports, refs, timeline } = turn
    const { id, accountId } = message
    const bucket = bucketOfMessage(id)
    const at = timeline[0]?.at ?? message.createdAt
    const { version, status } = message.journey
    this.#messages.set(id, [id, version, status, journey])
    const row = this.#dueRow(recorded, message)
    // What another node has in hand it goes on with, until it learns that its turn is stale.
    if (row === null || !this.#stored.elsewhere.has(id)) this.#due.set(id, row)
    const { ledger } = this.#session
    for (const { kind, amountMicros, charge } of postings) {
      if (kind === 'charge') ledger.charge(accountId, id, amountMicros, at, toChargeCells(charge))
      else if (kind === 'release') ledger.move(kind, accountId, id, amountMicros, at)
    }
    for (const [number, event] of events.entries()) this.#events.add(bucket, [id, version, number, ...event])
    for (const { number, address, body } of reports) {
      const queued = this.#isQueued(id, number)
      const node = recorded.reportsHeld && !queued ? this.#session.node : 0
      // Where a link leads is a text; all else that reports hold stands in the row of the message too.
      const kept = clickedCode === null ? body : this.#session.vault.seal(body)
      const isParked = recorded.reportsParked === true && !queued
      const waits = [node, queued ? null : isParked ? at + REPORT_LIFETIME_MS : at, Number(isParked)]
      this.#reports.add(bucket, [id, number, accountId, address, kept, at, 'pending', ...waits, 0, ''])
      this.#stored.pending.set(id, [...(this.#stored.pending.get(id) ?? []), number])
    }
    for (const { carrierId, ref, step, part } of refs) this.#refs.add(bucket, [id, step, part, carrierId, ref])
    this.#calls.count(turn)
    if (clickedCode !== null) this.#told.add(bucket, [id, clickedCode])
  }

  #dueRow({ held }: RecordedTurn, { id, plan, journey }: Message): Cell[] | null {
    if (journey.dueAt === null) return null
    return [id, held ? this.#session.node : 0, plan[journey.step]?.channel ?? '', journey.dueAt]
  }

  /** What was recorded by an earlier try has gone on since, and is not in this node's hand any more. */
  #isLetGo(id: MessageId, version: number): boolean {
    return (this.#stored.messages.get(id)?.version ?? 0) > version && !this.#stored.here.has(id)
  }

  #isQueued(id: MessageId, number: number): boolean {
    return this.#stored.pending.get(id)?.some((pending) => pending < number) === true
  }
}

/**
 * The same journey alone proves nothing: two clicks, or two receipts that come late, leave the same one. A message that has
 * gone on since, by a later turn of the same call or by another node, shows of a turn its events alone.
 */
function isSame(known: Known | undefined, told: { version: number; journey: string; events: string }): boolean {
  if (known === undefined || known.version < told.version) return false
  const events = known.events.get(told.version) ?? NO_EVENTS
  if (known.version > told.version) return events !== NO_EVENTS && events === told.events
  return events === told.events && known.journey === told.journey
}
