/** A call to a hook, without a signature unless secrets are given. */
import type { HookCall } from '../../src/ports/hooks/hook-post.ts'

export function callTo(address: string, change: Partial<HookCall> = {}): HookCall {
  return {
    account: 1,
    address,
    body: '{}',
    count: null,
    id: 'rep_1_0',
    at: Date.UTC(2026, 0, 1),
    secrets: [],
    ...change,
  }
}
