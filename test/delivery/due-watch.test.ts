/** Looking after what is due while the machine's clock is set. */
import { expect, test } from 'vitest'
import { DueWatch } from '../../src/delivery/queues/due-watch.ts'
import { turnLoop } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const AN_HOUR_MS = 3_600_000

test('what was expected by a clock that was an hour slow is claimed a minute after the clock is right at most', async () => {
  const clock = new VirtualClock()
  let claims = 0
  const watch = new DueWatch({ clock, log: new SilentLog() }, 'messages that are due', async () => {
    claims += 1
    return { more: false, nextDueAt: null }
  })
  const dueAt = clock.now() + 200_000
  clock.setBack(AN_HOUR_MS)
  watch.expect(dueAt)
  clock.advance(5_000)
  clock.setBack(-AN_HOUR_MS)
  clock.advance(190_000)
  await turnLoop(1)
  expect(claims).toBe(0)
  clock.advance(60_000)
  await turnLoop(1)
  expect(claims).toBe(1)
})

test('a message that is due in an hour costs one claim, at its time', async () => {
  const clock = new VirtualClock()
  const claimedAt: number[] = []
  const watch = new DueWatch({ clock, log: new SilentLog() }, 'messages that are due', async () => {
    claimedAt.push(clock.now())
    return { more: false, nextDueAt: null }
  })
  const dueAt = clock.now() + AN_HOUR_MS
  watch.expect(dueAt)
  clock.advance(AN_HOUR_MS)
  await turnLoop(1)
  expect(claimedAt).toEqual([dueAt])
})
