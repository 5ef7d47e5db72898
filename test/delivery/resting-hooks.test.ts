/** Hooks that rest: those that answered 410, and those whose reports wait for them in the store. */
import { expect, test } from 'vitest'
import { REPORT_LIFETIME_MS } from '../../src/domain/reports/report-schedule.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { ReportBench } from '../support/report-bench.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('410 stops a hook, whatever the queries of its addresses are', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 410 })
  const account = await bench.addAccount()
  await bench.addReports(account, `${sink.address}?id=1`)
  await bench.rest()
  const second = await bench.addReports(account, `${sink.address}?id=2`)
  await bench.rest()
  await bench.crash()
  bench.reporter.wake()
  await bench.rest()
  const third = await bench.addReports(account, `${sink.address}?id=3`)
  await bench.rest()
  expect(sink.calls).toHaveLength(1)
  for (const stopped of [second, third]) {
    expect(await bench.reportsOf(stopped)).toMatchObject([{ state: 'failed', detail: expect.stringContaining('gone') }])
  }
})

test('410 to a test message stops test messages only, and 410 to another report stops all', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  const post = async (test: boolean) => {
    const message = await bench.addReports(account, sink.address, test ? { test } : {})
    await bench.rest()
    return (await bench.reportsOf(message))[0]?.detail
  }
  sink.answer = () => ({ status: 410 })
  expect(await post(true)).toBe('HTTP 410')
  sink.answer = () => ({ status: 200 })
  expect(await post(true)).toContain('gone')
  expect(await post(false)).toBe('HTTP 200')
  await bench.crash()
  bench.reporter.wake()
  await bench.rest()
  expect([await post(true), await post(false)]).toEqual([expect.stringContaining('gone'), 'HTTP 200'])

  sink.answer = () => ({ status: 410 })
  expect(await post(false)).toBe('HTTP 410')
  expect([await post(true), await post(false)]).toEqual([
    expect.stringContaining('gone'),
    expect.stringContaining('gone'),
  ])
})

test('an operator has a failing hook tried: one report at once, and the others as soon as it answers', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = []
  for (let count = 0; count < 40; count += 1) messages.push(await bench.addReports(account, sink.address))
  await bench.turnTo(bench.clock.now() + 12 * HOUR)
  const hook = { accountId: account, hook: sink.address }
  const tryHook = async () => {
    const before = sink.calls.length
    expect(await bench.store.change({ kind: 'try hook', hook })).toBeGreaterThan(0)
    bench.reporter.refresh()
    await bench.rest()
    return sink.calls.length - before
  }
  expect(await tryHook()).toBe(1)

  sink.answer = () => ({ status: 200 })
  await tryHook()
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
  expect(await bench.store.hookWaits(account)).toEqual([])
})

test('410 stops reports to that address, and to no other, until an operator resumes it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = ({ path }) => ({ status: path === '/hook' ? 410 : 200 })
  const account = await bench.addAccount()
  const message = await bench.addReports(account, sink.address, { count: 2 })
  await bench.rest()
  // Before a crash and after it.
  const second = await bench.addReports(account, sink.address)
  await bench.rest()
  await bench.crash()
  bench.reporter.wake()
  await bench.rest()
  const third = await bench.addReports(account, sink.address)
  const elsewhere = await bench.addReports(account, `${sink.address}/other`)
  await bench.turnTo(bench.clock.now() + 5 * DAY)

  expect(sink.calls.map(({ path }) => path)).toEqual(['/hook', '/hook/other'])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'failed', detail: 'HTTP 410' }, { state: 'failed' }])
  for (const stopped of [second, third]) {
    expect(await bench.reportsOf(stopped)).toMatchObject([{ state: 'failed', detail: expect.stringContaining('gone') }])
  }
  expect(await bench.reportsOf(elsewhere)).toMatchObject([{ state: 'sent' }])

  await bench.store.change({
    kind: 'resume hook',
    hook: { accountId: account, address: sink.address },
    at: bench.clock.now(),
  })
  bench.reporter.refresh()
  await bench.rest()
  sink.answer = () => ({ status: 200 })
  const resumed = await bench.addReports(account, sink.address)
  await bench.rest()
  expect(await bench.reportsOf(resumed)).toMatchObject([{ state: 'sent' }])
})

