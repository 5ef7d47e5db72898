/** Reports to hooks that a client manages, as the reporter sends them: signed by their hook's secret, or not at all. */
import { expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { makeMessageId } from '../../src/domain/ids/message-id.ts'
import { writeTestReport } from '../../src/domain/reports/report.ts'
import { eventually } from '../support/eventually.ts'
import { readReports } from '../support/received-report.ts'
import { ReportBench } from '../support/report-bench.ts'

const [DEFAULT, OWN] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
const HOOK_1 = 65_536

/** A hook of the client in the store; this gateway knows it after `refreshHooks`. */
const create = (bench: ReportBench, accountId: AccountId, address: string) =>
  bench.store.change({
    ...{ kind: 'change hook', accountId, at: bench.clock.now(), key: 'ab12' },
    change: { kind: 'create', address, description: null, events: null, secret: OWN },
  })

const write = (bench: ReportBench, accountId: AccountId, to: { address: string; number: number; counter?: number }) => {
  const { address, number, counter = 1 } = to
  const now = bench.clock.now()
  const report = writeTestReport({ messageId: makeMessageId(counter, accountId), accountId }, 1, now)
  return bench.store.writeReport({ ...report, address, number }, now)
}

test('a gateway that does not know the hook yet posts nothing, and tries again', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount({ hookSecrets: [DEFAULT] })
  await create(bench, account, sink.address)
  await write(bench, account, { address: sink.address, number: HOOK_1 })
  bench.reporter.wake()
  await bench.rest()
  expect(sink.calls).toEqual([])
  await bench.refreshHooks()
  await bench.turnTo(bench.clock.now() + 6_000)
  expect(sink.calls.flatMap((call) => readReports(call, OWN))).toMatchObject([
    { body: { type: 'hook.test', hook_id: 1 } },
  ])
})

test('a hook that was deleted gets nothing', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount({ hookSecrets: [DEFAULT] })
  await create(bench, account, sink.address)
  const about = { kind: 'change hook', accountId: account, at: bench.clock.now(), key: null } as const
  await bench.store.change({ ...about, change: { kind: 'delete', id: 1 } })
  await bench.refreshHooks()
  await write(bench, account, { address: sink.address, number: HOOK_1 })
  bench.reporter.wake()
  await bench.rest()
  expect(sink.calls).toEqual([])
  const { rows } = await bench.store.page({ of: 'failed reports', accountId: account, after: null, limit: 9 })
  expect(rows).toMatchObject([{ detail: 'not sent: the hook was deleted' }])
})

test('a POST of several reports never has those of two hooks, also if both have one address', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const settings = { ...DEFAULT_ACCOUNT_SETTINGS, reportsPerPost: 2, defaultHook: sink.address }
  const account = await bench.addAccount({ hookSecrets: [DEFAULT], settings })
  await create(bench, account, sink.address)
  await bench.refreshHooks()
  for (const counter of [1, 2]) {
    for (const number of [0, HOOK_1]) await write(bench, account, { address: sink.address, number, counter })
  }
  bench.reporter.wake()
  await eventually('both calls', () => sink.calls.length === 2)
  await bench.rest()
  const ofHook = (secret: string, number: number) => {
    const call = sink.calls.find(({ body }) => body.includes(`_${number}"`))
    return call === undefined ? [] : readReports(call, secret).map(({ id }) => id)
  }
  const [one, two] = [makeMessageId(1, account), makeMessageId(2, account)]
  expect(new Set(ofHook(DEFAULT, 0))).toEqual(new Set([`rep_${one}_0`, `rep_${two}_0`]))
  expect(new Set(ofHook(OWN, HOOK_1))).toEqual(new Set([`rep_${one}_${HOOK_1}`, `rep_${two}_${HOOK_1}`]))
})
