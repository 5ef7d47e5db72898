/** Reports to programs that exist: what they did not ask for, what they take as an answer, one report in each call. */
import { expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { writeTarget } from '../../src/domain/reports/report-target.ts'
import { ReportBench } from '../support/report-bench.ts'
import { statusBody } from '../support/status-body.ts'

const MINUTE = 60_000

test('an event that the mask does not ask for is settled as sent, without a call', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  const to = (mask: string) => writeTarget({ form: 'kannel', to: `${sink.address}?d=%d`, facts: { mask } })
  const unasked = await bench.addReports(account, to('1'), { body: statusBody({ status: 'EXPIRED' }) })
  const other = await bench.addReports(account, to('31'), { body: '{"type":"link.clicked","msg_id":1}' })
  const asked = await bench.addReports(account, to('2'), { body: statusBody({ status: 'EXPIRED' }) })
  await bench.rest()
  expect(sink.calls.map(({ path }) => path)).toEqual(['/hook?d=2'])
  expect(await bench.reportsOf(unasked)).toMatchObject([{ state: 'sent', detail: 'not asked for' }])
  expect(await bench.reportsOf(other)).toMatchObject([{ state: 'sent', detail: 'not asked for' }])
  expect(await bench.reportsOf(asked)).toMatchObject([{ state: 'sent', detail: 'HTTP 200' }])
})

test('a callback of Jasmin is repeated until the answer acknowledges it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 200, body: Buffer.from(sink.calls.length === 1 ? 'OK' : 'ACK/Jasmin') })
  const address = writeTarget({ form: 'jasmin', to: sink.address, facts: { level: '2' } })
  const message = await bench.addReports(await bench.addAccount(), address, { body: statusBody() })
  await bench.rest()
  expect(await bench.reportsOf(message)).toMatchObject([
    { state: 'pending', detail: 'HTTP 200 without ACK/Jasmin', tries: 1 },
  ])
  await bench.turnTo(bench.clock.now() + MINUTE)
  expect(sink.calls).toHaveLength(2)
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', detail: 'HTTP 200', tries: 1 }])
})

test('a failing callback of Kannel is repeated after a restart as well', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: sink.calls.length === 1 ? 500 : 202 })
  const address = writeTarget({ form: 'kannel', to: `${sink.address}?d=%d`, facts: { mask: '3' } })
  const message = await bench.addReports(await bench.addAccount(), address, { body: statusBody() })
  await bench.rest()
  await bench.crash()
  bench.reporter.wake()
  await bench.turnTo(bench.clock.now() + 10 * MINUTE)
  expect(sink.calls.map(({ path }) => path)).toEqual(['/hook?d=1', '/hook?d=1'])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', detail: 'HTTP 202' }])
})

test('each report is a call of its own although the account asks for several in one POST', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const settings = { ...DEFAULT_ACCOUNT_SETTINGS, reportsPerPost: 100, reportWaitMs: 5_000 }
  const account = await bench.addAccount({ settings })
  const address = writeTarget({ form: 'kannel', to: `${sink.address}?d=%d`, facts: { mask: '3' } })
  for (let made = 0; made < 3; made += 1) await bench.addReports(account, address, { body: statusBody() })
  await bench.rest()
  expect(sink.calls.map(({ path }) => path)).toEqual(['/hook?d=1', '/hook?d=1', '/hook?d=1'])
})
