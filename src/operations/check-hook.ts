/**
 * Refuses hooks whose address is visibly private, before anything is sent. Resolved names are checked when reports are
 * posted.
 */
import { isIP } from 'node:net'
import { notPublic } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'
import { KeptValues } from '../domain/kept-values.ts'

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

/** Whether hooks are private, by guard: a client sends the same again and again. */
const judged = new WeakMap<HookGuard, KeptValues<string, boolean>>()
const MAX_JUDGED = 1_000
/** Longer ones are judged each time. */
const MAX_JUDGED_LENGTH = 512

/** Returns whether the host is an IP address or `localhost` that hooks may not use. `hook` is an http(s) address. */
export function isVisiblyPrivate(guard: HookGuard, hook: string): boolean {
  let known = judged.get(guard)
  if (known === undefined) {
    known = new KeptValues(MAX_JUDGED)
    judged.set(guard, known)
  }
  let isPrivate = known.get(hook)
  if (isPrivate === undefined) {
    isPrivate = judge(guard, hook)
    if (hook.length <= MAX_JUDGED_LENGTH) known.set(hook, isPrivate)
  }
  return isPrivate
}

function judge(guard: HookGuard, hook: string): boolean {
  const host = new URL(hook).hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(?:^|\.)localhost$/.test(host) ? LOOPBACK : isIP(host) === 0 ? [] : [host]
  return addresses.length > 0 && !addresses.some((address) => guard.permits(address))
}
