/**
 * Deletes data of ended messages: their texts, what only served their delivery, or all of it. Postings stay. Each
 * action is idempotent. The caller ensures that the message is not open and has no report pending.
 */
import { TEST_MARK } from '../../rows/cells/apart-from-tests.ts'
import { withoutTexts } from '../../rows/erasure/without-texts.ts'
import type { SweepAction } from '../../rows/setup/retention-rules.ts'
import { dropContents } from '../requests/message-text.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export type DoAction = (msgId: number, now: number) => void

export function sweepActions(session: Session): Readonly<Record<SweepAction, DoAction>> {
  return { texts: dropTexts(session), settled: dropSettled(session), records: dropRecords(session) }
}

/**
 * Deletes contents, carriers' texts, bodies of reports and targets of links. If the message's row changes, its version
 * grows, so that a state in memory never overwrites it.
 */
function dropTexts(session: Session): DoAction {
  const { database } = session
  const dropText = dropContents(session)
  const find = new Statement<[plan: string, journey: string]>(
    database,
    'SELECT plan, journey FROM message WHERE msg_id = ?',
  )
  const update = new Statement(
    database,
    'UPDATE message SET plan = ?, journey = ?, version = version + 1 WHERE msg_id = ?',
  )
  const clearEvents = new Statement(database, `UPDATE event SET detail = '' WHERE msg_id = ? AND detail <> ''`)
  const clearReports = new Statement(
    database,
    `UPDATE report SET body = '', detail = '', try_log = NULL WHERE msg_id = ? AND body <> ''`,
  )
  const dropLinks = new Statement(database, 'DELETE FROM link WHERE msg_id = ? AND expires_at <= ?')
  const clearLinks = new Statement(
    database,
    `UPDATE link SET url = '', expires_at = min(expires_at, ?) WHERE msg_id = ? AND url <> ''`,
  )
  return (msgId, now) => {
    const row = find.first(msgId)
    if (row === undefined) return
    const bare = withoutTexts(row)
    dropText(msgId)
    if (bare !== null) update.run(...bare, msgId)
    clearEvents.run(msgId)
    clearReports.run(msgId)
    dropLinks.run(msgId, now)
    clearLinks.run(now, msgId)
  }
}

function dropSettled({ database }: Session): DoAction {
  const drops = [
    'DELETE FROM report WHERE msg_id = ?',
    'DELETE FROM part_ref WHERE (carrier_id, ref) IN (SELECT carrier_id, ref FROM part_ref WHERE msg_id = ?)',
  ].map((sql) => new Statement(database, sql))
  const dropLinks = new Statement(database, 'DELETE FROM link WHERE msg_id = ? AND expires_at <= ?')
  return (msgId, now) => {
    for (const drop of drops) drop.run(msgId)
    dropLinks.run(msgId, now)
  }
}

function dropRecords(session: Session): DoAction {
  const settled = dropSettled(session)
  const drops = [
    'DELETE FROM event WHERE msg_id = ?',
    'DELETE FROM message_text WHERE msg_id = ?',
    'DELETE FROM message WHERE msg_id = ?',
  ].map((sql) => new Statement(session.database, sql))
  const names = dropNames(session)
  return (msgId, now) => {
    settled(msgId, now)
    names(msgId)
    for (const drop of drops) drop.run(msgId)
  }
}

/** Deletes what finds the message or must not be assigned again: links, codes of calls, the client's id. */
export function dropNames({ database }: Session): (msgId: number) => void {
  const drops = [
    'DELETE FROM link WHERE msg_id = ?',
    'DELETE FROM call_code WHERE msg_id = ?',
    `DELETE FROM unique_id WHERE msg_id = ?1 AND account_id = (SELECT account_id FROM message WHERE msg_id = ?1)
     AND client_id IN (SELECT client_id FROM message WHERE msg_id = ?1
       UNION ALL SELECT '${TEST_MARK}' || client_id FROM message WHERE msg_id = ?1)`,
  ].map((sql) => new Statement(database, sql))
  return (msgId) => {
    for (const drop of drops) drop.run(msgId)
  }
}
