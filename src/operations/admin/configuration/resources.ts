/** All resources of a configuration file; those that others refer to come first. */
import { NAMED_SETTINGS } from '../accounts/account-settings.ts'
import { ALARM_RULE } from '../alarms/alarm-rule.ts'
import { NOTIFICATION_TARGET } from '../alarms/notification-target.ts'
import { CARRIER_SETUP } from '../carriers/carrier.ts'
import { COST } from '../costs/cost.ts'
import type { Resource } from '../endpoint/resource.ts'
import { GUARDS, LISTED_NUMBER } from '../guards/guard.ts'
import { INBOUND_NUMBER } from '../inbound-numbers/inbound-number.ts'
import { POOL } from '../pools/pool.ts'
import { PRICE } from '../prices/price.ts'
import { GROUP_MEMBERSHIP, PRICE_GROUP } from '../prices/price-group.ts'
import { QUALITY_RULE } from '../quality/quality-rule.ts'
import { ROUTE } from '../routes/route.ts'

export const RESOURCES: readonly Resource[] = [
  CARRIER_SETUP,
  POOL,
  ROUTE,
  COST,
  PRICE_GROUP,
  PRICE,
  GROUP_MEMBERSHIP,
  NAMED_SETTINGS,
  GUARDS,
  LISTED_NUMBER,
  INBOUND_NUMBER,
  NOTIFICATION_TARGET,
  ALARM_RULE,
  QUALITY_RULE,
]
