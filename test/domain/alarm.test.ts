/** Rules of alarms and of their notifications. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Alarm,
  acknowledge,
  clear,
  expiredAlarms,
  isKnown,
  type Observation,
  raise,
} from '../../src/domain/alarms/alarm.ts'
import {
  balanceConditions,
  carrierConditions,
  diskCondition,
  hookConditions,
  ledgerCondition,
  queueConditions,
  shareConditions,
  trafficConditions,
} from '../../src/domain/alarms/alarm-conditions.ts'
import { type Notification, planSends, retryAt, wants } from '../../src/domain/alarms/notification.ts'
import { writeNotice, writeSummary } from '../../src/domain/alarms/notification-text.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Amount } from '../../src/domain/money/ledger.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { type Route, RouteTable } from '../../src/domain/routing/route.ts'

const DOWN: Observation = { kind: 'carrier_down', subject: 'acme', severity: 'warning', detail: 'away' }
const HOUR_MS = 3_600_000
const HERE = { source: 'here', consoleOrigin: 'https://console.example.com', timeZone: 'Europe/Berlin' }

const lowBalance = (change: object = {}) => ({
  ...{ accountId: toAccountId(3), availableMicros: toMicros(1), thresholdMicros: toMicros(2) },
  ...{ creditLimitMicros: toMicros(0), ...change },
})

function opened(change: Partial<Alarm> = {}): Alarm {
  return { ...raise(null, { ...DOWN, node: 1, at: 5 }).alarm, id: 7, ...change }
}

const notification = (change: Partial<Notification> = {}): Notification => {
  return { target: 'pager', alarmId: 7, event: 'opened', at: 5, dueAt: 5, tries: 0, ...change }
}

describe('an alarm', () => {
  test('is news when it is opened, and when it gets worse, which ends its acknowledgement', () => {
    const alarm = acknowledge(opened(), 'anna', 6)
    expect(raise(alarm, { ...DOWN, node: 1, at: 7 })).toEqual({ alarm, isNews: false })
    const worse = raise(alarm, { ...DOWN, severity: 'critical', node: 2, at: 7 })
    expect(worse).toMatchObject({ isNews: true, alarm: { state: 'open', acknowledgedBy: null, seenBy: [1, 2] } })
  })

  test('has the words of the node that found it first', () => {
    const { alarm } = raise(opened(), { ...DOWN, detail: 'refused', node: 2, at: 7 })
    expect(alarm).toMatchObject({ detail: 'away', seenBy: [1, 2] })
    expect(raise(opened(), { ...DOWN, detail: 'refused', node: 1, at: 7 }).alarm.detail).toBe('refused')
  })

  test('is resolved when the last node does not find its condition any more, whatever the order', () => {
    const nodes = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(nodes, nodes, (found, ended) => {
        const all = found.reduce<Alarm | null>((alarm, node) => {
          return { ...raise(alarm, { ...DOWN, node, at: 5 }).alarm, id: 7 }
        }, null)
        if (all === null) return
        const after = ended.reduce((alarm, node) => clear(alarm, [node], 9), all)
        expect(after.state === 'resolved').toBe(found.every((node) => ended.includes(node)))
        expect(after.seenBy).toEqual(found.filter((node) => !ended.includes(node)))
      }),
    )
  })

  test('is known to a node that found it as severe', () => {
    expect(isKnown(opened(), DOWN, 1)).toBe(true)
    expect(isKnown(opened(), DOWN, 2)).toBe(false)
    expect(isKnown(opened(), { ...DOWN, severity: 'critical' }, 1)).toBe(false)
    expect(isKnown(opened({ state: 'resolved' }), DOWN, 1)).toBe(false)
  })

  test('is kept for 30 days after it was resolved, and 500 of them', () => {
    const resolved = (id: number, resolvedAt: number) => opened({ id, state: 'resolved', resolvedAt })
    const now = 40 * 24 * HOUR_MS
    expect(expiredAlarms([opened(), resolved(1, 0), resolved(2, now - HOUR_MS)], now)).toEqual([1])
    const many = Array.from({ length: 502 }, (_, id) => resolved(id, now - id))
    expect(expiredAlarms(many, now)).toEqual([500, 501])
  })
})

describe('conditions', () => {
  const carrier = { id: 'acme', up: true, draining: false, lastError: null, degraded: null, waiting: 3 }
  const where = { where: '', routes: new RouteTable([]), holdsFor: () => [] }
  test.each([
    ['a carrier that is up', carrierConditions([carrier], where), []],
    ['a drained carrier', carrierConditions([{ ...carrier, up: false, draining: true }], where), []],
    ['a carrier that is down', carrierConditions([{ ...carrier, up: false }], where), ['critical carrier_down acme']],
    [
      'a carrier that does not answer',
      carrierConditions([{ ...carrier, degraded: { reason: 'slow' } }], where),
      ['warning carrier_failing acme'],
    ],
    ['a disk with space', diskCondition({ free: 10, total: 100 }, { minPercent: 10, where: '' }), []],
    [
      'a disk with little space',
      diskCondition({ free: 9, total: 100 }, { minPercent: 10, where: '' }),
      ['warning disk_full data folder'],
    ],
    [
      'a disk that is nearly full',
      diskCondition({ free: 2, total: 100 }, { minPercent: 10, where: '' }),
      ['critical disk_full data folder'],
    ],
    ['a ledger without discrepancies', ledgerCondition([]), []],
    ['a ledger with one', ledgerCondition(['account 1: …']), ['critical ledger_discrepancy ledger']],
    [
      'messages due later',
      queueConditions({ messageDueAt: HOUR_MS, reportDueAt: null }, { now: 0, maxSeconds: 300 }),
      [],
    ],
    [
      'reports due long ago',
      queueConditions({ messageDueAt: null, reportDueAt: 0 }, { now: HOUR_MS, maxSeconds: 300 }),
      ['critical queue_old reports'],
    ],
    ['a low balance', balanceConditions([lowBalance()], () => 'EUR'), ['warning balance_low account 3']],
    [
      'a stopped hook and a resumed one',
      hookConditions([
        { accountId: toAccountId(3), address: 'https://a.example', stopped: true, test: false, changedAt: 0 },
        { accountId: toAccountId(3), address: 'https://b.example', stopped: false, test: false, changedAt: 0 },
      ]),
      ['warning hook_stopped account 3'],
    ],
    [
      'a hook that only test messages have stopped',
      hookConditions([
        { accountId: toAccountId(3), address: 'https://a.example', stopped: true, test: true, changedAt: 0 },
      ]),
      [],
    ],
    [
      'traffic that is stopped, and traffic that was lifted',
      trafficConditions(
        [
          {
            accountId: null,
            kind: 'messages',
            prefix: '3712',
            raisedAt: 0,
            seen: 9,
            usual: 1,
            state: 'stopped',
            until: 9,
          },
          {
            accountId: null,
            kind: 'messages',
            prefix: '3713',
            raisedAt: 0,
            seen: 9,
            usual: 1,
            state: 'lifted',
            until: 9,
          },
        ],
        5,
      ),
      ['critical pumping messages to 3712'],
    ],
  ])('%s', (_, found, expected) => {
    expect(found.map(({ severity, kind, subject }) => `${severity} ${kind} ${subject}`)).toEqual(expected)
  })
})

test('the stopped hooks of an account are one condition, with a host of the newest and no words of the client', () => {
  const stop = (account: number, address: string) => {
    return { accountId: toAccountId(account), address, stopped: true, test: false, changedAt: 0 }
  }
  const found = hookConditions([
    stop(3, 'http://user:s3cret@new.example:81/x/<!channel>|<https://evil.example|Click-to-fix>#token'),
    stop(4, 'http://'),
    stop(3, 'https://old.example/reports'),
  ])
  expect(found).toEqual([
    {
      kind: 'hook_stopped',
      subject: 'account 3',
      severity: 'warning',
      detail: '2 hooks that answered 410 get no reports, last at new.example:81: posthorn hook resume',
    },
    {
      kind: 'hook_stopped',
      subject: 'account 4',
      severity: 'warning',
      detail: 'a hook that answered 410 gets no reports, last at an unknown host: posthorn hook resume',
    },
  ])
})

describe('the effect of a carrier that is down', () => {
  const route = (carrierId: string, prefix: string, change: Partial<Route> = {}): Route => ({
    ...{ channel: 'sms', accountId: null, sender: null, prefix, operators: null, carrierId },
    ...{ priority: 100, weight: 1, poolId: null, ...change },
  })
  const effectOf = (...routes: readonly Route[]) => {
    return effectWith([], routes)
  }
  const effectWith = (holds: readonly Amount[], routes: readonly Route[]) => {
    const down = { id: 'acme', up: false, draining: false, lastError: null, degraded: null, waiting: 12 }
    const facts = { where: '', routes: new RouteTable(routes), holdsFor: () => holds }
    return carrierConditions([down], facts)[0]?.effect
  }

  test.each([
    ['without a route', [route('other', '49')], /^no route leads to it/],
    ['that is alone', [route('acme', '49'), route('acme', '43')], /^SMS to Germany, Austria: 12 wait here; no other/],
    [
      'with another one',
      [route('acme', '49'), route('other', '')],
      /^SMS to Germany: 12 wait here; other carriers take/,
    ],
    [
      'with another one for a part',
      [route('acme', ''), route('other', '49'), route('acme', '49')],
      /for a part of them$/,
    ],
    [
      'with another one of another account',
      [route('acme', '1'), route('b', '1', { accountId: toAccountId(3) })],
      /no other/,
    ],
    [
      'to many',
      '1 30 31 32 33 34 351'.split(' ').map((prefix) => route('acme', prefix)),
      /^SMS to \+1, .* and 2 more:/,
    ],
  ])('%s', (_, routes, text) => {
    expect(effectOf(...routes)).toMatch(text)
  })

  test('says how much money its messages hold, by currency, in coins', () => {
    const held = (...amounts: readonly (readonly [number, string])[]) =>
      effectWith(
        amounts.map(([micros, currency]) => ({ micros: toMicros(micros), currency })),
        [route('acme', '49')],
      )
    expect(held([1_250_000_000, 'EUR'], [4_900, 'EUR'])).toMatch(/: 12 wait here; €1,250.00 on hold for them; no other/)
    expect(held([45_000, 'USD'], [4_500, 'EUR'], [0, 'KWD'])).toMatch(/; €0.0045 and US\$0.05 on hold for them;/)
    expect(held([1_500_000, 'JPY'])).toMatch(/; JP¥2 on hold for them;/)
    expect(held()).toMatch(/: 12 wait here; no other/)
  })
})

describe('the effect of a low balance', () => {
  const effectOf = (change: Parameters<typeof lowBalance>[0], currency: string | null = 'EUR') =>
    balanceConditions([lowBalance(change)], () => currency)[0]?.effect

  test('is what the account can still spend, with its credit', () => {
    expect(effectOf({ availableMicros: toMicros(12_345_678) })).toBe(
      'It can spend €12.35; then its messages are refused.',
    )
    expect(effectOf({ availableMicros: toMicros(-1_000_000), creditLimitMicros: toMicros(6_000_000) })).toBe(
      'With its credit limit it can spend €5.00; then its messages are refused.',
    )
    expect(effectOf({ availableMicros: toMicros(-6), creditLimitMicros: toMicros(6) })).toMatch(/nothing is left/)
    expect(effectOf({}, null)).toBeNull()
  })
})

describe('the effect of a delivery share that falls', () => {
  const line = { taken: 1_000, endedOfTaken: 1_000, deliveredOfTaken: 0.9, priceMicros: 50_000_000, currency: 'EUR' }
  const effectOf = (change: object) => {
    const recent = { ...line, deliveredOfTaken: 0.3, ...change }
    return shareConditions([{ subject: 'carrier acme', recent, past: line }], 20)[0]?.effect
  }

  test('is what accounts paid for the messages, if it is in one currency', () => {
    expect(effectOf({})).toMatch(/^Accounts paid €50.00 for these 1000 messages; /)
    expect(effectOf({ priceMicros: 0, currency: null })).toBeNull()
    expect(effectOf({ priceMicros: null, currency: null })).toBeNull()
  })
})

describe('notifications', () => {
  test('go to targets that want the kind and the severity', () => {
    const target = { enabled: true, kinds: null, minSeverity: 'warning' } as const
    expect(wants(target, DOWN)).toBe(true)
    expect(wants({ ...target, minSeverity: 'critical' }, DOWN)).toBe(false)
    expect(wants({ ...target, kinds: ['disk_full'] }, DOWN)).toBe(false)
    expect(wants({ ...target, enabled: false }, DOWN)).toBe(false)
  })

  test('are never more than five a minute, and none is left out in the end', () => {
    const some = (count: number) => Array.from({ length: count }, (_, alarmId) => notification({ alarmId }))
    const arrivals = fc.array(
      fc.record({ count: fc.integer({ min: 0, max: 9 }), wait: fc.integer({ min: 1, max: 40 }) }),
    )
    fc.assert(
      fc.property(arrivals, (steps) => {
        let waiting: readonly Notification[] = []
        const sent: number[] = []
        let now = 0
        const turn = () => {
          const { single, summary } = planSends(waiting, sent, now)
          waiting = waiting.slice(single.length + summary.length)
          sent.push(...single.map(() => now), ...(summary.length > 0 ? [now] : []))
          expect(sent.filter((at) => now - at < 60_000).length).toBeLessThanOrEqual(5)
        }
        for (const { count, wait } of steps) {
          waiting = [...waiting, ...some(count)]
          turn()
          now += wait * 1_000
        }
        now += 60_000
        turn()
        expect(waiting).toEqual([])
      }),
    )
  })

  test('are tried again with longer waits, and given up after a day', () => {
    const waits = [0, 1, 2, 10].map((tries) => (retryAt(notification({ tries }), 5) ?? 0) - 5)
    expect(waits).toEqual([10_000, 20_000, 40_000, 900_000])
    expect(retryAt(notification(), 5 + 24 * HOUR_MS)).toBeNull()
  })

  test('have the same id on every try; a summary names what it stands for', () => {
    const alarm = opened()
    const notices = [1, 2, 3].map((alarmId) => ({ notification: notification({ alarmId }), alarm }))
    const [first] = notices
    if (first === undefined) throw new Error('there is no notification')
    const again = { ...first, notification: { ...first.notification, tries: 3 } }
    expect(writeNotice(again, HERE).id).toBe(writeNotice(first, HERE).id)
    const summary = writeSummary(notices, HERE)
    expect(summary.title).toBe('3 alarm notifications')
    expect(summary.text.match(/\[warning\] carrier_down acme/g)).toHaveLength(3)
  })

  test('say the effect, since when in the zone of the target, what to do, and where; the last one how long', () => {
    const openedAt = Date.UTC(2026, 10, 30, 6, 12)
    const alarm = opened({ openedAt, effect: 'SMS to Germany: 3 wait here' })
    const repeated = notification({ event: 'repeated', at: openedAt + HOUR_MS })
    const lines = writeNotice({ notification: repeated, alarm }, HERE).text.split('\n')
    expect(lines).toContain('Effect: SMS to Germany: 3 wait here')
    expect(lines).toContain('Since: 30 Nov 2026, 07:12 Europe/Berlin (1 h)')
    expect(lines).toContainEqual(expect.stringMatching(/^What to do: Check its settings/))
    expect(lines).toContain('https://console.example.com/console/carriers/acme')
    const over = opened({ openedAt, state: 'resolved', resolvedAt: openedAt + 90_061_000 })
    const last = writeNotice({ notification: notification({ event: 'resolved' }), alarm: over }, HERE)
    expect(last.text).toContain('Lasted: 1 d 1 h, from 30 Nov 2026, 07:12 Europe/Berlin to 1 Dec 2026, 08:13')
    expect(JSON.parse(last.body)).toMatchObject({
      link: 'https://console.example.com/console/carriers/acme',
      alarm: { lasted_seconds: 90_061, page: '/console/carriers/acme', effect: expect.any(String) },
    })
    const unset = writeNotice({ notification: repeated, alarm }, { ...HERE, consoleOrigin: null })
    expect(unset.text).toContain('set POSTHORN_CONSOLE_ORIGIN')
    expect(JSON.parse(unset.body)).toMatchObject({ link: null })
  })

  test('of a summary begin with the critical ones, and those that clients cannot cause in numbers', () => {
    const traffic = Array.from({ length: 60 }, (_, id) => {
      const subject = `messages to 37${id}`
      return { notification: notification(), alarm: opened({ id, kind: 'pumping', subject, severity: 'critical' }) }
    })
    const warning = { notification: notification(), alarm: opened({ subject: 'other' }) }
    const down = { notification: notification(), alarm: opened({ severity: 'critical' }) }
    const { text, body } = writeSummary([warning, ...traffic, down], HERE)
    const lines = text.split('\n')
    expect(lines.slice(1, 3)).toEqual(['- [critical] carrier_down acme', '- [critical] pumping messages to 370'])
    expect(lines.at(-3)).toBe('and 12 more: posthorn alarm list')
    expect(JSON.parse(body).alarms).toHaveLength(62)
  })
})
