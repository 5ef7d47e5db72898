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
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { brokenHookRule, type HookGuard } from '../../request/check-hook.ts'
import { isSecret, KEPT } from '../carriers/kept-secrets.ts'
import { resource } from '../endpoint/resource.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { checkField } from '../fields/field-refused.ts'
import { field } from '../fields/fields.ts'
import { checkId } from '../fields/label.ts'
import { nullable, SECRET_INPUT, whole } from '../fields/shapes.ts'

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
  },
  items: ({ notificationTargets }) => notificationTargets,
  check: (target, { rows, hookGuard }) => {
    checkId('the name of a target', target.name)
    const known = rows.notificationTargets.find(({ name }) => name === target.name) ?? null
    checkField(
      'name',
      known !== null || rows.notificationTargets.length < MAX_TARGETS,
      `at most ${MAX_TARGETS} targets`,
    )
    const filled = fillKept(target, known)
    if (filled.kind === 'email') checkMail(filled)
    else checkPosts(filled, hookGuard)
    return filled
  },
  describe: ({ name }) => `notification target ${name}`,
  isSecret: (text, path) => path === 'secret' || path === 'address' || isSecret(text, path),
  set: ({ name, kind, address, recipients, secret, minSeverity, kinds, repeatMinutes }) => ({
    kind: 'set notification target',
    target: { name, kind, address, recipients, secret, minSeverity, kinds, repeatMinutes },
  }),
  remove: ({ name }) => ({ kind: 'remove notification target', name }),
})

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
