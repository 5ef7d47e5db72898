/**
 * Refuses hooks whose address is visibly private, before anything is sent. Resolved names are checked when reports are
 * posted.
 */
import { isIP } from 'node:net'
import { notPublic } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { OperationTools } from './operation-tools.ts'

/** Addresses of `localhost` and names below it (RFC 6761). */
const LOOPBACK = ['127.0.0.1', '::1']

/** Throws ItemRefused for an IP address or `localhost` that hooks may not use. `hook` is an http(s) address. */
export function checkHook({ hookGuard }: Pick<OperationTools, 'hookGuard'>, hook: string): void {
  const host = new URL(hook).hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(?:^|\.)localhost$/.test(host) ? LOOPBACK : isIP(host) === 0 ? [] : [host]
  if (addresses.length > 0 && !addresses.some((address) => hookGuard.permits(address))) {
    throw new ItemRefused(notPublic('hook'))
  }
}
