/** What SQLite does in its own way when it sweeps messages. */
import type { InstallationRetention } from '../../../domain/accounts/retention.ts'
import { DROP_TEXTS } from '../../commands/erasure/redact-messages.ts'
import { own } from '../../commands/statement/command.ts'
import { sql } from '../../commands/statement/sql.ts'
import {
  readRules,
  type SweepRules,
  type SweepTools,
  sweepMessages as sweepCommand,
} from '../../commands/sweeping/sweep-messages.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Contents are in message_text or in the row of the message. */
export const DROP_CONTENTS = [
  DROP_TEXTS,
  sql('UPDATE message SET contents = NULL WHERE msg_id {any bigint} AND contents IS NOT NULL'),
]
/** Account events have ids between those of messages. Inbound messages are deleted with their reports. */
const EVENT_REPORTS = sql(
  `DELETE FROM report WHERE msg_id > ? AND msg_id <= ? AND created_at <= ? AND state <> 'pending'
     AND NOT EXISTS (SELECT 1 FROM message WHERE message.msg_id = report.msg_id)
     AND NOT EXISTS (SELECT 1 FROM inbound_message
       WHERE inbound_message.account_id = report.account_id AND inbound_message.event_id = report.msg_id)`,
)

export interface SweepRound {
  readonly now: number
  readonly keeping: InstallationRetention
  /** Whether this is the first slice: settings are read once per round. */
  readonly begins: boolean
}

/** Sweeps one slice; returns true if there may be more. */
export function sweepMessages({ swept }: Session, run: RunCommand): (round: SweepRound) => boolean {
  let known: SweepRules | null = null
  const tools: SweepTools = {
    classes: 1,
    contents: DROP_CONTENTS,
    raise: (last) =>
      own(() => {
        swept.upTo = Math.max(swept.upTo, last)
      }),
    isLeft: () => () => false,
    eventReports: EVENT_REPORTS,
  }
  return ({ now, keeping, begins }) => {
    if (begins || known === null) known = run(readRules(keeping))
    const outcome = run(sweepCommand({ bucket: 0, now, ...known }, tools))
    if (outcome === 'overtaken') known = null
    return outcome !== 'done'
  }
}

/** Returns the furthest mark; messages up to it that end later are reported to the sweeper. */
export function readFurthestMark({ database }: Pick<Session, 'database'>): number {
  return new SqlStatement<[msgId: number | null]>(database, 'SELECT max(furthest) FROM sweep_mark').first()?.[0] ?? 0
}

/** Reports messages to the sweeper that may have nothing open any more. */
export function leaveToSweep({ database, swept }: Session): (msgId: number) => void {
  const insert = new SqlStatement(database, 'INSERT OR IGNORE INTO sweep_skipped (msg_id) VALUES (?)')
  return (msgId) => {
    if (msgId <= swept.upTo) insert.run(msgId)
  }
}
