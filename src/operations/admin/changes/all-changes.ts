/**
 * All changes that operators make: the definition of each kind, beside its endpoints. The compiler names a kind without
 * one.
 */
import { ACCOUNT_CHANGES } from '../accounts/accounts.ts'
import { ALARM_CHANGES } from '../alarms/alarm-endpoints.ts'
import { ALARM_RULE_CHANGES } from '../alarms/alarm-rule.ts'
import { TARGET_CHANGES } from '../alarms/notification-target.ts'
import { BULK_CHANGES } from '../bulks/bulk-endpoints.ts'
import { CARRIER_CHANGES } from '../carriers/carrier.ts'
import { CHAT_TEMPLATE_CHANGES } from '../chat-templates/chat-templates.ts'
import { COST_CHANGES } from '../costs/cost.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeDefinition, ChangeKind, Changes, SingleChange } from '../endpoint/change.ts'
import { OWNERS } from '../fields/shapes.ts'
import { GUARD_CHANGES } from '../guards/guard.ts'
import { TRAFFIC_ALARM_CHANGES } from '../guards/traffic-alarms.ts'
import { CLIENT_HOOK_CHANGES } from '../hooks/client-hook-endpoints.ts'
import { FAILING_HOOK_CHANGES } from '../hooks/failing-hooks.ts'
import { HOOK_CHANGES } from '../hooks/hooks.ts'
import { INBOUND_NUMBER_CHANGES } from '../inbound-numbers/inbound-number.ts'
import { KEY_CHANGES } from '../keys/api-keys.ts'
import { LOGIN_CHANGES } from '../logins/logins.ts'
import { PRIVACY_CHANGES } from '../messages/forget-phone.ts'
import { QUEUE_CHANGES } from '../messages/waiting-endpoints.ts'
import { MONEY_CHANGES } from '../money/payments.ts'
import { OPERATOR_CHANGES } from '../operators/operators.ts'
import { OPT_OUT_CHANGES } from '../opt-outs/opt-outs.ts'
import { POOL_CHANGES } from '../pools/pool.ts'
import { TARIFF_CHANGES } from '../prices/import-tariff.ts'
import { PRICE_CHANGES } from '../prices/price.ts'
import { PRICE_GROUP_CHANGES } from '../prices/price-group.ts'
import { DEMOTION_CHANGES } from '../quality/quality-endpoints.ts'
import { QUALITY_RULE_CHANGES } from '../quality/quality-rule.ts'
import { ROUTE_CHANGES } from '../routes/route.ts'
import { SENDER_CHANGES } from '../senders/senders.ts'
import { SESSION_CHANGES } from '../session/log-in.ts'
import { ATTEMPT_CHANGES } from '../session/login-attempt.ts'
import { PASSKEY_CHANGES } from '../session/passkeys.ts'
import { SECRET_CHANGES } from '../session/set-secrets.ts'
import { SIGN_IN_LINK_CHANGES } from '../session/sign-in-link.ts'
import { SSO_CHANGES } from '../session/sso.ts'
import { CHALLENGE_CHANGES } from '../session/webauthn.ts'
import { COST_SHEET_CHANGES } from '../sheets/cost-sheet.ts'
import { SEND_CHANGES } from '../trials/send-endpoints.ts'
import { USER_CHANGES } from '../users/users.ts'

export const CHANGES: Required<Changes> = unite(
  ACCOUNT_CHANGES,
  MONEY_CHANGES,
  PRICE_CHANGES,
  PRICE_GROUP_CHANGES,
  TARIFF_CHANGES,
  COST_CHANGES,
  COST_SHEET_CHANGES,
  KEY_CHANGES,
  LOGIN_CHANGES,
  SENDER_CHANGES,
  CHAT_TEMPLATE_CHANGES,
  CARRIER_CHANGES,
  ROUTE_CHANGES,
  QUALITY_RULE_CHANGES,
  DEMOTION_CHANGES,
  POOL_CHANGES,
  INBOUND_NUMBER_CHANGES,
  OPERATOR_CHANGES,
  QUEUE_CHANGES,
  PRIVACY_CHANGES,
  SEND_CHANGES,
  GUARD_CHANGES,
  TRAFFIC_ALARM_CHANGES,
  HOOK_CHANGES,
  FAILING_HOOK_CHANGES,
  CLIENT_HOOK_CHANGES,
  BULK_CHANGES,
  SESSION_CHANGES,
  ATTEMPT_CHANGES,
  SIGN_IN_LINK_CHANGES,
  SSO_CHANGES,
  SECRET_CHANGES,
  PASSKEY_CHANGES,
  CHALLENGE_CHANGES,
  OPT_OUT_CHANGES,
  ALARM_CHANGES,
  TARGET_CHANGES,
  ALARM_RULE_CHANGES,
  USER_CHANGES,
  {
    // Made by a command alone: posthorn secret-key rotate.
    'seal with': {
      what: 'the key that seals',
      may: OWNERS,
      audit: ({ keyId }) => entry('the key that seals', null, { key: keyId }),
    },
  } satisfies Changes,
)

/** Returns the definitions of all parts; throws if two of them define the same kind. */
export function unite<Parts extends readonly Changes[]>(...parts: Parts): United<Parts[number]> {
  const united: Record<string, unknown> = {}
  for (const [kind, definition] of parts.flatMap((part) => Object.entries(part))) {
    if (kind in united) throw new Error(`two definitions of the change "${kind}"`)
    united[kind] = definition
  }
  return united as United<Parts[number]>
}

/** Has all members of the types of a union. */
type United<Part> = (Part extends unknown ? (part: Part) => void : never) extends (united: infer All) => void
  ? All
  : never

export function definitionOf({ kind }: SingleChange): ChangeDefinition<ChangeKind> {
  return CHANGES[kind] as ChangeDefinition<ChangeKind>
}
