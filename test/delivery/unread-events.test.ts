/** Events that the client does not read are given up when other reports are, and never posted. */
import { expect, test } from 'vitest'
import { EVENT_FEED } from '../../src/domain/reports/event-feed.ts'
import { REPORT_LIFETIME_MS } from '../../src/domain/reports/report-schedule.ts'
import { ReportBench } from '../support/report-bench.ts'

test('unread events fail at the end of the lifetime of reports, across a crash, and can still be read', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  const beginning = bench.clock.now()
  const unread = await bench.addReports(account, EVENT_FEED, { count: 2, held: false })
  bench.reporter.wake()
  await bench.turnTo(beginning + REPORT_LIFETIME_MS / 2)
  await bench.crash()
  bench.reporter.wake()
  await bench.turnTo(beginning + REPORT_LIFETIME_MS - 1)
  expect(await bench.reportsOf(unread)).toMatchObject([{ state: 'pending' }, { state: 'pending' }])
  const posted = await bench.addReports(account, sink.address)
  await bench.turnTo(beginning + REPORT_LIFETIME_MS + 120_000)
  const failed = { state: 'failed', tries: 0, detail: 'not read in time' }
  expect(await bench.reportsOf(unread)).toMatchObject([failed, failed])
  expect(await bench.reportsOf(posted)).toMatchObject([{ state: 'sent' }])
  expect(sink.calls).toHaveLength(1)
  const { events } = await bench.store.readEvents({ accountId: account, after: null, limit: 10, maxBytes: 100_000 })
  expect(events.map(({ position, number }) => [position, number])).toEqual([
    [1, 0],
    [2, 1],
  ])
})

test('an event that was read is not given up later', async () => {
  await using bench = await ReportBench.open()
  const account = await bench.addAccount()
  const beginning = bench.clock.now()
  const message = await bench.addReports(account, EVENT_FEED, { held: false })
  await bench.store.acknowledgeEvents({ accountId: account, through: 1, at: beginning + 1 })
  bench.reporter.wake()
  await bench.turnTo(beginning + REPORT_LIFETIME_MS + 120_000)
  expect(await bench.reportsOf(message)).toMatchObject([
    { state: 'sent', triedAt: beginning + 1, detail: 'read by the client' },
  ])
})
