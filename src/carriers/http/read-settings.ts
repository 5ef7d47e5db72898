/**
 * The settings of a generic HTTP carrier: how a message is submitted, what the answers mean, and how receipts and
 * inbound messages arrive.
 * docs/guides/adding-a-carrier.md describes each of them.
 */

import { type HttpLinkSettings, readHttpLinkSettings } from '../shared/http-link.ts'
import { SettingReader } from '../shared/setting-reader.ts'
import type { Finder } from './find-text.ts'
import { readFinder, readSource, readStatuses } from './read-finder.ts'
import { type InboundSettings, readInboundSettings } from './read-inbound.ts'
import { type ReceiptSettings, readReceiptSettings } from './read-receipt-settings.ts'
import { type RequestSettings, readRequestSettings } from './read-request-settings.ts'

export interface HttpSettings extends HttpLinkSettings {
  readonly request: RequestSettings
  readonly answer: AnswerSettings
  /** Null if the carrier sends no receipts: then no message is ever known to be delivered. */
  readonly receipt: ReceiptSettings | null
  /** Null if the carrier brings no inbound messages. */
  readonly inbound: InboundSettings | null
  /** The carrier's names of senders; a sender that is not listed keeps its name. */
  readonly senders: ReadonlyMap<string, string>
  /** For SMS: whether the carrier splits long texts itself, or gets each part as a request. */
  readonly longText: 'whole' | 'parts'
  /** Limits of the lifetime that the carrier accepts, seconds. */
  readonly lifetime: { readonly min: number; readonly max: number }
}

export interface AnswerSettings {
  /** By status, `404`, or by class, `4xx`; any other status is `unclear`. */
  readonly statuses: ReadonlyMap<string, Meaning>
  /** A word in the answer that says more than the status; null for none. */
  readonly word: { readonly find: Finder; readonly meanings: ReadonlyMap<string, Meaning> } | null
  /** Null if the carrier keeps Posthorn's reference and sends receipts under it. */
  readonly id: Finder | null
  /** The carrier's reason, for the timeline; null for none. */
  readonly reason: Finder | null
}

/** What an answer says about a message. */
export type Meaning = (typeof MEANINGS)[number]

const MEANINGS = ['taken', 'undeliverable', 'rejected', 'slow', 'unclear'] as const

const USUAL_STATUSES: ReadonlyMap<string, Meaning> = new Map([
  ['2xx', 'taken'],
  ['429', 'slow'],
])

const MAX_LIFETIME_SECONDS = 1_209_600

/** @throws Error that names the invalid setting: `answer.id.path: should be …`. */
export function readHttpSettings(json: unknown): HttpSettings {
  const settings = new SettingReader(json)
  const lifetime = settings.optionalGroup('lifetime')
  const read: HttpSettings = {
    request: readRequestSettings(settings.group('request')),
    answer: readAnswerSettings(settings.group('answer')),
    receipt: settings.has('receipt') ? readReceiptSettings(settings.group('receipt')) : null,
    inbound: settings.has('inbound') ? readInboundSettings(settings.group('inbound')) : null,
    senders: settings.map('senders', (senders, name) => senders.text(name)),
    longText: settings.oneOf('longText', ['whole', 'parts'], 'whole'),
    lifetime: {
      min: lifetime.wholeNumber('least', 1, MAX_LIFETIME_SECONDS, 1),
      max: lifetime.wholeNumber('most', 1, MAX_LIFETIME_SECONDS, MAX_LIFETIME_SECONDS),
    },
    ...readHttpLinkSettings(settings),
  }
  if (read.lifetime.min > read.lifetime.max) throw lifetime.wrong('least', 'should not be more than most')
  lifetime.end()
  settings.end()
  return read
}

function readAnswerSettings(answer: SettingReader): AnswerSettings {
  const read: AnswerSettings = {
    statuses: new Map([...USUAL_STATUSES, ...readStatuses(answer, MEANINGS)]),
    word: answer.has('word') ? readWord(answer.group('word')) : null,
    id: answer.value('id') === 'ours' ? null : readFinder(answer.group('id')),
    reason: answer.has('reason') ? readFinder(answer.group('reason')) : null,
  }
  answer.end()
  return read
}

function readWord(word: SettingReader): AnswerSettings['word'] {
  const find = readSource(word)
  const meanings = word.map('meanings', (each, name) => each.oneOf(name, MEANINGS))
  if (meanings.size === 0) throw word.wrong('meanings', 'should name at least one word')
  word.end()
  return { find, meanings: new Map([...meanings].map(([name, meaning]) => [name.toLowerCase(), meaning])) }
}
