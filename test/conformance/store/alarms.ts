/** Alarms: opened once, resolved when no node finds their condition; the notifications wait for their targets. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Observation } from '../../../src/domain/alarms/alarm.ts'
import type { NotificationTarget } from '../../../src/domain/alarms/notification.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { SettledNotifications } from '../../../src/ports/changes/alarm-change.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const HOOK: NotificationTarget = {
  name: 'pager',
  kind: 'hook',
  address: 'https://ops.example/hook',
  recipients: [],
  secret: 'whsec_1',
  minSeverity: 'warning',
  kinds: ['carrier_down'],
  repeatMinutes: 5,
  enabled: false,
  timeZone: 'Europe/Berlin',
}
const UNUSED = { sentAt: null, failedAt: null, lastError: null }
const DOWN: Observation = {
  kind: 'carrier_down',
  subject: 'acme',
  severity: 'warning',
  detail: 'not connected',
  effect: 'SMS wait',
}

export function describeAlarms(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    await story.store.change({ kind: 'set notification target', target: HOOK })
  })
  afterEach(() => story.end())

  const targets = async () => (await story.store.loadDirectory('anew')).notificationTargets
  const alarms = async () => (await story.store.alarms()).alarms
  const waiting = async () => (await story.store.alarms()).notifications
  const raise = (node: number, at = BEGINNING, change: Partial<Observation> = {}) =>
    story.store.change({ kind: 'raise alarm', observation: { ...DOWN, ...change }, node, at, notify: ['pager'] })
  const clear = async (nodes: readonly number[], at = BEGINNING + 9) => {
    const alarmId = (await alarms())[0]?.id ?? 0
    await story.store.change({ kind: 'clear alarm', alarmId, nodes, at, notify: ['pager'] })
  }
  const settle = async (result: SettledNotifications['result'], at = BEGINNING + 1) => {
    const notifications = await waiting()
    await story.store.change({ kind: 'settle notifications', target: 'pager', at, notifications, result })
  }

  it('keeps targets with their secrets, replaces and removes them', async () => {
    await story.reopen()
    expect(await targets()).toEqual([{ ...HOOK, ...UNUSED }])
    const mail = {
      ...HOOK,
      kind: 'email',
      address: null,
      secret: null,
      recipients: ['a@b.example'],
      kinds: null,
    } as const
    await story.store.change({ kind: 'set notification target', target: mail })
    expect(await targets()).toEqual([{ ...mail, ...UNUSED }])
    await raise(1)
    await story.store.change({ kind: 'remove notification target', name: 'pager' })
    expect([await targets(), await waiting()]).toEqual([[], []])
    const again = story.store.change({ kind: 'remove notification target', name: 'pager' })
    await expect(again).rejects.toThrow('there is no notification target pager')
  })

  it('opens one alarm however many nodes find it, and resolves it when the last one does not', async () => {
    const revision = await story.store.directoryRevision()
    await raise(1)
    await raise(2, BEGINNING + 5)
    await story.reopen()
    expect(await alarms()).toMatchObject([{ ...DOWN, state: 'open', openedAt: BEGINNING, seenBy: [1, 2] }])
    expect(await waiting()).toMatchObject([{ target: 'pager', event: 'opened', at: BEGINNING, tries: 0 }])
    await clear([1])
    expect(await alarms()).toMatchObject([{ state: 'open', seenBy: [2] }])
    await clear([2])
    expect(await alarms()).toMatchObject([{ state: 'resolved', resolvedAt: BEGINNING + 9, seenBy: [] }])
    expect(await waiting()).toMatchObject([{ event: 'resolved', at: BEGINNING + 9 }])
    expect(await story.store.directoryRevision()).toBe(revision)
  })

  it('opens a resolved alarm again under its number, and reports one that gets worse', async () => {
    await raise(1)
    await settle({ kind: 'sent', repeatAt: null })
    expect(await waiting()).toEqual([])
    await raise(2, BEGINNING + 3, { severity: 'critical' })
    expect(await alarms()).toMatchObject([{ severity: 'critical', openedAt: BEGINNING }])
    expect(await waiting()).toMatchObject([{ event: 'opened', at: BEGINNING + 3 }])
    const [before] = await alarms()
    await clear([1, 2])
    await raise(1, BEGINNING + 20)
    expect(await alarms()).toMatchObject([
      { id: before?.id, state: 'open', openedAt: BEGINNING + 20, resolvedAt: null },
    ])
  })

  it('repeats notifications of an open alarm until it is acknowledged', async () => {
    await raise(1)
    await settle({ kind: 'sent', repeatAt: BEGINNING + 300 })
    expect(await waiting()).toMatchObject([{ event: 'repeated', dueAt: BEGINNING + 300 }])
    const [alarm] = await alarms()
    expect(alarm).toMatchObject({ notifiedAt: BEGINNING + 1 })
    const alarmId = alarm?.id ?? 0
    await story.store.change({ kind: 'acknowledge alarm', alarmId, by: 'anna', at: BEGINNING + 2 })
    expect(await alarms()).toMatchObject([{ state: 'acknowledged', acknowledgedBy: 'anna' }])
    expect(await waiting()).toEqual([])
    await clear([1])
    expect(await waiting()).toMatchObject([{ event: 'resolved' }])
    const resolved = story.store.change({ kind: 'acknowledge alarm', alarmId, by: 'anna', at: BEGINNING + 20 })
    await expect(resolved).rejects.toThrow(`alarm ${alarmId} is already resolved`)
    const absent = story.store.change({ kind: 'resolve alarm', alarmId: alarmId + 1, at: BEGINNING, notify: [] })
    await expect(absent).rejects.toThrow(`there is no alarm ${alarmId + 1}`)
  })

  it('keeps a failed notification for another try, and the result at its target', async () => {
    await raise(1)
    await settle({ kind: 'failed', reason: 'answered 503', retryAt: BEGINNING + 10 })
    expect(await waiting()).toMatchObject([{ event: 'opened', dueAt: BEGINNING + 10, tries: 1 }])
    expect(await targets()).toMatchObject([{ sentAt: null, failedAt: BEGINNING + 1, lastError: 'answered 503' }])
    await settle({ kind: 'failed', reason: 'answered 503', retryAt: null }, BEGINNING + 10)
    expect(await waiting()).toEqual([])
    await raise(1, BEGINNING + 20, { severity: 'critical' })
    await settle({ kind: 'sent', repeatAt: null }, BEGINNING + 21)
    expect(await targets()).toMatchObject([{ sentAt: BEGINNING + 21, failedAt: BEGINNING + 10, lastError: null }])
  })

  it('does not settle a notification that was replaced while it was being sent', async () => {
    await raise(1)
    const notifications = await waiting()
    await clear([1])
    const result = { kind: 'sent', repeatAt: null } as const
    await story.store.change({ kind: 'settle notifications', target: 'pager', at: BEGINNING, notifications, result })
    expect(await waiting()).toMatchObject([{ event: 'resolved' }])
  })

  it('finds since when messages and reports are due, and the accounts whose balance is low', async () => {
    expect(await story.store.findConditions()).toEqual({ messageDueAt: null, reportDueAt: null, lowBalances: [] })
    const settings = { defaultHook: 'https://client.example/hook', lowBalanceMicros: toMicros(100_000) }
    const client = await story.account(200_000, settings)
    const correct = (amount: number) =>
      story.store.change({ kind: 'correct', accountId: client, amountMicros: toMicros(amount), at: BEGINNING })
    await correct(-150_000)
    expect(await story.store.findConditions()).toEqual({
      messageDueAt: null,
      reportDueAt: BEGINNING,
      lowBalances: [{ accountId: client, availableMicros: 50_000, thresholdMicros: 100_000, creditLimitMicros: 0 }],
    })
    await story.store.claimReports({ now: BEGINNING, limit: 9 })
    await correct(150_000)
    await story.accepted(client, {}, { waits: true })
    expect(await story.store.findConditions()).toMatchObject({
      messageDueAt: expect.any(Number),
      reportDueAt: null,
      lowBalances: [],
    })
    await story.store.claimDue({ now: BEGINNING + 1e9, limit: 9 })
    expect((await story.store.findConditions()).messageDueAt).toBeNull()
  })

  it('keeps rules of alarms, replaces and removes them', async () => {
    const rule = {
      kind: 'disk_full',
      enabled: true,
      openAfterSeconds: null,
      resolveAfterSeconds: 60,
      threshold: 7.5,
    } as const
    await story.store.change({ kind: 'set alarm rule', rule: { ...rule, threshold: 5 } })
    await story.store.change({ kind: 'set alarm rule', rule })
    const rules = async () => (await story.store.loadDirectory()).alarmRules
    expect(await rules()).toEqual([rule])
    await story.store.change({ kind: 'remove alarm rule', alarmKind: 'disk_full' })
    expect(await rules()).toEqual([])
    const again = story.store.change({ kind: 'remove alarm rule', alarmKind: 'disk_full' })
    await expect(again).rejects.toThrow('it has its default rule already')
  })

  it('deletes resolved alarms only', async () => {
    await raise(1)
    await raise(1, BEGINNING, { subject: 'other' })
    await clear([1])
    const alarmIds = (await alarms()).map(({ id }) => id)
    await story.store.change({ kind: 'delete alarms', alarmIds })
    expect(await alarms()).toMatchObject([{ state: 'open' }])
    expect(await waiting()).toMatchObject([{ event: 'opened' }])
  })
}
