/** All admin endpoints. */
import { ACCOUNT_ENDPOINTS } from './accounts/account-endpoints.ts'
import { QUEUE_ENDPOINTS } from './accounts/queue-endpoints.ts'
import { ALARM_ENDPOINTS } from './alarms/alarm-endpoints.ts'
import { ALARM_RULE_ENDPOINTS } from './alarms/alarm-rule.ts'
import { TARGET_ENDPOINTS } from './alarms/notification-target.ts'
import { AUDIT_ENDPOINTS } from './audit/audit-endpoints.ts'
import { BULK_ENDPOINTS } from './bulks/bulk-endpoints.ts'
import { BULK_ERROR_ENDPOINTS } from './bulks/bulk-error-endpoints.ts'
import { NEW_BULK_ENDPOINTS } from './bulks/new-bulk-endpoints.ts'
import { CARRIER_ENDPOINTS } from './carriers/carrier-endpoints.ts'
import { HISTORY_ENDPOINTS } from './carriers/carrier-history.ts'
import { CARRIER_QUEUE_ENDPOINTS } from './carriers/carrier-queue.ts'
import { PROVIDER_ENDPOINTS } from './carriers/provider-endpoints.ts'
import { CHAT_TEMPLATE_ENDPOINTS } from './chat-templates/chat-template-endpoints.ts'
import { CHECKLIST_ENDPOINTS } from './checklist/checklist-endpoints.ts'
import { CONFIGURATION_ENDPOINTS } from './configuration/configuration-endpoints.ts'
import { COST_ENDPOINTS } from './costs/cost.ts'
import type { Endpoint } from './endpoint/endpoint.ts'
import { GUARD_ENDPOINTS } from './guards/guard.ts'
import { TRAFFIC_ALARM_ENDPOINTS } from './guards/traffic-alarms.ts'
import { CLIENT_HOOK_ENDPOINTS } from './hooks/client-hook-endpoints.ts'
import { FAILING_HOOK_ENDPOINTS } from './hooks/failing-hooks.ts'
import { HOOK_ENDPOINTS } from './hooks/hook-endpoints.ts'
import { HOOK_STATE_ENDPOINTS } from './hooks/hook-states.ts'
import { HOOK_STATISTICS_ENDPOINTS } from './hooks/hook-statistics.ts'
import { REPORT_ENDPOINTS } from './hooks/report-endpoints.ts'
import { INBOUND_NUMBER_ENDPOINTS } from './inbound-numbers/inbound-number.ts'
import { KEY_ENDPOINTS } from './keys/key-endpoints.ts'
import { LINK_ENDPOINTS } from './links/link-endpoints.ts'
import { BIND_ENDPOINTS } from './logins/bind-endpoints.ts'
import { LOGIN_ENDPOINTS } from './logins/logins.ts'
import { LOOKUP_ENDPOINTS } from './lookups/lookup-endpoints.ts'
import { READ_NUMBER_ENDPOINTS } from './lookups/read-number.ts'
import { CALL_ENDPOINTS } from './messages/call-endpoints.ts'
import { CONVERSATION_ENDPOINTS } from './messages/conversation.ts'
import { PRIVACY_ENDPOINTS } from './messages/forget-phone.ts'
import { INBOUND_ENDPOINTS } from './messages/inbound-endpoints.ts'
import { DETAIL_ENDPOINTS } from './messages/message-details.ts'
import { MESSAGE_ENDPOINTS } from './messages/message-endpoints.ts'
import { RECORD_ENDPOINTS } from './messages/message-records.ts'
import { UNSETTLED_ENDPOINTS } from './messages/unsettled-endpoints.ts'
import { VERIFY_ENDPOINTS } from './messages/verify-endpoints.ts'
import { WAITING_ENDPOINTS } from './messages/waiting-endpoints.ts'
import { MONEY_ENDPOINTS } from './money/money-endpoints.ts'
import { NODE_ENDPOINTS } from './nodes/node-endpoints.ts'
import { OPERATOR_LIST_ENDPOINTS } from './operators/operator-endpoints.ts'
import { OPERATOR_ENDPOINTS } from './operators/operators.ts'
import { OPT_OUT_ENDPOINTS } from './opt-outs/opt-outs.ts'
import { POOL_ENDPOINTS } from './pools/pool.ts'
import { ACCOUNT_PRICE_ENDPOINTS } from './prices/account-prices.ts'
import { MOVE_ACCOUNTS } from './prices/move-accounts.ts'
import { PRICE_ENDPOINTS } from './prices/price.ts'
import { PRICE_GROUP_ENDPOINTS } from './prices/price-group.ts'
import { TARIFF_ENDPOINTS } from './prices/tariff-endpoints.ts'
import { QUALITY_ENDPOINTS } from './quality/quality-endpoints.ts'
import { QUALITY_RULE_ENDPOINTS } from './quality/quality-rule.ts'
import { ROUTE_ENDPOINTS } from './routes/route.ts'
import { SENDER_ENDPOINTS } from './senders/senders.ts'
import { PASSKEY_ENDPOINTS } from './session/passkeys.ts'
import { SESSION_ENDPOINTS } from './session/session-endpoints.ts'
import { IMPORT_COSTS } from './sheets/cost-sheet.ts'
import { IMPORT_PRICES } from './sheets/price-sheet.ts'
import { STATISTICS_ENDPOINTS } from './statistics/statistics-endpoints.ts'
import { SEND_CHOICE_ENDPOINTS } from './trials/send-choices.ts'
import { SEND_ENDPOINTS } from './trials/send-endpoints.ts'
import { TRIAL_ENDPOINTS } from './trials/trial-endpoints.ts'
import { USER_ENDPOINTS } from './users/users.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  ...ACCOUNT_ENDPOINTS,
  ...CHECKLIST_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...ACCOUNT_PRICE_ENDPOINTS,
  ...PRICE_GROUP_ENDPOINTS,
  MOVE_ACCOUNTS,
  ...TARIFF_ENDPOINTS,
  ...COST_ENDPOINTS,
  IMPORT_COSTS,
  IMPORT_PRICES,
  ...QUEUE_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...LOGIN_ENDPOINTS,
  ...BIND_ENDPOINTS,
  ...SENDER_ENDPOINTS,
  ...CHAT_TEMPLATE_ENDPOINTS,
  ...CARRIER_ENDPOINTS,
  ...CARRIER_QUEUE_ENDPOINTS,
  ...HISTORY_ENDPOINTS,
  ...PROVIDER_ENDPOINTS,
  ...ROUTE_ENDPOINTS,
  ...QUALITY_RULE_ENDPOINTS,
  ...QUALITY_ENDPOINTS,
  ...TRIAL_ENDPOINTS,
  ...POOL_ENDPOINTS,
  ...INBOUND_NUMBER_ENDPOINTS,
  ...OPERATOR_ENDPOINTS,
  ...OPERATOR_LIST_ENDPOINTS,
  ...CALL_ENDPOINTS,
  ...VERIFY_ENDPOINTS,
  ...STATISTICS_ENDPOINTS,
  ...LINK_ENDPOINTS,
  ...CONFIGURATION_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...WAITING_ENDPOINTS,
  ...UNSETTLED_ENDPOINTS,
  ...DETAIL_ENDPOINTS,
  ...SEND_ENDPOINTS,
  ...SEND_CHOICE_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...GUARD_ENDPOINTS,
  ...PRIVACY_ENDPOINTS,
  ...LOOKUP_ENDPOINTS,
  ...READ_NUMBER_ENDPOINTS,
  ...HOOK_ENDPOINTS,
  ...FAILING_HOOK_ENDPOINTS,
  ...HOOK_STATISTICS_ENDPOINTS,
  ...HOOK_STATE_ENDPOINTS,
  ...REPORT_ENDPOINTS,
  ...CLIENT_HOOK_ENDPOINTS,
  ...NEW_BULK_ENDPOINTS,
  ...BULK_ERROR_ENDPOINTS,
  ...BULK_ENDPOINTS,
  ...INBOUND_ENDPOINTS,
  ...CONVERSATION_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...PASSKEY_ENDPOINTS,
  ...OPT_OUT_ENDPOINTS,
  ...ALARM_ENDPOINTS,
  ...TRAFFIC_ALARM_ENDPOINTS,
  ...TARGET_ENDPOINTS,
  ...ALARM_RULE_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...NODE_ENDPOINTS,
]

/** Finds an endpoint for a hand-written command. */
export function endpointNamed(name: string): Endpoint {
  const found = ENDPOINTS.find((endpoint) => endpoint.name === name)
  if (found === undefined) throw new RangeError(`there is no endpoint ${name}`)
  return found
}
