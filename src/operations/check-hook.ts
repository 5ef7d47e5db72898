/** Refuses hooks that can be seen to be private before anything is sent. What a name leads to is judged when reports go. */
import { isIP } from 'node:net'
import { notPublic } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { OperationTools } from './operation-tools.ts'

/** What `localhost` and the names under it mean (RFC 6761). */
const LOOPBACK = ['127.0.0.1', '::1']

/** Throws an ItemRefused for an IP address or a `localhost` that reports may not be sent to. `hook` is an http(s) address. */
export function checkHook({ hookGuard }: Pick<OperationTools, 'hookGuard'>, hook: string): void {
  const host = new URL(hook).hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(?:^|\.)localhost$/.test(host) ? LOOPBACK : isIP(host) === 0 ? [] : [host]
  if (addresses.length > 0 && !addresses.some((address) => hookGuard.permits(address))) {
    throw new ItemRefused(notPublic('hook'))
  }
}
