/** Notification targets: where operators are notified of alarms. */
import Type from 'typebox'
import { isAbsoluteAddress } from '../../../contract/fields/kinds.ts'
import { ALARM_KINDS, SEVERITIES } from '../../../domain/alarms/alarm.ts'
import {
  MAX_RECIPIENTS,
  MAX_TARGETS,
  type NotificationTarget,
  type StoredTarget,
  TARGET_KINDS,
} from '../../../domain/alarms/notification.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { isTimeZone } from '../../../domain/time/local-time.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { brokenHookRule, type HookGuard } from '../../request/check-hook.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { isSecret, KEPT } from '../carriers/kept-secrets.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { inputFields, resource } from '../endpoint/resource.ts'
import { setItem } from '../endpoint/resource-endpoints.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { checkField, checkNew, TIME_ZONE_RULE } from '../fields/field-refused.ts'
import { field, partialSchemas, viewOf, viewSchemas } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import {
  nullable,
  ONLY_NEW,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  SECRET_INPUT,
  SHOWN_ONCE,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

export const TARGET_NAME = Type.String({ maxLength: 40, description: 'name of the target', examples: ['on-call'] })
const MAX_REPEAT_MINUTES = 10_080

export const NOTIFICATION_TARGET = resource<NotificationTarget>({
  section: 'notification_targets',
  key: ['name'],
  fields: {
    name: TARGET_NAME,
    kind: Type.Enum([...TARGET_KINDS], {
      description: 'hook: a signed POST; email: by the server of POSTHORN_SMTP_URL; slack: an incoming webhook',
    }),
    address: field(
      'address',
      nullable(Type.String({ maxLength: 2_048 }), {
        default: null,
        description: `address of a hook or an incoming webhook, shown without its path; ${KEPT} for the present one`,
      }),
      { view: showHost, read: (address) => address },
    ),
    recipients: Type.Array(Type.String({ maxLength: 254 }), {
      default: [],
      maxItems: MAX_RECIPIENTS,
      description: 'e-mail addresses',
      examples: ['ops@example.com'],
    }),
    secret: field(
      'secret',
      nullable(Type.String({ maxLength: 200 }), {
        ...SECRET_INPUT,
        default: null,
        description: `signs the POSTs to a hook, whsec_ and base64; by default the present one, of a new hook a random one`,
      }),
      { view: () => KEPT, read: (secret) => secret },
    ),
    minSeverity: Type.Enum([...SEVERITIES], {
      default: 'warning',
      description: 'only alarms of this severity or more',
    }),
    kinds: nullable(Type.Array(Type.Enum([...ALARM_KINDS])), {
      default: null,
      description: 'only alarms of these kinds; all by default',
    }),
    repeatMinutes: nullable(whole({ minimum: 1, maximum: MAX_REPEAT_MINUTES }), {
      default: null,
      description: 'minutes between notifications of an alarm that is open and not acknowledged; by default one only',
    }),
    enabled: Type.Boolean({ default: true, description: 'no: it is paused, and gets no notifications but tests' }),
    timeZone: Type.String({
      default: 'UTC',
      maxLength: 60,
      description: 'time zone of the times in e-mails and in Slack',
      examples: ['Europe/Berlin'],
    }),
  },
  items: ({ notificationTargets }) => notificationTargets,
  check: (target, { rows, hookGuard }) => {
    checkId('name', 'the name of a target', target.name)
    const known = rows.notificationTargets.find(({ name }) => name === target.name) ?? null
    checkField(
      'name',
      known !== null || rows.notificationTargets.length < MAX_TARGETS,
      `at most ${MAX_TARGETS} targets`,
    )
    checkField('time_zone', isTimeZone(target.timeZone), TIME_ZONE_RULE)
    const filled = fillKept(target, known)
    if (filled.kind === 'email') checkMail(filled)
    else checkPosts(filled, hookGuard)
    return filled
  },
  describe: ({ name }) => `notification target ${name}`,
  isSecret: (text, path) => path === 'secret' || path === 'address' || isSecret(text, path),
  set: ({ name, kind, address, recipients, secret, minSeverity, kinds, repeatMinutes, enabled, timeZone }) => ({
    kind: 'set notification target',
    target: { name, kind, address, recipients, secret, minSeverity, kinds, repeatMinutes, enabled, timeZone },
  }),
  remove: ({ name }) => ({ kind: 'remove notification target', name }),
})

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
    columns: ['name', 'kind', 'enabled', 'min_severity', 'kinds', 'repeat_minutes', 'sent_at', 'last_error'],
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

/** Throws UnknownThing. */
export function targetNamed({ notificationTargets }: DirectoryRows, name: string): StoredTarget {
  const found = notificationTargets.find((target) => target.name === name)
  if (found === undefined) throw new UnknownThing(`there is no notification target ${name}`)
  return found
}

/** Any part of the path may be a token, also one of a few letters. */
function showHost(address: string): string {
  const [, scheme = '', host = ''] = /^(https?:\/\/)(?:[^/\\?#]*@)?([^/\\?#]*)/i.exec(address) ?? []
  return `${scheme}${host}/${KEPT}`
}

/** Returns the target with the stored address and secret in place of those that were not given. */
function fillKept(target: NotificationTarget, known: NotificationTarget | null): NotificationTarget {
  const same = known?.kind === target.kind ? known : null
  const stored = same?.address ?? null
  const isKept = target.secret === null || target.secret === KEPT
  const filled = { ...target, secret: isKept ? (same?.secret ?? null) : target.secret }
  if (target.address?.endsWith(KEPT) !== true) return filled
  if (stored === null) throw new ChangeRefused(`address is ${KEPT}, but none is stored: give the address itself`)
  const isPresent = target.address === KEPT || target.address === showHost(stored)
  checkField('address', isPresent, `${KEPT} cannot stand for the path at another host: give the address itself`)
  return { ...filled, address: stored }
}

function checkMail({ address, recipients, secret }: NotificationTarget): void {
  checkField('address', address === null, 'e-mail has recipients instead')
  checkField('secret', secret === null, 'e-mail is not signed')
  checkField('recipients', recipients.length > 0, 'at least one e-mail address')
  const wrong = recipients.find((each) => !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(each))
  checkField('recipients', wrong === undefined, `${JSON.stringify(wrong)} is not an e-mail address`)
}

function checkPosts({ kind, address, recipients, secret }: NotificationTarget, guard: HookGuard | undefined): void {
  checkField('recipients', recipients.length === 0, 'only e-mail has recipients')
  if (address === null || !isAbsoluteAddress(address)) {
    throw new ChangeRefused('address: must be an absolute http(s) address')
  }
  const broken = guard === undefined ? null : brokenHookRule(guard, address)
  checkField('address', broken === null, broken ?? '')
  if (kind === 'slack') {
    checkField('secret', secret === null, 'an incoming webhook is not signed')
    return
  }
  const isGood = secret !== null && /^whsec_[A-Za-z0-9+/]{32,100}={0,2}$/.test(secret)
  checkField('secret', isGood, 'a hook needs a secret: whsec_ and at least 24 bytes in base64')
}
