/** Alarms of several gateways on one database: each sees its own connections, and one of them checks for all. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AlarmCheck, AlarmWatch } from '../../src/delivery/alarms/alarm-watch.ts'
import type { AlarmKind, Observation } from '../../src/domain/alarms/alarm.ts'
import { type AlarmRuleSetting, alarmRules } from '../../src/domain/alarms/alarm-rule.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { eventually } from '../support/eventually.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const postgres = await usePostgres()

/** Ten seconds, so that no heartbeat is missed while the clock is turned. */
const RULES: readonly AlarmRuleSetting[] = (['carrier_down', 'queue_old'] as const).map((kind) => {
  return { kind, enabled: true, openAfterSeconds: 0, resolveAfterSeconds: 10, threshold: null }
})
const DOWN: Observation = { kind: 'carrier_down', subject: 'acme', severity: 'critical', detail: 'away' }
const OLD: Observation = { kind: 'queue_old', subject: 'messages', severity: 'critical', detail: 'old' }

interface Gateway {
  readonly store: PostgresStore
  readonly clock: VirtualClock
  readonly watch: AlarmWatch
  /** What it finds. */
  found: readonly Observation[]
}

describe.skipIf(postgres.isMissing)('alarms of several gateways', () => {
  let database: TestDatabase
  let open: Gateway[]
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    open = []
  })
  afterEach(async () => {
    for (const { store } of open) await store.close()
    await database.giveBack()
  })

  const start = async (): Promise<Gateway> => {
    const clock = new VirtualClock()
    const store = await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock, role: 'all' })
    const check = (kind: AlarmKind): AlarmCheck => {
      return { kinds: [kind], everyMs: 0, look: async () => gateway.found.filter((each) => each.kind === kind) }
    }
    const checks = [check('carrier_down'), check('queue_old')]
    const tools = { store, checks, rules: alarmRules(RULES), targets: () => [], clock, log: new SilentLog() }
    const gateway: Gateway = { store, clock, watch: new AlarmWatch(tools), found: [] }
    open.push(gateway)
    await live(1)
    return gateway
  }

  /** Lets every gateway run for this many seconds. */
  const live = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const { clock } of open) {
        clock.advance(1_000)
        await eventually('the beat to be over', () => clock.nextAt() === clock.now() + 1_000)
      }
    }
  }
  const stop = async (gateway: Gateway) => {
    open.splice(open.indexOf(gateway), 1)
    await gateway.store.close()
    await live(1)
  }
  const look = async () => {
    for (const { watch } of open) await watch.look()
  }
  const alarms = async () => {
    const { alarms } = (await open[0]?.store.alarms()) ?? { alarms: [] }
    return alarms.map(({ kind, state, seenBy }) => `${kind} ${state} ${seenBy.join(',')}`.trim())
  }

  test('a carrier that both cannot reach is one alarm, until both reach it', async () => {
    const [first, second] = [await start(), await start()]
    first.found = second.found = [DOWN]
    await look()
    expect(await alarms()).toEqual(['carrier_down open 1,2'])
    first.found = []
    await look()
    await live(11)
    await look()
    expect(await alarms()).toEqual(['carrier_down open 2'])
    second.found = []
    await look()
    await live(11)
    await look()
    expect(await alarms()).toEqual(['carrier_down resolved'])
  })

  test('what a gateway found that stopped is resolved, unless another one finds it by then', async () => {
    const [first, second] = [await start(), await start()]
    first.found = [DOWN, { ...DOWN, subject: 'other' }]
    await look()
    expect(await alarms()).toEqual(['carrier_down open 1', 'carrier_down open 1'])
    await stop(first)
    await look()
    second.found = [DOWN]
    await live(11)
    await look()
    await look()
    expect((await alarms()).sort()).toEqual(['carrier_down open 2', 'carrier_down resolved'])
  })

  test('only one of them checks for the installation, and another one after it', async () => {
    const [first, second] = [await start(), await start()]
    expect([first.watch.leads, second.watch.leads]).toEqual([true, false])
    second.found = [OLD]
    await look()
    expect(await alarms()).toEqual([])
    await stop(first)
    await look()
    expect(await alarms()).toEqual(['queue_old open 0'])
  })
})
