/** Turns are written in batches; what becomes of one does not depend on the callbacks of the others. */
import { afterEach, expect, test } from 'vitest'
import { TurnRecorder } from '../../src/delivery/turns/turn-recorder.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { settled } from '../support/eventually.ts'
import { receipt } from '../support/make-turn.ts'
import { SilentLog } from '../support/silent-log.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

test('a refused turn stays refused although the callback of another one throws', async () => {
  bench = await CarrierBench.start(['only'])
  const ids = await bench.send(2)
  const messages = await bench.store.loadMessages(ids)
  const turns = messages.map((message) => receipt(message, 'delivered', { carrierId: 'only', at: bench.clock.now() }))
  const recorded = turns.map((turn) => ({ turn, held: false, reportsHeld: false, clickedCode: null }))
  const [first, second] = recorded as [(typeof recorded)[0], (typeof recorded)[0]]
  const expired = receipt(second.turn.message, 'expired', { carrierId: 'only', at: bench.clock.now() })
  // Another node has written two turns of this message.
  await bench.store.record([second])
  await bench.store.record([{ ...second, turn: expired }])

  const { store, clock } = bench
  const recorder = new TurnRecorder({ store, clock, log: new SilentLog() }, () => {})
  recorder.record(first, () => {
    throw new Error('made for this test')
  })
  const isWritten = new Promise((done) => recorder.record(second, done))
  expect(await settled('both turns to be answered', isWritten, bench.clock)).toBe(false)
})
