/** Endpoints of notification targets. */
import Type from 'typebox'
import type { NotificationTarget, StoredTarget } from '../../../domain/alarms/notification.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { KEPT } from '../carriers/kept-secrets.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { inputFields } from '../endpoint/resource.ts'
import { setItem } from '../endpoint/resource-endpoints.ts'
import { checkField, checkNew } from '../fields/field-refused.ts'
import { partialSchemas, viewOf, viewSchemas } from '../fields/fields.ts'
import {
  nullable,
  ONLY_NEW,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  SHOWN_ONCE,
  TIME,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { NOTIFICATION_TARGET, TARGET_NAME, targetNamed } from './notification-target.ts'

const { secret: _, ...SHOWN } = viewSchemas(NOTIFICATION_TARGET.fields)

const Target = Type.Object({
  ...SHOWN,
  sent_at: nullable(TIME, { description: 'when a notification was last sent' }),
  failed_at: nullable(TIME, { description: 'when a try last failed' }),
  last_error: nullable(Type.String(), { description: 'why the last try failed; null if it did not' }),
})

const PATH = '/notification-targets/{name}'
const PARAMS = { name: TARGET_NAME }

/** They decide where notifications go. */
const TARGETS: ChangeRule = { what: 'notification targets', may: OPERATORS, proof: true }

export const TARGET_CHANGES = {
  'set notification target': { ...TARGETS, audit: ({ target }, rows) => itemSet(NOTIFICATION_TARGET, target, rows) },
  'remove notification target': {
    ...TARGETS,
    audit: ({ name }, rows) => itemRemoved(NOTIFICATION_TARGET, { name }, rows),
  },
} satisfies Changes

export const TARGET_ENDPOINTS = [
  endpoint({
    name: 'listNotificationTargets',
    method: 'GET',
    path: '/notification-targets',
    command: 'notification-target list',
    columns: ['name', 'kind', 'min_severity', 'kinds', 'repeat_minutes', 'sent_at', 'last_error'],
    summary: 'list where operators are notified of alarms, and the last error of each target',
    may: READERS,
    query: PAGING,
    result: pageOf(Target),
    run: async ({ store }, paging) =>
      takePage((await store.loadDirectory('anew')).notificationTargets, paging, viewTarget),
  }),
  endpoint({
    name: 'showNotificationTarget',
    method: 'GET',
    path: PATH,
    command: 'notification-target show',
    summary: 'show a notification target',
    may: READERS,
    params: PARAMS,
    result: Target,
    entity: entityOf,
    run: async ({ store }, { name }) => viewTarget(targetNamed(await store.loadDirectory('anew'), name)),
  }),
  endpoint({
    name: 'setNotificationTarget',
    method: 'PUT',
    path: PATH,
    command: 'notification-target set',
    summary: 'create a notification target, or change single settings of one',
    may: OPERATORS,
    params: PARAMS,
    body: {
      ...partialSchemas(inputFields(NOTIFICATION_TARGET, 'name')),
      new: ONLY_NEW,
      new_secret: Type.Optional(Type.Boolean({ description: 'give a hook a new random secret' })),
    },
    result: Type.Object({ ...Target.properties, secret: Type.Optional(SHOWN_ONCE) }),
    entity: entityOf,
    run: setTarget,
  }),
  endpoint({
    name: 'removeNotificationTarget',
    method: 'DELETE',
    path: PATH,
    command: 'notification-target remove',
    summary: 'remove a notification target; notifications that wait for it are dropped',
    may: OPERATORS,
    params: PARAMS,
    entity: entityOf,
    run: async ({ store }, { name }) => {
      targetNamed(await store.loadDirectory(), name)
      await store.change({ kind: 'remove notification target', name })
    },
  }),
]

interface TargetInput {
  readonly name: string
  readonly new?: boolean
  readonly new_secret?: boolean
}

async function setTarget(tools: AdminTools, { new: onlyNew, new_secret: isNewSecret = false, ...shown }: TargetInput) {
  const present = (await tools.store.loadDirectory()).notificationTargets.find(({ name }) => name === shown.name)
  checkNew(onlyNew, present, 'name', `notification target ${shown.name}`)
  // Another kind has other settings.
  const isOther = 'kind' in shown && shown.kind !== present?.kind
  const before = isOther ? undefined : present
  const kept = before === undefined ? {} : viewOf(NOTIFICATION_TARGET.fields, before)
  const { kind, secret: given = null } = { ...kept, ...shown } as { readonly kind?: string; readonly secret?: string }
  checkField('kind', kind !== undefined, 'required for a new target')
  const isMade = kind === 'hook' && (isNewSecret || (given === null && before?.secret == null))
  const secret = isMade ? makeHookSecret(tools.random) : given
  const address = before !== undefined && !('address' in shown) && before.address !== null ? { address: KEPT } : {}
  await setItem(NOTIFICATION_TARGET, tools, { ...kept, ...shown, ...address, secret })
  const stored = targetNamed(await tools.store.loadDirectory(), shown.name)
  return { ...viewTarget(stored), ...(isMade ? { secret: secret ?? '' } : {}) }
}

function entityOf({ notificationTargets }: DirectoryRows, { name }: { readonly name: string }): object | null {
  const found = notificationTargets.find((target) => target.name === name)
  return found === undefined ? null : viewSettings(found)
}

function viewSettings(target: NotificationTarget) {
  const { secret: _, ...settings } = viewOf(NOTIFICATION_TARGET.fields, target)
  return settings
}

function viewTarget(target: StoredTarget) {
  const { sentAt, failedAt, lastError } = target
  const status = { sent_at: writeTime(sentAt), failed_at: writeTime(failedAt), last_error: lastError }
  return { ...viewSettings(target), ...status }
}
