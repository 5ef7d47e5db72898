/** Which keys open which operation, by their scopes and whether they are for tests. What reads belongs to what it reads of. */
import type { KeyScope } from '../domain/api-key.ts'

/** Those that are not told by their name. A price can be learnt by whoever may send for it, so it is no secret from them. */
const SCOPES: Readonly<Record<string, readonly KeyScope[]>> = {
  'call/otp': ['otp'],
  balance: ['balance'],
  /** Of messages and of calls. */
  status: ['send', 'otp'],
}

/** One of them is enough: a send needs `send`, and so does what asks for its price or cancels it. */
export function scopesOf(type: string): readonly KeyScope[] {
  return SCOPES[type] ?? (type.startsWith('template/') ? ['templates'] : ['send'])
}

/** Whether it changes what live messages are made of: no test may. */
export function isLiveOnly(type: string): boolean {
  return type === 'template/create' || type === 'template/delete'
}
