/**
 * Where a report goes and in which form. Clients name an http(s) address or the event feed; the APIs of programs that
 * exist have forms of their own, which stand before the address:
 *
 *     kannel:https://shop.example/dlr?id=7&status=%d mask=31&from=Shop
 *     jasmin:https://shop.example/dlr?id=7 level=2&method=POST
 *     smpp:wholesale?bits=1
 *
 * What the form needs beyond the report, its facts, follows a space, which no address has; the name of a login is
 * percent-encoded, and its facts follow the question mark. So all that differs between messages stands behind the
 * question mark, as in `hookOf`.
 */
import { EVENT_FEED } from './event-feed.ts'

/** The forms that stand before an address. */
export type TargetForm = 'kannel' | 'jasmin' | 'smpp'

export interface ReportTarget {
  readonly form: TargetForm
  /** An http(s) address with its query; for `smpp` the name of a login. */
  readonly to: string
  readonly facts: TargetFacts
}

export type TargetFacts = Readonly<Record<string, string>>

const PREFIX = /^(kannel|jasmin|smpp):/

/** Returns the form of a target; null for http(s) addresses and the feed. */
export function formOf(address: string): TargetForm | null {
  // Nearly all addresses begin with an h.
  if (address.startsWith('h')) return null
  return (PREFIX.exec(address)?.[1] as TargetForm | undefined) ?? null
}

/** Returns null for http(s) addresses and the feed. */
export function readTarget(address: string): ReportTarget | null {
  const form = formOf(address)
  if (form === null) return null
  const rest = address.slice(form.length + 1)
  const end = rest.indexOf(form === 'smpp' ? '?' : ' ')
  const place = end < 0 ? rest : rest.slice(0, end)
  const facts = readFacts(end < 0 ? '' : rest.slice(end + 1))
  return { form, to: form === 'smpp' ? decode(place) : place.replace(/^([^?]*)\?$/, '$1'), facts }
}

export function writeTarget({ form, to, facts }: ReportTarget): string {
  const written = Object.entries(facts)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  if (form === 'smpp') return `smpp:${encodeURIComponent(to)}${written === '' ? '' : `?${written}`}`
  // White space and control characters would end the address.
  const place = to.replace(/[\s\p{Cc}]/gu, encodeURIComponent)
  if (written === '') return `${form}:${place}`
  return `${form}:${place}${place.includes('?') ? '' : '?'} ${written}`
}

/** Returns the address in the one form in which stores and nodes compare hooks: the name of a login may be encoded. */
export function canonicalAddress(address: string): string {
  const target = readTarget(address)
  return target?.form === 'smpp' ? writeTarget(target) : address
}

/** Returns the http(s) address that is called; the address itself if none is. */
export function urlOf(address: string): string {
  const form = formOf(address)
  if (form === null || form === 'smpp') return address
  const end = address.indexOf(' ')
  return address.slice(form.length + 1, end < 0 ? undefined : end)
}

/** Returns the name of the login whose connections get the reports; null if an address or the feed does. */
export function loginOf(address: string): string | null {
  return formOf(address) === 'smpp' ? (readTarget(address)?.to ?? null) : null
}

/** What operators may give as a hook, in words. */
export const HOOK_RULE = `must be an absolute http(s) address, one with kannel: or jasmin: before it and method get or post behind it, smpp: and the name of a login, ${EVENT_FEED} or null`

const MAX_NAME = 64
const METHODS = /^(?:get|post)$/i

/** Returns whether it is a target whose address `isAddress`, or a login that may exist. */
export function isTarget(address: string, isAddress: (url: string) => boolean): boolean {
  const target = readTarget(address)
  if (target === null) return false
  if (target.form === 'smpp') return target.to !== '' && target.to.length <= MAX_NAME
  return isAddress(target.to) && METHODS.test(target.facts['method'] ?? 'get')
}

/** As in a query. */
function readFacts(text: string): TargetFacts {
  const pairs = text.split('&').filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
      return [decode(name), decode(value.join('='))]
    }),
  )
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')
}

/** Percent signs that escape nothing stay. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
