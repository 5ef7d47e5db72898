/**
 * Replaces web addresses in texts and buttons by short links, and makes unsubscribe links. Codes are random, one per
 * message and address, so that they cannot be enumerated. Redirects are under `/l/{code}`, unsubscribe pages under
 * `/u/{code}`.
 */

import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { fitsWithin } from '../../contract/fields/kinds.ts'
import { needsTexts, tooLong, tooManyLinks } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { MessageChannel } from '../../domain/channels/channel.ts'
import { writeUnsubscribeTarget } from '../../domain/consent/unsubscribe-link.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { TextContent } from '../../domain/message/message.ts'
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

/** Puts the links of ours into the texts of a send: short links, and the link with which a recipient unsubscribes. */

interface LinkedStep {
  readonly channel: MessageChannel
  readonly content: TextContent
}

/** The flags of a send. */
export interface AskedLinks {
  readonly shortLink?: boolean
  readonly unsubscribeLink?: boolean
}

/** Where the unsubscribe link stands in a text; without it the link is a line of its own at the end. */
const UNSUBSCRIBE_PLACE = /\\?\{\{unsubscribe\}\}/g

/** Returns a value for a text with an unsubscribe link: with a backslash in front, the place of the link is a text. */
export function escapeUnsubscribe(value: string): string {
  return value.replace(UNSUBSCRIBE_PLACE, (place) => `\\${place}`)
}

/** Throws ItemRefused for a text that links make too long, and for a step without a text to unsubscribe in. */
export function linkSteps<S extends LinkedStep>(
  steps: readonly S[],
  { shortLink = false, unsubscribeLink = false }: AskedLinks,
  links: ShortLinks,
): readonly S[] {
  const shortened = shortLink ? steps.map((step) => ({ ...step, content: links.shorten(step.content) })) : steps
  if (shortLink) checkLengths(shortened, 'short_link')
  if (!unsubscribeLink) return shortened
  const linked = shortened.map((step, index) => ({ ...step, content: unsubscribable(step.content, links, index) }))
  checkLengths(linked, 'unsubscribe_link')
  return linked
}

function unsubscribable(content: TextContent, links: ShortLinks, step: number): TextContent {
  const { text } = content
  if (text === '') throw new ItemRefused(needsTexts('unsubscribe_link'))
  const link = links.unsubscribe(step)
  let isPlaced = false
  const placed = text.replace(UNSUBSCRIBE_PLACE, (place) => {
    if (place.startsWith('\\')) return place.slice(1)
    isPlaced = true
    return link
  })
  return { ...content, text: isPlaced ? placed : `${placed}\n${link}` }
}

/** A link of ours can be longer than what it replaces, so texts are measured again. SMS is measured in parts. */
function checkLengths(steps: readonly LinkedStep[], flag: string): void {
  for (const { channel, content } of steps) {
    const most = CHANNEL_FORMS[channel].maxText(content)
    if (most !== null && !fitsWithin(content.text, most))
      throw new ItemRefused(tooLong(`${channel}_message`, most, flag))
  }
}
