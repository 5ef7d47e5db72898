/** All that operators can ask. */
import type { Endpoint } from './endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './endpoints/accounts.ts'
import { ALARM_ENDPOINTS } from './endpoints/alarms.ts'
import { AUDIT_ENDPOINTS } from './endpoints/audit.ts'
import { CALL_ENDPOINTS } from './endpoints/calls.ts'
import { CARRIER_ENDPOINTS } from './endpoints/carriers.ts'
import { CHAT_TEMPLATE_ENDPOINTS } from './endpoints/chat-templates.ts'
import { CONFIGURATION_ENDPOINTS } from './endpoints/configuration.ts'
import { GUARD_ENDPOINTS } from './endpoints/guards.ts'
import { HOOK_ENDPOINTS } from './endpoints/hooks.ts'
import { KEY_ENDPOINTS } from './endpoints/keys.ts'
import { MESSAGE_ENDPOINTS } from './endpoints/messages.ts'
import { MONEY_ENDPOINTS } from './endpoints/money.ts'
import { NODE_ENDPOINTS } from './endpoints/nodes.ts'
import { OPT_OUT_ENDPOINTS } from './endpoints/opt-outs.ts'
import { PRICE_ENDPOINTS } from './endpoints/prices.ts'
import { PRIVACY_ENDPOINTS } from './endpoints/privacy.ts'
import { ROUTE_ENDPOINTS } from './endpoints/routes.ts'
import { SENDER_ENDPOINTS } from './endpoints/senders.ts'
import { SESSION_ENDPOINTS } from './endpoints/session.ts'
import { USER_ENDPOINTS } from './endpoints/users.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  ...ACCOUNT_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...SENDER_ENDPOINTS,
  ...CHAT_TEMPLATE_ENDPOINTS,
  ...CARRIER_ENDPOINTS,
  ...ROUTE_ENDPOINTS,
  ...CALL_ENDPOINTS,
  ...CONFIGURATION_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...GUARD_ENDPOINTS,
  ...PRIVACY_ENDPOINTS,
  ...HOOK_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...OPT_OUT_ENDPOINTS,
  ...ALARM_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...NODE_ENDPOINTS,
]

/** For commands that are written by hand. */
export function endpointNamed(name: string): Endpoint {
  const found = ENDPOINTS.find((endpoint) => endpoint.name === name)
  if (found === undefined) throw new RangeError(`there is no endpoint ${name}`)
  return found
}
