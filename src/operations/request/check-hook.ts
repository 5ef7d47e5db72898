/**
 * Refuses hooks whose address is visibly private or has the port of another service, before anything is sent.
 * Resolved names are checked when reports are posted.
 */
import { isIP } from 'node:net'
import { isAbsoluteAddress } from '../../contract/fields/kinds.ts'
import { notPublic, PORT_RULE, PUBLIC_RULE } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { Login } from '../../domain/accounts/login.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { isRefusedPort } from '../../domain/network/refused-ports.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import { isTarget, loginOf, urlOf } from '../../domain/reports/report-target.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'

/** Decides to which IP addresses reports may be sent. */
export interface HookGuard {
  permits(address: string): boolean
}

/** Addresses of `localhost` and names below it (RFC 6761). */
const LOOPBACK = ['127.0.0.1', '::1']

/** Throws ItemRefused for an address that hooks may not have. `hook` is an http(s) address. */
export function checkHook({ hookGuard }: { readonly hookGuard: HookGuard }, hook: string): void {
  const fault = faultOf(hookGuard, hook)
  if (fault !== null) throw new ItemRefused(fault === 'port' ? `hook: ${PORT_RULE}` : notPublic('hook'))
}

/** Returns whether operators may give it as a hook: unlike clients, also in a form of report-target.ts. */
export function isHook(hook: string): boolean {
  return isFeed(hook) || isAbsoluteAddress(hook) || isTarget(hook, isAbsoluteAddress)
}

/** Returns the rule that the address breaks, for operators; null if it breaks none. */
export function brokenHookRule(guard: HookGuard, hook: string): string | null {
  const url = urlOf(hook)
  if (!isAbsoluteAddress(url)) return null
  const fault = faultOf(guard, url)
  if (fault === null) return null
  return fault === 'port' ? PORT_RULE : `${PUBLIC_RULE}, except those of POSTHORN_HOOK_ALLOW`
}

/** Returns the rule that a hook of an account breaks whose reports go to a login; null if it breaks none. */
export function faultOfLoginHook(logins: readonly Login[], accountId: AccountId, hook: string): string | null {
  const name = loginOf(hook)
  if (name === null || logins.some((login) => login.accountId === accountId && login.name === name)) return null
  return `account ${accountId} has no login named ${JSON.stringify(name)}: add it first (posthorn login add)`
}

type HookFault = 'private' | 'port'

/** What is wrong with hooks, by guard: a client sends the same again and again. */
const judged = new WeakMap<HookGuard, KeptValues<string, HookFault | 'none'>>()
const MAX_JUDGED = 1_000
/** Longer ones are judged each time. */
const MAX_JUDGED_LENGTH = 512

function faultOf(guard: HookGuard, hook: string): HookFault | null {
  let known = judged.get(guard)
  if (known === undefined) {
    known = new KeptValues(MAX_JUDGED)
    judged.set(guard, known)
  }
  let fault = known.get(hook)
  if (fault === undefined) {
    fault = judge(guard, hook) ?? 'none'
    if (hook.length <= MAX_JUDGED_LENGTH) known.set(hook, fault)
  }
  return fault === 'none' ? null : fault
}

function judge(guard: HookGuard, hook: string): HookFault | null {
  const { hostname, port } = new URL(hook)
  if (isRefusedPort(port)) return 'port'
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(?:^|\.)localhost$/.test(host) ? LOOPBACK : isIP(host) === 0 ? [] : [host]
  return addresses.length > 0 && !addresses.some((address) => guard.permits(address)) ? 'private' : null
}
