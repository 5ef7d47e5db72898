/** The headers that give the peer the address of the gateway. */
import { USER_AGENT } from '../../ports/system/user-agent.ts'
import type { SipHeader } from '../../wire/sip/message.ts'
import type { SipPath } from '../../wire/sip/transport.ts'

/** The methods that are answered. */
export const ALLOW: SipHeader = ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE']
export const MAX_FORWARDS: SipHeader = ['Max-Forwards', '70']
export const USER_AGENT_HEADER: SipHeader = ['User-Agent', USER_AGENT]

/** The host name in Via and Contact; null for the socket's address. */
interface Named {
  readonly publicHost: string | null
}

export function hostOf({ publicHost }: Named, path: SipPath): string {
  return publicHost ?? path.local.host
}

/** With `rport`, so that answers pass address translators (RFC 3581). */
export function writeVia(end: Named, path: SipPath, branch: string): string {
  return `SIP/2.0/${path.transport} ${bracket(hostOf(end, path))}:${path.local.port};branch=${branch};rport`
}

/** `user` is the part before the @. */
export function writeContact(end: Named, path: SipPath, user: string): string {
  const transport = path.transport === 'UDP' ? '' : `;transport=${path.transport.toLowerCase()}`
  return `<sip:${user}@${bracket(hostOf(end, path))}:${path.local.port}${transport}>`
}

/** Writes an IPv6 address as URIs and Via require it. */
export function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Escapes characters that the user part of a URI must not contain (RFC 3261 section 25.1). */
export function escapeUser(text: string): string {
  return encodeURIComponent(text).replaceAll('%2B', '+').replaceAll('%26', '&').replaceAll('%3D', '=')
}
