/** All that operators can ask. */

import { CARRIER_ENDPOINTS } from './carriers/carrier-endpoints.ts'
import { CONFIGURATION_ENDPOINTS } from './configuration/configuration-endpoints.ts'
import { COST_ENDPOINTS } from './costs/cost.ts'
import type { Endpoint } from './endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './endpoints/accounts.ts'
import { ALARM_ENDPOINTS } from './endpoints/alarms.ts'
import { AUDIT_ENDPOINTS } from './endpoints/audit.ts'
import { CALL_ENDPOINTS } from './endpoints/calls.ts'
import { CHAT_TEMPLATE_ENDPOINTS } from './endpoints/chat-templates.ts'
import { HOOK_ENDPOINTS } from './endpoints/hooks.ts'
import { KEY_ENDPOINTS } from './endpoints/keys.ts'
import { MESSAGE_ENDPOINTS } from './endpoints/messages.ts'
import { MONEY_ENDPOINTS } from './endpoints/money.ts'
import { NODE_ENDPOINTS } from './endpoints/nodes.ts'
import { OPT_OUT_ENDPOINTS } from './endpoints/opt-outs.ts'
import { PRIVACY_ENDPOINTS } from './endpoints/privacy.ts'
import { SENDER_ENDPOINTS } from './endpoints/senders.ts'
import { SESSION_ENDPOINTS } from './endpoints/session.ts'
import { USER_ENDPOINTS } from './endpoints/users.ts'
import { GUARD_ENDPOINTS } from './guards/guard.ts'
import { OPERATOR_ENDPOINTS } from './operators/operators.ts'
import { POOL_ENDPOINTS } from './pools/pool.ts'
import { PRICE_ENDPOINTS } from './prices/price.ts'
import { TARIFF_ENDPOINTS } from './prices/tariff-endpoints.ts'
import { ROUTE_ENDPOINTS } from './routes/route.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  ...ACCOUNT_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...TARIFF_ENDPOINTS,
  ...COST_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...SENDER_ENDPOINTS,
  ...CHAT_TEMPLATE_ENDPOINTS,
  ...CARRIER_ENDPOINTS,
  ...ROUTE_ENDPOINTS,
  ...POOL_ENDPOINTS,
  ...OPERATOR_ENDPOINTS,
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
