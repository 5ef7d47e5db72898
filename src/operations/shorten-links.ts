/**
 * Short links: web addresses in texts and behind buttons, replaced by ours. One code per message and address, random, so
 * that nobody can walk through them. Code and redirect meet at `/l/{code}`.
 */
import { tooManyLinks } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { TextContent } from '../domain/plan.ts'
import type { Random } from '../ports/random.ts'
import type { ShortLink } from '../ports/short-link.ts'
import { findLinks } from './find-links.ts'

export const SHORT_LINK_PATH = '/l/'

/** Letters and digits that are not mistaken for each other when read from a screen. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_CHARACTERS = 10
/** Of a message, and in one of its texts, repeats included. More do not fit, however short the addresses that replace them. */
const MAX_LINKS = 200

/** The links of one message, made while its texts are gone through. */
export class ShortLinks {
  readonly #publicUrl: string
  readonly #random: Random
  readonly #codes = new Map<string, string>()

  /** Where the world reaches the public port, without a slash at the end. */
  constructor(publicUrl: string, random: Random) {
    this.#publicUrl = publicUrl
    this.#random = random
  }

  /** The content with its text's addresses and its button's address replaced. Throws an ItemRefused for too many. */
  shorten(content: TextContent): TextContent {
    const text = this.#shortenText(content.text)
    return content.link === undefined ? { ...content, text } : { ...content, text, link: this.#shorten(content.link) }
  }

  /** Those that stand in the message, until `expiresAt`, milliseconds. */
  made(messageId: MessageId, expiresAt: number): readonly ShortLink[] {
    return Array.from(this.#codes, ([url, code]) => ({ code, messageId, url, expiresAt }))
  }

  #shortenText(text: string): string {
    let short = ''
    let end = 0
    let found = 0
    for (const link of findLinks(text)) {
      found += 1
      if (found > MAX_LINKS) throw new ItemRefused(tooManyLinks(MAX_LINKS))
      short += text.slice(end, link.start) + this.#shorten(link.url)
      end = link.end
    }
    return short + text.slice(end)
  }

  #shorten(url: string): string {
    let code = this.#codes.get(url)
    if (code === undefined) {
      if (this.#codes.size === MAX_LINKS) throw new ItemRefused(tooManyLinks(MAX_LINKS))
      code = makeCode(this.#random)
      this.#codes.set(url, code)
    }
    return `${this.#publicUrl}${SHORT_LINK_PATH}${code}`
  }
}

function makeCode(random: Random): string {
  return Array.from({ length: CODE_CHARACTERS }, () => ALPHABET[random.below(ALPHABET.length)]).join('')
}
