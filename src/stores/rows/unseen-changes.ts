/** Changes that the directory does not show: its revision stays as it is. */
import type { Change } from '../../ports/setup-store.ts'

export const UNSEEN_CHANGES: ReadonlySet<Change['kind']> = new Set([
  'top up',
  'correct',
  'note forgotten phone',
  'seal with',
  'count login',
  'settle login',
  'note failed login',
])
