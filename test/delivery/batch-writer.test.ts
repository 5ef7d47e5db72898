/** A batch that the store does not take is not tried again as it was. */
import { expect, test } from 'vitest'
import { BatchWriter } from '../../src/delivery/queues/batch-writer.ts'
import { settled, turnLoop } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** Takes at most so many items together, after so many failures. */
function begin({ takes, failures = 0 }: { readonly takes: number; readonly failures?: number }) {
  const clock = new VirtualClock()
  const [sizes, written]: [number[], number[]] = [[], []]
  let left = failures
  const writer = new BatchWriter<number>({ clock, log: new SilentLog() }, 'items', 8, async (batch) => {
    sizes.push(batch.length)
    left -= 1
    if (batch.length > takes || left >= 0) throw new Error('the database does not answer')
    written.push(...batch)
  })
  const writeAll = async () => {
    while (!writer.idle) {
      await turnLoop(5)
      clock.advance(5_000)
    }
  }
  return { clock, writer, sizes, written, writeAll }
}

const ITEMS = Array.from({ length: 20 }, (_, index) => index)

test('a batch that is too large is written in smaller ones, each item once and in order', async () => {
  const { writer, sizes, written, writeAll } = begin({ takes: 3 })
  for (const item of ITEMS) writer.add(item)
  await writeAll()
  expect(written).toEqual(ITEMS)
  expect(sizes.slice(0, 4)).toEqual([8, 4, 2, 4])
  expect(writer.size).toBe(0)
})

test('after a temporary failure, batches soon have their former size again', async () => {
  const { writer, sizes, written, writeAll } = begin({ takes: 8, failures: 2 })
  for (const item of ITEMS) writer.add(item)
  await writeAll()
  expect(written).toEqual(ITEMS)
  expect(sizes).toEqual([8, 4, 2, 4, 8, 6])
})

test('items of a failed batch count as unwritten while they wait, and are given up when the gateway stops', async () => {
  const { clock, writer, written } = begin({ takes: 0 })
  for (const item of ITEMS) writer.add(item)
  await turnLoop(5)
  expect(writer.size).toBe(ITEMS.length)
  await settled('the writer to close', writer.close(), clock)
  expect([writer.size, written]).toEqual([0, []])
})
