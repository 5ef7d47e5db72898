/** Lifts or confirms an alarm about unusual traffic. */
import type { TrafficKey } from '../../../domain/guards/traffic.ts'
import { type TrafficAlarm, trafficKeyText } from '../../../domain/guards/traffic-alarm.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { writeTime } from '../fields/shapes.ts'
import { GUARD_RULE } from './guard.ts'

export const TRAFFIC_ALARM_CHANGES = {
  'set traffic alarm': {
    ...GUARD_RULE,
    audit: ({ alarm }, { trafficAlarms }) => {
      const { accountId, kind, prefix } = alarm
      const before = trafficAlarms.find((each) => trafficKeyText(each) === trafficKeyText(alarm))
      const shown = ({ state, until }: TrafficAlarm) => ({ state, until: writeTime(until) })
      const whose = accountId === null ? '' : ` of account ${accountId}`
      return entry(`alarm of ${kind} to ${prefix}${whose}`, before === undefined ? null : shown(before), shown(alarm))
    },
  },
} satisfies Changes

const LIFTED_FOR_MS = 86_400_000

/** Resumes the traffic, and raises no alarm about it for a day. Throws ChangeRefused if there is no such alarm. */
export function liftAlarm(store: SetupStore, clock: Clock, key: TrafficKey): Promise<TrafficAlarm> {
  return settle(store, key, { state: 'lifted', until: clock.now() + LIFTED_FOR_MS })
}

/** Stops the traffic until the alarm is lifted. Throws ChangeRefused if there is no such alarm. */
export function confirmAlarm(store: SetupStore, key: TrafficKey): Promise<TrafficAlarm> {
  return settle(store, key, { state: 'confirmed', until: null })
}

async function settle(
  store: SetupStore,
  key: TrafficKey,
  change: Pick<TrafficAlarm, 'state' | 'until'>,
): Promise<TrafficAlarm> {
  const { trafficAlarms } = await store.loadDirectory()
  const known = trafficAlarms.find((alarm) => trafficKeyText(alarm) === trafficKeyText(key))
  if (known === undefined) throw new UnknownThing('there is no such alarm: see posthorn alarm traffic')
  const alarm = { ...known, ...change }
  await store.change({ kind: 'set traffic alarm', alarm })
  return alarm
}
