/**
 * Replaces web addresses in texts and buttons by short links, and makes unsubscribe links. Codes are random, one per
 * message and address, so that they cannot be enumerated. Redirects are under `/l/{code}`, unsubscribe pages under
 * `/u/{code}`.
 */
import { tooManyLinks } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { writeUnsubscribeTarget } from '../../domain/consent/unsubscribe-link.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { TextContent } from '../../domain/message/plan.ts'
import { changeAddresses } from '../../domain/message/rich.ts'
import type { ShortLink } from '../../ports/records/short-link.ts'
import type { Random } from '../../ports/system/random.ts'
import { findLinks } from './find-links.ts'

export const SHORT_LINK_PATH = '/l/'
export const UNSUBSCRIBE_PATH = '/u/'

/** Letters and digits that are hard to confuse on a screen. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_CHARACTERS = 10
/** Maximum links of a message, and of one text including repeats. Longer texts do not fit more. */
const MAX_LINKS = 200

/** Short links of one message, collected while its texts are read. */
export class ShortLinks {
  readonly #publicUrl: string
  readonly #random: Random
  /** By address; null as long as there are none, which is usual. */
  #codes: Map<string, string> | null = null

  /** Public address of the public port without a trailing slash. */
  constructor(publicUrl: string, random: Random) {
    this.#publicUrl = publicUrl
    this.#random = random
  }

  /**
   * Returns the content with the addresses of its texts, button and suggestions replaced. Throws ItemRefused for too
   * many.
   */
  shorten(content: TextContent): TextContent {
    const text = this.#shortenText(content.text)
    const { link, rich } = content
    const change = { text: (each: string) => this.#shortenText(each), url: (each: string) => this.#shorten(each) }
    return {
      ...content,
      text,
      ...(link === undefined ? {} : { link: this.#shorten(link) }),
      ...(rich === undefined ? {} : { rich: changeAddresses(rich, change) }),
    }
  }

  /** Returns the address of the page on which the recipient of a step opts out. */
  unsubscribe(step: number): string {
    const code = makeCode(this.#random)
    this.#made.set(writeUnsubscribeTarget({ step, token: makeCode(this.#random) }), code)
    return `${this.#publicUrl}${UNSUBSCRIBE_PATH}${code}`
  }

  /** Returns the links of the message, valid until `expiresAt`, milliseconds. */
  made(messageId: MessageId, expiresAt: number): readonly ShortLink[] {
    if (this.#codes === null) return NO_LINKS
    return Array.from(this.#codes, ([url, code]) => ({ code, messageId, url, expiresAt }))
  }

  #shortenText(text: string): string {
    let short = ''
    let end = 0
    let found = 0
    for (const link of findLinks(text)) {
      found += 1
      if (found > MAX_LINKS) throw new ItemRefused(tooManyLinks(MAX_LINKS))
      short += text.slice(end, link.start)
      short += this.#isOwn(link.url) ? text.slice(link.start, link.end) : this.#shorten(link.url)
      end = link.end
    }
    return short + text.slice(end)
  }

  /** Whether it is a short link or a page to opt out: a second redirect would count clicks twice. */
  #isOwn(url: string): boolean {
    const [address, own] = [url, this.#publicUrl].map((each) => each.replace(/^https?:\/\//i, ''))
    const path = address?.slice(own?.length)
    if (address?.slice(0, own?.length).toLowerCase() !== own?.toLowerCase()) return false
    return path?.startsWith(SHORT_LINK_PATH) === true || path?.startsWith(UNSUBSCRIBE_PATH) === true
  }

  #shorten(url: string): string {
    if (this.#isOwn(url)) return url
    const codes = this.#made
    let code = codes.get(url)
    if (code === undefined) {
      if (codes.size === MAX_LINKS) throw new ItemRefused(tooManyLinks(MAX_LINKS))
      code = makeCode(this.#random)
      codes.set(url, code)
    }
    return `${this.#publicUrl}${SHORT_LINK_PATH}${code}`
  }

  get #made(): Map<string, string> {
    this.#codes ??= new Map()
    return this.#codes
  }
}

const NO_LINKS: readonly ShortLink[] = []

function makeCode(random: Random): string {
  return Array.from({ length: CODE_CHARACTERS }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}
