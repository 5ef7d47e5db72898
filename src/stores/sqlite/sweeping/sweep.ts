/** Deletes expired rows and closes past months, a slice at a time, so that transactions stay small. */
import { sweepBulks } from '../../commands/bulk/sweep-bulks.ts'
import { sweepBuckets, sweepInstallation } from '../../commands/sweeping/sweep-rows.ts'
import { sweepInboundParts } from '../inbound/record-inbound.ts'
import { closeMonths } from '../money/close-months.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { sweepTotals } from '../statistics/message-totals.ts'
import { type SweepRound, sweepMessages } from './sweep-messages.ts'

/** A file is one bucket. */
const BUCKET = 0

/** Runs one slice; returns true if there may be more. */
export function sweep(session: Session, run: RunCommand): (round: SweepRound) => boolean {
  const close = closeMonths(session, run)
  const parts = sweepInboundParts(session)
  const messages = sweepMessages(session, run)
  const totals = sweepTotals(session)
  return (round) => {
    const { now, keeping } = round
    const isMore = [
      run(sweepInstallation(now)),
      run(sweepBuckets([BUCKET], now, keeping)),
      parts(now),
      close(now),
      messages(round),
      run(sweepBulks(BUCKET, now)),
      totals(now),
    ]
    return isMore.includes(true)
  }
}
