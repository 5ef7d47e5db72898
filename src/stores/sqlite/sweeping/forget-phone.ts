/**
 * Erases a recipient: of ended messages to the phone only timeline and money remain, inbound messages are deleted,
 * opt-outs remain under a keyed hash. Works in slices, finding messages by the phone index. Deleted data is
 * overwritten, and the log of the database is emptied.
 */
import { formsOf, isFormOf, type Phone } from '../../../domain/numbers/phone.ts'
import type { Leftovers } from '../../../ports/records/forgetting.ts'
import { forgetTraces } from '../../commands/erasure/forget-traces.ts'
import type { ForgetSlice, ForgottenRest, InTheWay } from '../../rows/erasure/forget-slices.ts'
import { withoutRefs } from '../../rows/erasure/forgotten-journey.ts'
import type { Session } from '../session/session.ts'
import { idsOfForms } from '../statement/id-ranges.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { Statement } from '../statement/statement.ts'
import { dropNames, sweepActions } from './redact-messages.ts'

const SLICE_MESSAGES = 100
const SLICE_REPLIES = 5_000

export function findInTheWay({ database }: Session): (phone: Phone) => InTheWay | null {
  const ids = idsOfForms('?1')
  const count = new Statement<[openMessages: number, pendingReports: number, listed: number]>(
    database,
    `SELECT (SELECT count(*) FROM due WHERE msg_id IN ${ids}),
       (SELECT count(*) FROM report WHERE state = 'pending' AND msg_id IN ${ids}),
       (SELECT count(*) FROM listed_number WHERE digits IN (SELECT value FROM json_each(?1)) AND whole = 1)`,
  )
  const unreported = new Statement<[sender: string]>(
    database,
    `SELECT sender FROM report JOIN inbound_message ON event_id = msg_id WHERE state = 'pending'`,
  )
  return (phone) => {
    const [openMessages, ofMessages, listed] = count.first(JSON.stringify(formsOf(phone))) ?? [0, 0, 0]
    const pendingReports = ofMessages + unreported.all().filter(([sender]) => isFormOf(phone, sender)).length
    if (openMessages + pendingReports + listed === 0) return null
    return { kind: 'in the way', openMessages, pendingReports, listed }
  }
}

/** The version grows, so that a state in memory never overwrites it. */
export function forgetMessages(session: Session): (phone: Phone, after: number, now: number) => ForgetSlice {
  const { database } = session
  const actions = sweepActions(session)
  const find = new Statement<[msgId: number]>(
    database,
    `SELECT msg_id FROM message WHERE msg_id IN ${idsOfForms('?')} AND msg_id > ? AND msg_id NOT IN (SELECT msg_id FROM due)
       AND NOT EXISTS (SELECT 1 FROM report WHERE report.msg_id = message.msg_id AND state = 'pending')
     ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`,
  )
  const journeyOf = new Statement<[journey: string]>(database, 'SELECT journey FROM message WHERE msg_id = ?')
  const names = dropNames(session)
  const clear = new Statement(
    database,
    `UPDATE message SET phone = '', client_id = NULL, hook = NULL, version = version + 1, journey = ? WHERE msg_id = ?`,
  )
  return (phone, after, now) => {
    const found = find.all(JSON.stringify(formsOf(phone)), after)
    for (const [msgId] of found) {
      actions.texts(msgId, now)
      actions.settled(msgId, now)
      names(msgId)
      const [journey = ''] = journeyOf.first(msgId) ?? []
      clear.run(withoutRefs(journey), msgId)
    }
    return { done: found.length, next: found.length === SLICE_MESSAGES ? (found.at(-1)?.[0] ?? null) : null }
  }
}

/** Carriers write a number in many ways, so every inbound message is read. */
export function forgetReplies({ database }: Session): (phone: Phone, after: number) => ForgetSlice {
  const find = new Statement<[inboundId: number, sender: string]>(
    database,
    `SELECT inbound_id, sender FROM inbound_message WHERE inbound_id > ? ORDER BY inbound_id LIMIT ${SLICE_REPLIES}`,
  )
  const dropReport = new Statement(
    database,
    'DELETE FROM report WHERE msg_id = (SELECT event_id FROM inbound_message WHERE inbound_id = ?)',
  )
  const drop = new Statement(database, 'DELETE FROM inbound_message WHERE inbound_id = ?')
  return (phone, after) => {
    const seen = find.all(after)
    const found = seen.filter(([, sender]) => isFormOf(phone, sender))
    for (const [inboundId] of found) {
      dropReport.run(inboundId)
      drop.run(inboundId)
    }
    return { done: found.length, next: seen.length === SLICE_REPLIES ? (seen.at(-1)?.[0] ?? null) : null }
  }
}

/** Deletes what is always little, and keeps opt-outs under the hash of the phone. */
export function forgetRest({ database, hashPhone }: Session, run: RunCommand): (phone: Phone) => ForgottenRest {
  const keep = new Statement(database, 'UPDATE OR REPLACE opt_out SET phone = ? WHERE phone = ?')
  return (phone) => {
    run(forgetTraces(phone, hashPhone))
    const forms = formsOf(phone)
    const phoneHash = hashPhone(forms[0])
    return { phoneHash, optOuts: forms.reduce((sum, form) => sum + keep.change(phoneHash, form), 0) }
  }
}

/**
 * Checkpoints and truncates the log of the database, which contains old versions of changed pages. Moved rows leave
 * their bytes in free space until it is reused; if no gateway runs, the file is rewritten without them. Runs outside of
 * a transaction.
 */
export function overwriteLeftovers({ database, whileAlone }: Session): () => Leftovers {
  const emptyLog = new Statement<[busy: number]>(database, 'PRAGMA wal_checkpoint(TRUNCATE)')
  return () => {
    let isWrittenAnew = false
    whileAlone(() => {
      isWrittenAnew = writeAnew(database)
    })
    if (emptyLog.first()?.[0] !== 0) return 'log'
    return isWrittenAnew ? 'none' : 'room'
  }
}

/** Returns false, without any change, if the disk had no room for it. */
function writeAnew(database: Session['database']): boolean {
  // The new file is as large as the old one, which may exceed memory.
  database.exec('PRAGMA temp_store = FILE')
  try {
    database.exec('VACUUM')
    return true
  } catch {
    return false
  } finally {
    database.exec('PRAGMA temp_store = MEMORY')
  }
}
