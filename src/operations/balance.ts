/** `balance`: what the account can spend now; what is held for open messages is not in it. */
import type { Planned, Scope } from './planned.ts'

export function planBalance({ account }: Scope): Planned {
  return { draft: { kind: 'balance', currency: account.currency }, item: { kind: 'balance' } }
}
