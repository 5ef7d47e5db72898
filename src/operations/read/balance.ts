/** `balance`: what the account can spend now, without the amounts held for open messages. */
import type { Planned, Scope } from '../request/planned.ts'

export function planBalance({ account }: Scope): Planned {
  return { draft: { kind: 'balance', currency: account.currency }, item: { kind: 'balance' } }
}
