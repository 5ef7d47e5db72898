/**
 * Ends what is past its keeping and closes months that are over, a slice at a time, so that no transaction grows with what
 * has piled up.
 */
import { trafficSlot } from '../../domain/traffic.ts'
import { CALLS_KEPT_MS, PARKED_FOR_MS } from '../../ports/store.ts'
import { closeMonths } from './close-months.ts'
import { sweepInboundParts } from './record-inbound.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

const SLICE_ROWS = 1_000
/** Of a pattern that is so old nothing is left. */
const TRAFFIC_KEPT_MS = 30 * 86_400_000

/** Does one slice; true when there may be more. */
export function sweep(session: Session): (now: number) => boolean {
  const { database } = session
  const close = closeMonths(session)
  const keys = new Statement(
    database,
    `DELETE FROM idempotency WHERE (account_id, key) IN
     (SELECT account_id, key FROM idempotency WHERE keep_until <= ? LIMIT ${SLICE_ROWS})`,
  )
  const receipts = new Statement(
    database,
    `DELETE FROM parked_receipt WHERE parked_id IN
     (SELECT parked_id FROM parked_receipt WHERE at <= ? LIMIT ${SLICE_ROWS})`,
  )
  const codes = new Statement(
    database,
    `DELETE FROM call_code WHERE msg_id IN (SELECT msg_id FROM call_code WHERE at <= ? LIMIT ${SLICE_ROWS})`,
  )
  const requests = new Statement(
    database,
    `DELETE FROM admin_request WHERE (actor, key) IN
     (SELECT actor, key FROM admin_request WHERE keep_until <= ? LIMIT ${SLICE_ROWS})`,
  )
  // Expired ones open nothing whether they are there or not, so no directory needs to be read again.
  const tokens = new Statement(
    database,
    `DELETE FROM admin_token WHERE hash IN (SELECT hash FROM admin_token WHERE expires_at <= ? LIMIT ${SLICE_ROWS})`,
  )
  const inbound = new Statement(
    database,
    `DELETE FROM inbound_key WHERE (carrier_id, key) IN
     (SELECT carrier_id, key FROM inbound_key WHERE keep_until <= ? LIMIT ${SLICE_ROWS})`,
  )
  const parts = sweepInboundParts(session)
  const usage = new Statement(
    database,
    `DELETE FROM usage WHERE (account_id, key, slot) IN
     (SELECT account_id, key, slot FROM usage WHERE keep_until <= ? LIMIT ${SLICE_ROWS})`,
  )
  const traffic = new Statement(
    database,
    `DELETE FROM traffic WHERE (account_id, kind, prefix) IN
     (SELECT account_id, kind, prefix FROM traffic WHERE slot <= ? LIMIT ${SLICE_ROWS})`,
  )
  return (now) => {
    const deleted = [
      tokens.run(now),
      inbound.run(now),
      requests.run(now),
      keys.run(now),
      receipts.run(now - PARKED_FOR_MS),
      codes.run(now - CALLS_KEPT_MS),
      usage.run(now),
      traffic.run(trafficSlot(now - TRAFFIC_KEPT_MS)),
    ]
    const more = [parts(now), close(now)]
    return more.includes(true) || deleted.includes(SLICE_ROWS)
  }
}
