/** The thread that posts reports fails while it has some: none is lost. */
import { expect, test } from 'vitest'
import { HookThread } from '../../src/http/hooks/hook-thread.ts'
import { eventually } from '../support/eventually.ts'
import { EXITS } from '../support/faults-of-hook-worker.ts'
import { callTo } from '../support/hook-call.ts'
import { ReportBench } from '../support/report-bench.ts'

const FAULTY_WORKER = new URL('../support/faulty-hook-worker.ts', import.meta.url)
const HOOKS = 3

test('reports on the way when the thread fails are sent again with the same ids, and settled', async () => {
  const threads: HookThread[] = []
  await using bench = await ReportBench.open({
    openHookPost: (clock, log) => {
      const thread = new HookThread({ clock, log, file: FAULTY_WORKER, worker: { allow: ['127.0.0.0/8'] } })
      threads.push(thread)
      return thread
    },
  })
  const sinks = await Promise.all(Array.from({ length: HOOKS }, () => bench.openSink()))
  const account = await bench.addAccount()
  for (const sink of sinks) sink.answer = () => null
  const messages = await Promise.all(sinks.map((sink) => bench.addReports(account, sink.address)))
  await eventually('all hooks to be called', () => sinks.every(({ calls }) => calls.length === 1))

  await threads[0]?.post(callTo(EXITS))
  for (const sink of sinks) sink.answer = () => ({ status: 200 })
  await bench.rest()
  for (const message of messages) {
    expect(await bench.reportsOf(message)).toMatchObject([
      { state: 'pending', tries: 1, detail: 'the thread that posts reports failed' },
    ])
  }

  await bench.turnTo(bench.clock.now() + 10_000)
  for (const { ids } of sinks) expect(ids).toEqual([ids[0], ids[0]])
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', tries: 1 }])
  expect(threads[0]?.work.starts).toBe(2)
})
