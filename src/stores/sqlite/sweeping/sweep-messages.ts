/**
 * Walks the messages in id order, which is time order, and deletes data past its retention. A mark stores the progress
 * of each action and retention period, so that each message is visited once for each of them and no table is ever
 * searched. Open messages and those with a pending report are skipped and return to the sweeper later.
 */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { type MessageFacts, RetentionRules, SWEEP_ACTIONS, type SweepAction } from '../../rows/setup/retention-rules.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'
import { type DoAction, sweepActions } from './redact-messages.ts'

/** Small enough to delay traffic by only some milliseconds. */
const SLICE_MESSAGES = 100

export interface SweepRound {
  readonly now: number
  readonly keeping: InstallationRetention
  /** Whether this is the first slice: settings are read once per round. */
  readonly begins: boolean
}

/** Sweeps one slice; returns true if there may be more. */
export function sweepMessages(session: Session): (round: SweepRound) => boolean {
  const sweeper = new MessageSweeper(session)
  return (round) => sweeper.sweep(round)
}

class MessageSweeper {
  readonly #session: Session
  readonly #actions: Readonly<Record<SweepAction, DoAction>>
  readonly #isBusy: Statement
  readonly #next: Statement<MessageFacts>
  readonly #find: Statement<MessageFacts>
  readonly #marks: Statement<[msgId: number]>
  readonly #setMark: Statement
  readonly #left: Statement<[msgId: number]>
  readonly #dropLeft: Statement
  readonly #dropEventReports: Statement
  readonly #settings: Statement<[accountId: number, settings: string]>
  #rules = new RetentionRules([], { settledKeptDays: null, inboundKeptDays: null })

  constructor(session: Session) {
    const { database } = session
    this.#session = session
    this.#actions = sweepActions(session)
    this.#isBusy = new Statement(
      database,
      `SELECT 1 FROM due WHERE msg_id = ?1 UNION ALL
       SELECT 1 FROM report WHERE msg_id = ?1 AND state = 'pending' LIMIT 1`,
    )
    const columns = 'msg_id, account_id, created_at FROM message'
    this.#next = new Statement(database, `SELECT ${columns} WHERE msg_id > ? ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`)
    this.#find = new Statement(database, `SELECT ${columns} WHERE msg_id = ?`)
    this.#marks = new Statement(database, 'SELECT msg_id FROM sweep_mark WHERE action = ? AND days = ?')
    this.#setMark = new Statement(
      database,
      `INSERT INTO sweep_mark (action, days, msg_id, furthest) VALUES (?1, ?2, ?3, ?3)
       ON CONFLICT DO UPDATE SET msg_id = ?3, furthest = max(furthest, ?3)`,
    )
    this.#left = new Statement(database, `SELECT msg_id FROM sweep_skipped ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`)
    this.#dropLeft = new Statement(database, 'DELETE FROM sweep_skipped WHERE msg_id = ?')
    // Of account events, which have ids between those of messages. Inbound messages are deleted with their reports.
    this.#dropEventReports = new Statement(
      database,
      `DELETE FROM report WHERE msg_id > ? AND msg_id <= ? AND created_at <= ? AND state <> 'pending'
         AND NOT EXISTS (SELECT 1 FROM message WHERE message.msg_id = report.msg_id)
         AND NOT EXISTS (SELECT 1 FROM inbound_message
           WHERE inbound_message.account_id = report.account_id AND inbound_message.event_id = report.msg_id)`,
    )
    this.#settings = new Statement(database, 'SELECT account_id, settings FROM account')
  }

  sweep({ now, keeping, begins }: SweepRound): boolean {
    if (begins) this.#rules = new RetentionRules(this.#settings.all(), keeping)
    if (this.#sweepLeft(now)) return true
    return this.#rules.classes.some(([action, days]) => this.#sweepClass(action, days, now))
  }

  #sweepLeft(now: number): boolean {
    const left = this.#left.all()
    for (const [msgId] of left) {
      this.#dropLeft.run(msgId)
      const facts = this.#find.first(msgId)
      if (facts === undefined) this.#dropEventReports.run(msgId - 1, msgId, this.#rules.settledUntil(now))
      if (facts === undefined || this.#isBusy.first(msgId) !== undefined) continue
      for (const action of SWEEP_ACTIONS) if (this.#rules.isDue(action, facts, now)) this.#actions[action](msgId, now)
    }
    return left.length === SLICE_MESSAGES
  }

  #sweepClass(action: SweepAction, days: number, now: number): boolean {
    const mark = this.#marks.first(action, days)?.[0] ?? 0
    const slice = this.#next.all(mark)
    const young = slice.findIndex(([, , createdAt]) => createdAt > now - days * DAY_MS)
    const old = young === -1 ? slice : slice.slice(0, young)
    for (const facts of old) {
      const [msgId] = facts
      if (this.#rules.isDue(action, facts, now) && this.#isBusy.first(msgId) === undefined)
        this.#actions[action](msgId, now)
    }
    const last = old.at(-1)?.[0]
    if (last === undefined) return false
    if (action === 'settled') this.#dropEventReports.run(mark, last, now)
    this.#setMark.run(action, days, last)
    this.#session.swept.upTo = Math.max(this.#session.swept.upTo, last)
    return old.length === SLICE_MESSAGES
  }
}

/** Returns the furthest mark; messages up to it that end later are reported to the sweeper. */
export function readFurthestMark({ database }: Pick<Session, 'database'>): number {
  return new Statement<[msgId: number | null]>(database, 'SELECT max(furthest) FROM sweep_mark').first()?.[0] ?? 0
}

/** Reports messages to the sweeper that may have nothing open any more. */
export function leaveToSweep({ database, swept }: Session): (msgId: number) => void {
  const insert = new Statement(database, 'INSERT OR IGNORE INTO sweep_skipped (msg_id) VALUES (?)')
  return (msgId) => {
    if (msgId <= swept.upTo) insert.run(msgId)
  }
}
