/**
 * Finds web addresses in texts. linkify-it defines what an address is; because its own search reads up to ten labels
 * from every character on, it is shown only candidates: a scheme, or a host that ends in a known name. Reads each
 * character a fixed number of times.
 */
import { linkifyit } from 'linkify-it'
import { splitAtHidden } from '../../domain/text/hidden-characters.ts'
import { BracketPairs } from './bracket-pairs.ts'
import { findHostEnd, MAX_LABEL_CHARACTERS, MAX_LABELS_BEFORE_LAST, OUTSIDE_LABEL } from './find-host-end.ts'

/** Endings that make an address without a scheme a link; with all of them `tomorrow.Next` would be one. */
const ENDINGS = ['com', 'net', 'org', 'info', 'biz', 'io', 'eu']

const { re } = linkifyit({ urlAuth: true, tlds: ENDINGS })

/** A scheme, or the dot and last label of a host. */
const CANDIDATE = `(https?:)\\/\\/|\\.(?:${re.get_tld().source})${re.get_host_terminator().source}`
const SLASHES = '//'
const { src_ZCc: GAP, src_ZPCc: MARK } = re
/** A path after its first character, up to the next bracket: BracketPairs finds where that closes. */
const PATH_PIECE = new RegExp(
  `(?:${[
    `"(?:(?!${GAP}|").){1,100}"`,
    `'(?:(?!${GAP}|').){1,100}'`,
    `'(?=${re.get_pseudo_letter().source}|-)`,
    '\\.{2,20}:?[a-z0-9%/&]',
    `\\.(?!${GAP}|\\.|$)`,
    '-{1,20}',
    `[,;](?!${GAP}|$|https?:\\/\\/)`,
    `!{1,20}(?!${GAP}|!|$)`,
    `\\?(?!${GAP}|\\?|$)`,
    '[\\\\/:%@#&=_~*]',
    `(?!${MARK}|${re.get_text_separators().source}).`,
  ].join('|')})+`,
  'iy',
)

/** Symbols that can be in labels and before an address. */
const SYMBOLS_BEFORE = '$+<=>^`|\uff5c'
/** Punctuation that never precedes an address without a scheme. */
const JOINTS = '.:/-_@'

export interface FoundLink {
  readonly url: string
  readonly start: number
  readonly end: number
}

/** Yields the addresses of a text in order. `url` includes a scheme. Invisible characters end an address. */
export function* findLinks(text: string): Generator<FoundLink> {
  let offset = 0
  // Made once: there may be thousands of pieces.
  const candidate = new RegExp(CANDIDATE, 'gi')
  for (const visible of splitAtHidden(text)) {
    for (const { url, start, end } of findInVisible(visible, candidate))
      yield { url, start: offset + start, end: offset + end }
    offset += visible.length + 1
  }
}

function* findInVisible(text: string, candidate: RegExp): Generator<FoundLink> {
  candidate.lastIndex = 0
  const brackets = new BracketPairs(text)
  let end = 0
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const scheme = match[1]
    const start = scheme === undefined ? findHostStart(text, end, match.index) : match.index
    const hostEnd = scheme === undefined ? candidate.lastIndex : findEndAfterScheme(text, start, scheme)
    if (start < 0 || hostEnd < 0) continue
    end = findPathEnd(text, hostEnd, brackets)
    const address = text.slice(start, end)
    yield { url: scheme === undefined ? `http://${address}` : address, start, end }
    candidate.lastIndex = end
  }
}

/** Returns the first character, at or after `from`, of the labels before the dot; -1 without labels. */
function findHostStart(text: string, from: number, dot: number): number {
  let start = -1
  let labels = 1
  let length = 0
  for (let index = dot - 1; index >= from; index -= 1) {
    const character = text.charAt(index)
    if (character === '.') {
      if (length === 0 || text[index + 1] === '-' || labels === MAX_LABELS_BEFORE_LAST) break
      labels += 1
      length = 0
      continue
    }
    const isDash = character === '-'
    if (isDash ? length === 0 : OUTSIDE_LABEL.test(character)) break
    length += isLowSurrogate(text, index) ? 0 : 1
    if (length > MAX_LABEL_CHARACTERS) break
    if (!isDash && !SYMBOLS_BEFORE.includes(character) && mayPrecedeHost(text[index - 1])) start = index
  }
  return start
}

function mayPrecedeHost(before: string | undefined): boolean {
  if (before === undefined) return true
  return !JOINTS.includes(before) && (SYMBOLS_BEFORE.includes(before) || OUTSIDE_LABEL.test(before))
}

/** Returns the end of a host after a scheme; -1 without a host, or if the scheme is the end of a word. */
function findEndAfterScheme(text: string, start: number, scheme: string): number {
  const before = text[start - 1]
  if (before !== undefined && (before === '_' || !OUTSIDE_LABEL.test(before))) return -1
  return findHostEnd(text, start + scheme.length + SLASHES.length)
}

function findPathEnd(text: string, hostEnd: number, brackets: BracketPairs): number {
  const first = text.charAt(hostEnd)
  if (first === '' || !'/?#'.includes(first)) return hostEnd
  let end = hostEnd + 1
  for (;;) {
    PATH_PIECE.lastIndex = end
    if (PATH_PIECE.test(text)) end = PATH_PIECE.lastIndex
    const close = '([{'.includes(text.charAt(end) || ' ') ? brackets.closeOf(end) : -1
    if (close < 0) break
    end = close + 1
  }
  return end === hostEnd + 1 && first !== '/' ? hostEnd : end
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00
}
