/** Lifts or confirms an alarm about unusual traffic. */
import type { TrafficKey } from '../../../domain/guards/traffic.ts'
import { type TrafficAlarm, trafficKeyText } from '../../../domain/guards/traffic-alarm.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { UnknownThing } from '../fields/account-row.ts'

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