test('reports wait for a resting hook in the store, and cost nothing while they wait', async () => {
  const writes = { settled: 0, claimed: 0 }
  await using bench = await ReportBench.open({
    tamper: (store) => ({
      ...store,
      settleReports: (results) => {
        writes.settled += results.length
        return store.settleReports(results)
      },
      claimReportsOf: async (claim) => {
        const reports = await store.claimReportsOf(claim)
        writes.claimed += reports.length
        return reports
      },
    }),
  })
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  for (let count = 0; count < 20; count += 1) await bench.addReports(account, sink.address)
  await bench.rest()
  expect(bench.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  const messages = []
  for (let count = 0; count < 300; count += 1) messages.push(await bench.addReports(account, sink.address))
  expect(bench.reporter.facts.held).toBeLessThanOrEqual(24)
  writes.settled = 0
  sink.calls.length = 0
  await bench.turnTo(bench.clock.now() + 10 * MINUTE)
  // Tries are written, one after each rest; and what had failed before the first rest is parked, once.
  expect(writes.settled).toBeLessThanOrEqual(sink.calls.length + 8)
  expect(sink.calls.length).toBeLessThan(25)
  expect(writes.claimed).toBeLessThanOrEqual(sink.calls.length + 16)
  expect(bench.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)

  sink.answer = () => ({ status: 200 })
  await bench.turnTo(bench.clock.now() + MINUTE)
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
  expect(bench.reporter.facts.held).toBe(0)
})

test('after a crash the next process finds the hooks that reports wait for', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = []
  for (let count = 0; count < 100; count += 1) messages.push(await bench.addReports(account, sink.address))
  await bench.turnTo(bench.clock.now() + HOUR)
  await bench.crash()
  sink.answer = () => ({ status: 200 })
  bench.reporter.wake()
  await bench.rest()
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
})

test('what waits for a resting hook is sent at once when an operator wants it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = []
  for (let count = 0; count < 100; count += 1) messages.push(await bench.addReports(account, sink.address))
  await bench.turnTo(bench.clock.now() + HOUR)
  sink.answer = () => ({ status: 200 })
  const filter = { messageId: null, accountId: account, address: null, since: null }
  await bench.store.change({ kind: 'resend reports', ...filter, pending: true, at: bench.clock.now() })
  bench.reporter.refresh()
  await bench.rest()
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
})

test('sending a waiting report again tries it now, and the next try does not come later than without it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const message = await bench.addReports(account, sink.address)
  await bench.turnTo(bench.clock.now() + 3 * HOUR)
  const [waiting] = await bench.reportsOf(message)
  const before = waiting?.dueAt ?? 0
  expect(before - bench.clock.now()).toBeGreaterThan(HOUR)

  const calls = sink.calls.length
  const one = { messageId: message.id, number: 0, accountId: null, address: null, since: null }
  await bench.store.change({ kind: 'resend reports', ...one, pending: true, at: bench.clock.now() })
  bench.reporter.refresh()
  await bench.rest()
  expect(sink.calls).toHaveLength(calls + 1)
  const [again] = await bench.reportsOf(message)
  expect(again).toMatchObject({ state: 'pending', tries: 1 })
  expect(again?.dueAt).toBeLessThan(before)
  const tries = again?.triesMade ?? []
  expect(tries).toHaveLength(calls + 1)
  expect(tries.every(({ detail }) => detail === 'HTTP 500')).toBe(true)
  expect(tries.at(-1)?.at).toBe(bench.clock.now())
})

test('a report that was never sent is given up when its hook still rests at its end', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = await Promise.all(Array.from({ length: 6_000 }, () => bench.addReports(account, sink.address)))
  const beginning = bench.clock.now()
  await bench.turnTo(beginning + REPORT_LIFETIME_MS - SECOND)
  const last = messages.at(-1) ?? fail()
  expect(await bench.reportsOf(last)).toMatchObject([{ state: 'pending', tries: 0, triedAt: null }])
  await bench.turnTo(beginning + REPORT_LIFETIME_MS + HOUR)
  expect(await bench.reportsOf(last)).toMatchObject([{ state: 'failed', tries: 0, detail: 'not sent: HTTP 500' }])
  // Many reports through three days, one timer after the other.
}, 90_000)

test('while a resting hook is probed, what comes for it waits without a try', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  for (let count = 0; count < 20; count += 1) await bench.addReports(account, sink.address)
  await bench.turnTo(bench.clock.now() + 2 * MINUTE)
  sink.answer = () => null
  const before = sink.calls.length
  await eventually('the probe', () => sink.calls.length === before + 1, bench)
  const others = await Promise.all(Array.from({ length: 20 }, () => bench.addReports(account, sink.address)))
  await turnLoop()
  for (const message of others) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'pending', tries: 0 }])
  expect(sink.calls).toHaveLength(before + 1)
  bench.clock.advance(10 * SECOND)
})

function fail(): never {
  throw new Error('there should be one')
}
