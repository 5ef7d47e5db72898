/** What happens again and again fills no disk: the log writes it a few times, counts the rest, and says how many. */
import { expect, test } from 'vitest'
import { RepeatLimitedLog } from '../../src/app/log/limit-repeats.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

function build() {
  const kept = new SilentLog()
  const clock = new VirtualClock()
  return { kept, clock, log: new RepeatLimitedLog(kept, clock) }
}

test('ten thousand refusals in a minute are ten lines and their number', () => {
  const { kept, clock, log } = build()
  for (let count = 0; count < 10_000; count += 1) log.warn({ reason: `${count}` }, 'refused')
  expect(kept.lines).toHaveLength(10)
  clock.advance(60_000)
  expect(kept.lines).toHaveLength(11)
  expect(kept.lines.at(-1)).toEqual({ level: 'warn', fields: { repeated: 9_990 }, line: 'refused' })
  log.warn({}, 'refused')
  expect(kept.lines).toHaveLength(12)
})

test('distinguishes carriers, levels and texts, and writes rare lines unchanged', () => {
  const { kept, clock, log } = build()
  for (let count = 0; count < 20; count += 1) {
    log.warn({ carrier: 'a', head: `${count}` }, 'unreadable')
    if (count < 5) log.warn({ carrier: 'b', head: `${count}` }, 'unreadable')
    if (count < 5) log.error({ carrier: 'a' }, 'unreadable')
  }
  expect(kept.lines).toHaveLength(20)
  clock.advance(60_000)
  expect(kept.lines.slice(20)).toEqual([{ level: 'warn', fields: { carrier: 'a', repeated: 10 }, line: 'unreadable' }])
  expect(clock.nextAt()).toBeNull()
})

test('lines without end take no memory without end', () => {
  const { kept, log } = build()
  for (let count = 0; count < 5_000; count += 1) log.info({}, `line ${count}`)
  expect(kept.lines).toHaveLength(1_010)
  log.flush()
  expect(kept.lines.at(-1)).toEqual({ level: 'info', fields: { repeated: 3_990 }, line: 'other lines' })
})
