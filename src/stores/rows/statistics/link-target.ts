/**
 * The address that clicks are summed up by: that of a link without what is different for each recipient. Query and
 * fragment are cut off, and parts of the path that look like ids or tokens are replaced by an asterisk.
 */
import { KeptValues } from '../../../domain/structures/kept-values.ts'

/** Characters. */
const MAX_TARGET = 200
const MAX_SEGMENT = 64

const HAS_ADDRESS = /@|%40/i
const DIGITS = /\d/g
const MAX_DIGITS = 5
/** A digit before a letter, such as in UUIDs and random codes, but not in `page2` or `offer-2026`. */
const CODE = /\d[a-z]/i
const MIN_CODE = 6
/** Capitals within a word that has digits too, such as in `xYz12`. */
const MIXED = /[a-z][A-Z]/

/** Links that are clicked often, and those of a bulk, have the same few addresses. */
const MAX_KNOWN = 1_000
const known = new KeptValues<string, string>(MAX_KNOWN)

/** Returns the target of an address such as `https://shop.example/sale?c=17`; empty if it is none of the web. */
export function targetOf(address: string): string {
  const before = known.get(address)
  if (before !== undefined) return before
  const target = readTarget(address)
  known.set(address, target)
  return target
}

function readTarget(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return ''
  const path = url.pathname.split('/').map(plainSegment).join('/')
  return `${url.protocol}//${url.host}${path === '/' ? '' : path}`.slice(0, MAX_TARGET)
}

function plainSegment(segment: string): string {
  const digits = segment.match(DIGITS)?.length ?? 0
  const isCode = segment.length >= MIN_CODE && digits > 0 && (CODE.test(segment) || MIXED.test(segment))
  const isOfOne = segment.length > MAX_SEGMENT || digits > MAX_DIGITS || HAS_ADDRESS.test(segment)
  return isCode || isOfOne ? '*' : segment
}
