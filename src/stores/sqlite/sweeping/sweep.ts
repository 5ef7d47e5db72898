/** Deletes expired rows and closes past months, a slice at a time, so that transactions stay small. */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { trafficSlot } from '../../../domain/guards/traffic.ts'
import { callDay } from '../../../domain/statistics/call-statistics.ts'
import { DAYS_KEPT_DAYS } from '../../../domain/statistics/message-statistics.ts'
import { INBOUND_KEYS_LINGER_MS } from '../../../ports/carriers/carrier.ts'
import { MAX_USERS } from '../../../ports/carriers/user-store.ts'
import { PARKED_FOR_MS } from '../../../ports/stores/delivery-store.ts'
import { CALLS_KEPT_MS } from '../../../ports/stores/intake-store.ts'
import { CALLS_COUNTED_DAYS } from '../../../ports/stores/query-store.ts'
import { sweepBulks } from '../../commands/bulk/sweep-bulks.ts'
import { LINK_TOTAL_KEY } from '../../rows/statistics/link-total.ts'
import { sweepInboundParts } from '../inbound/record-inbound.ts'
import { closeMonths } from '../money/close-months.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { Statement } from '../statement/statement.ts'
import { sweepTotals } from '../statistics/message-totals.ts'
import { type SweepRound, sweepMessages } from './sweep-messages.ts'

const SLICE_ROWS = 1_000
/** An older pattern carries no information. */
const TRAFFIC_KEPT_MS = 30 * 86_400_000

/** Runs one slice; returns true if there may be more. */
export function sweep(session: Session, run: RunCommand): (round: SweepRound) => boolean {
  const { database } = session
  /** Deletes rows of the table, by primary key, whose time has passed; the time is indexed. */
  const overdue = (table: string, key: string, time: string) =>
    new Statement(
      database,
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${time} <= ? LIMIT ${SLICE_ROWS})`,
    )
  const keys = overdue('idempotency', 'account_id, key', 'keep_until')
  const requests = overdue('admin_request', 'actor, key', 'keep_until')
  const receipts = overdue('early_receipt', 'early_receipt_id', 'at')
  const codes = overdue('call_code', 'msg_id', 'at')
  const inboundKeys = overdue('inbound_key', 'carrier_id, key', 'keep_until')
  // Expired tokens are rejected anyway, so the directory need not be reloaded.
  const tokens = overdue('admin_token', 'hash', 'expires_at')
  const oneTimeTokens = overdue('one_time_token', 'hash', 'expires_at')
  const usage = overdue('usage', 'account_id, key, slot', 'keep_until')
  const calls = overdue('call_total', 'account_id, day, carrier_id, operator, outcome', 'day')
  const links = overdue('link_total', LINK_TOTAL_KEY, 'day')
  const users = overdue('carrier_user', 'carrier_id, user_id', 'keep_until')
  const furtherUsers = new Statement(
    database,
    `DELETE FROM carrier_user WHERE (carrier_id, user_id) IN (SELECT carrier_id, user_id FROM carrier_user
       ORDER BY keep_until DESC LIMIT ${SLICE_ROWS} OFFSET ${MAX_USERS})`,
  )
  const close = closeMonths(session, run)
  const parts = sweepInboundParts(session)
  const traffic = overdue('traffic', 'account_id, kind, prefix', 'slot')
  const inbound = sweepInbound(session)
  const messages = sweepMessages(session)
  const totals = sweepTotals(session)
  return (round) => {
    const { now, keeping } = round
    const deleted = [
      inbound(now, keeping),
      tokens.change(now),
      oneTimeTokens.change(now),
      inboundKeys.change(now - INBOUND_KEYS_LINGER_MS),
      requests.change(now),
      keys.change(now),
      receipts.change(now - PARKED_FOR_MS),
      codes.change(now - CALLS_KEPT_MS),
      users.change(now),
      furtherUsers.change(),
      usage.change(now),
      calls.change(callDay(now) - CALLS_COUNTED_DAYS),
      links.change(callDay(now) - DAYS_KEPT_DAYS),
      traffic.change(trafficSlot(now - TRAFFIC_KEPT_MS)),
    ]
    const isMore = [
      parts(now),
      close(now),
      messages(round),
      run(sweepBulks(0, now)),
      totals(now),
      deleted.includes(SLICE_ROWS),
    ]
    return isMore.includes(true)
  }
}

/**
 * Deletes their reports too. Ids grow with time, so the oldest come first without a search. Returns the number of
 * deleted messages.
 */
function sweepInbound({ database }: Session): (now: number, keeping: InstallationRetention) => number {
  const oldest = new Statement<[inboundId: number, at: number]>(
    database,
    `SELECT inbound_id, at FROM inbound_message ORDER BY inbound_id LIMIT ${SLICE_ROWS}`,
  )
  const dropReports = new Statement(
    database,
    'DELETE FROM report WHERE msg_id IN (SELECT event_id FROM inbound_message WHERE inbound_id <= ?)',
  )
  const drop = new Statement(database, 'DELETE FROM inbound_message WHERE inbound_id <= ?')
  return (now, { inboundKeptDays }) => {
    if (inboundKeptDays === null) return 0
    const rows = oldest.all()
    const young = rows.findIndex(([, at]) => at > now - inboundKeptDays * DAY_MS)
    const last = rows.at(young === -1 ? -1 : young - 1)
    if (last === undefined || young === 0) return 0
    dropReports.run(last[0])
    return drop.change(last[0])
  }
}
