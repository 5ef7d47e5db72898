/** Checks whether other nodes still work on the database, for a process that needs it exclusively. */
import type { Clock } from '../../../ports/system/clock.ts'
import type { Connection } from '../connection/connection.ts'
import { BEAT_EVERY_MS, free, LOOK, QUIET_LOOKS } from './node-lease.ts'

/**
 * Takes over from dead nodes, as others would, and waits until that is certain. Returns false as soon as one sends a
 * heartbeat.
 */
export async function areAllGone(connection: Connection, clock: Clock): Promise<boolean> {
  const first = await connection.query(LOOK)
  for (let looks = 0; looks < QUIET_LOOKS; looks += 1) {
    if ((await connection.query(LOOK)).length === 0) return true
    await new Promise<void>((resolve) => clock.after(BEAT_EVERY_MS, resolve))
    const now = await connection.query(LOOK)
    if (now.some(([node, beat]) => first.find(([each]) => each === node)?.[1] !== beat)) return false
  }
  for (const [node] of first) await free(connection, node)
  return true
}
