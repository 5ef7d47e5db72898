/** Changes without effect on the directory: its revision stays the same. */
import type { Change } from '../../../ports/stores/setup-store.ts'

export const UNSEEN_CHANGES: ReadonlySet<Change['kind']> = new Set([
  'top up',
  'correct',
  'change hook',
  'note forgotten phone',
  'note bulk',
  'note queue',
  'note message',
  'note test message',
  'seal with',
  'count login',
  'settle login',
  'note failed login',
  'add sign-in link',
  'use one-time token',
  'add challenge',
  'use passkey',
  'raise alarm',
  'clear alarm',
  'acknowledge alarm',
  'resolve alarm',
  'delete alarms',
  'settle notifications',
  'add carrier times',
])
