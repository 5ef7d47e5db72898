/** Hosts with optional ports, as lists of backup hosts have them. */
import net from 'node:net'
import { item, listOf, textOf } from './setting-kinds.ts'

const HOST_RULE = 'a host such as "b.example" or "b.example:5070"'

export function host(description: string) {
  return textOf(/^[A-Za-z0-9_.:-]{1,253}$/, 'a host name or an IP address', description)
}

export function hostList(description: string) {
  return listOf(item(HOST_RULE, readHostAndPort), 8, 'hosts', description)
}

/** Reads a host with an optional port; an IPv6 address with a port is in brackets. Returns null for anything else. */
export function readHostAndPort(text: string): { readonly host: string; readonly port: number | null } | null {
  if (net.isIP(text) !== 0) return { host: text, port: null }
  const [, six, name = '', digits] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9_.-]{1,253}))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? null : Number(digits)
  const host = six ?? name
  return host === '' || port === 0 || (port ?? 0) > 65_535 ? null : { host, port }
}
