/** All that operators can ask. */
import type { Endpoint } from './endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './endpoints/accounts.ts'
import { AUDIT_ENDPOINTS } from './endpoints/audit.ts'
import { GUARD_ENDPOINTS } from './endpoints/guards.ts'
import { KEY_ENDPOINTS } from './endpoints/keys.ts'
import { MESSAGE_ENDPOINTS } from './endpoints/messages.ts'
import { USER_ENDPOINTS } from './endpoints/users.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  ...ACCOUNT_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...GUARD_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
]
