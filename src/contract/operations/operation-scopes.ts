/** Which API keys may execute which operation, by scope and test mode. Reading belongs to the scope of what is read. */
import type { KeyScope } from '../../domain/accounts/api-key.ts'

/** Scopes that do not follow from the name. A key that may send may also request the price of sending. */
const SCOPES: Readonly<Record<string, readonly KeyScope[]>> = {
  'call/otp': ['otp'],
  'verify/start': ['otp'],
  'verify/check': ['otp'],
  'verify/resend': ['otp'],
  balance: ['balance'],
  'posting/list': ['balance'],
  'statement/get': ['balance'],
  /** Of messages and of calls. */
  status: ['send', 'otp'],
  statistics: ['send', 'otp'],
  'event/list': ['hooks'],
  'inbound/list': ['inbound'],
  lookup: ['lookup'],
  hlr: ['lookup'],
}

/**
 * Acknowledging an event takes it from the client that works with live messages. Inbound messages are those of live
 * numbers, statistics those of live messages, and money that of both.
 */
const LIVE_ONLY: ReadonlySet<string> = new Set([
  'template/create',
  'template/delete',
  'event/list',
  'inbound/list',
  'statistics',
  'posting/list',
  'statement/get',
  'hook/create',
  'hook/update',
  'hook/rotate',
  'hook/delete',
  'hook/test',
  'hook/replay',
])

/** One of them suffices: a send needs `send`, and so does requesting its price or cancelling it. */
export function scopesOf(type: string): readonly KeyScope[] {
  if (type.startsWith('hook/')) return ['hooks']
  return SCOPES[type] ?? (type.startsWith('template/') ? ['templates'] : ['send'])
}

/** Returns whether it changes or reads data of live messages: not allowed for test keys. */
export function isLiveOnly(type: string): boolean {
  return LIVE_ONLY.has(type)
}
