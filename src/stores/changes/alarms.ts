/** Rules of alarms and of the notifications that wait for their targets. */
import { type Alarm, acknowledge, clear, raise, resolve } from '../../domain/alarms/alarm.ts'
import type { NotificationEvent } from '../../domain/alarms/notification.ts'
import type { AlarmChange, SettledNotifications } from '../../ports/changes/alarm-change.ts'
import type { Row } from '../rows/cells/cell.ts'
import type { SealedTarget } from '../rows/sealing/seal-secrets.ts'
import { ALARMS, NOTIFICATIONS } from '../rows/setup/alarm-tables.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import {
  findItems,
  insertRow,
  putItem,
  putItems,
  type Rule,
  refuse,
  remove,
  removeItems,
  updateRow,
} from './row-step.ts'

type ChangeOf<Kind extends AlarmChange['kind']> = Extract<AlarmChange, { kind: Kind }>

export function* changeAlarm(change: AlarmChange): Rule<null> {
  switch (change.kind) {
    case 'raise alarm':
      return yield* raiseAlarm(change)
    case 'clear alarm':
      return yield* clearAlarm(change)
    case 'acknowledge alarm':
      return yield* acknowledgeAlarm(change)
    case 'resolve alarm': {
      const alarm = yield* requireOpen(change.alarmId)
      return yield* end(resolve(alarm, change.at), change.notify)
    }
    case 'delete alarms':
      for (const alarmId of change.alarmIds) {
        const count = yield* remove('alarm', { alarm_id: alarmId, state: 'resolved' })
        if (count > 0) yield* remove('notification', { alarm_id: alarmId })
      }
      return null
    case 'settle notifications':
      return yield* settleNotifications(change)
  }
}

/** What waits for the target is sent to its new address. */
export function* setTarget(target: SealedTarget): Rule<null> {
  return yield* putItem(DIRECTORY_ROWS.notificationTargets, target)
}

export function* removeTarget(name: string): Rule<null> {
  yield* remove('notification', { target: name })
  return yield* removeItems(DIRECTORY_ROWS.notificationTargets, [{ name }], `there is no notification target ${name}`)
}

function* raiseAlarm({ observation, node, at, notify }: ChangeOf<'raise alarm'>): Rule<null> {
  const { kind, subject } = observation
  const [before = null] = yield* findItems(ALARMS, [{ kind, subject }])
  const { alarm, isNews } = raise(before, { ...observation, node, at })
  if (before !== null) {
    yield* storeAlarm({ ...alarm, id: before.id })
    if (isNews) yield* notifyTargets(before.id, { event: 'opened', at, notify })
    return null
  }
  const id = Number(yield* insertRow('alarm', rowOf({ ...alarm, id: 0 }), 'alarm_id'))
  return yield* notifyTargets(id, { event: 'opened', at, notify })
}

function* clearAlarm({ alarmId, nodes, at, notify }: ChangeOf<'clear alarm'>): Rule<null> {
  const [before] = yield* findItems(ALARMS, [{ alarm_id: alarmId }])
  if (before === undefined || before.state === 'resolved') return null
  const alarm = clear(before, nodes, at)
  if (alarm.state === 'resolved') return yield* end(alarm, notify)
  return yield* storeAlarm(alarm)
}

function* acknowledgeAlarm({ alarmId, by, at }: ChangeOf<'acknowledge alarm'>): Rule<null> {
  const alarm = yield* requireOpen(alarmId)
  yield* remove('notification', { alarm_id: alarmId, event: 'repeated' })
  return yield* storeAlarm(acknowledge(alarm, by, at))
}

function* requireOpen(alarmId: number): Rule<Alarm> {
  const [alarm] = yield* findItems(ALARMS, [{ alarm_id: alarmId }])
  if (alarm === undefined) return refuse(`there is no alarm ${alarmId}`)
  return alarm.state === 'resolved' ? refuse(`alarm ${alarmId} is already resolved`) : alarm
}

/** Stores the resolved alarm. It replaces what its targets have not received yet. */
function* end(alarm: Alarm, notify: readonly string[]): Rule<null> {
  yield* storeAlarm(alarm)
  yield* remove('notification', { alarm_id: alarm.id })
  return yield* notifyTargets(alarm.id, { event: 'resolved', at: alarm.resolvedAt ?? alarm.openedAt, notify })
}

function* storeAlarm(alarm: Alarm): Rule<null> {
  yield* updateRow('alarm', rowOf(alarm), { alarm_id: alarm.id })
  return null
}

/** The database numbers alarms. */
function rowOf(alarm: Alarm): Row {
  const { alarm_id: _, ...row } = ALARMS.toRow(alarm)
  return row
}

interface News {
  readonly event: NotificationEvent
  readonly at: number
  readonly notify: readonly string[]
}

function notifyTargets(alarmId: number, { event, at, notify }: News): Rule<null> {
  return putItems(
    NOTIFICATIONS,
    notify.map((target) => ({ target, alarmId, event, at, dueAt: at, tries: 0 })),
  )
}

function* settleNotifications({ target, at, notifications, result }: SettledNotifications): Rule<null> {
  for (const { alarmId, at: of } of notifications) {
    const key = { target, alarm_id: alarmId, at: of }
    const [found] = yield* findItems(NOTIFICATIONS, [key])
    if (result.kind === 'sent') yield* updateRow('alarm', { notified_at: at }, { alarm_id: alarmId })
    if (found === undefined) continue
    if (result.kind === 'failed' && result.retryAt !== null) {
      yield* updateRow('notification', { due_at: result.retryAt, tries: found.tries + 1 }, key)
      continue
    }
    const [alarm] = yield* findItems(ALARMS, [{ alarm_id: alarmId }])
    const repeatAt = result.kind === 'sent' && alarm?.state === 'open' ? result.repeatAt : null
    if (repeatAt === null) yield* remove('notification', key)
    else yield* putItem(NOTIFICATIONS, { ...found, event: 'repeated', at: repeatAt, dueAt: repeatAt, tries: 0 })
  }
  if (result.kind === 'sent')
    yield* updateRow('notification_target', { sent_at: at, last_error: null }, { name: target })
  if (result.kind === 'failed') {
    yield* updateRow('notification_target', { failed_at: at, last_error: result.reason }, { name: target })
  }
  return null
}
