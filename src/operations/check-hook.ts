/**
 * Refuses hooks whose address is visibly private, before anything is sent. Resolved names are checked when reports are
 * posted.
 */
import { isIP } from 'node:net'
import { notPublic } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'

/** Decides to which IP addresses reports may be sent. */
export interface HookGuard {
  permits(address: string): boolean
}

/** Addresses of `localhost` and names below it (RFC 6761). */
const LOOPBACK = ['127.0.0.1', '::1']

/** Throws ItemRefused for an IP address or `localhost` that hooks may not use. `hook` is an http(s) address. */
export function checkHook({ hookGuard }: { readonly hookGuard: HookGuard }, hook: string): void {
  if (isVisiblyPrivate(hookGuard, hook)) throw new ItemRefused(notPublic('hook'))
}

/** Returns whether the host is an IP address or `localhost` that hooks may not use. `hook` is an http(s) address. */
export function isVisiblyPrivate(guard: HookGuard, hook: string): boolean {
  const host = new URL(hook).hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(?:^|\.)localhost$/.test(host) ? LOOPBACK : isIP(host) === 0 ? [] : [host]
  return addresses.length > 0 && !addresses.some((address) => guard.permits(address))
}
