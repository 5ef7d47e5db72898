/** Connection slots that cannot be asked for are one line in the log for each outage, however long it takes. */
import { expect, test } from 'vitest'
import { sharedLimits } from '../../src/carriers/shared-limits.ts'
import { ConnectionSlots } from '../../src/delivery/carriers/connection-slots.ts'
import type { Cluster } from '../../src/ports/records/cluster.ts'
import { turnLoop } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('a database that is away is logged once, and once more after it was back', async () => {
  const [clock, log] = [new VirtualClock(), new SilentLog()]
  let isAway = true
  const takeSlots: Cluster['takeSlots'] = async (requests) => {
    if (isAway) throw new Error('connection refused')
    return requests.map(() => [0])
  }
  const settings = { host: '127.0.0.1', port: 2775, systemId: 'posthorn', password: 'secret77', binds: 1 }
  const carrier = { id: 'acme', kind: 'smpp', channel: 'sms', settings, draining: false } as const
  const slots = new ConnectionSlots({
    cluster: { takeSlots } as unknown as Cluster,
    limits: sharedLimits,
    clock,
    log,
    installed: () => [carrier],
    inUse: () => [],
    onChange: () => {},
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000)
      await turnLoop(5)
    }
  }
  slots.start()
  await pass(30)
  expect(log.lines).toHaveLength(1)
  isAway = false
  await pass(2)
  isAway = true
  await pass(30)
  expect(log.lines).toHaveLength(2)
  await slots.stop()
})
