/** Replayed reports are posted like others, within a minute. */
import { expect, test } from 'vitest'
import { reportId } from '../../src/domain/reports/report.ts'
import { ReportBench } from '../support/report-bench.ts'

test('a failed report is posted again under its id, without a call of an operator', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  bench.reporter.wake()
  await bench.rest()
  const message = await bench.addReports(account, `${sink.address}?shop=1`, { held: false })
  const now = bench.clock.now()
  const failed = { messageId: message.id, number: 0, kind: 'failed', at: now, dueAt: null, held: false } as const
  await bench.store.settleReports([{ ...failed, detail: 'HTTP 500' }])
  expect(await bench.store.replayReports({ accountId: account, hook: sink.address, since: now, at: now })).toBe(1)
  await bench.turnTo(now + 60_000)
  expect(sink.ids).toEqual([reportId({ messageId: message.id, number: 0 })])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', detail: 'HTTP 200' }])
})
