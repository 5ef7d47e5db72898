/**
 * The settings of a lookup carrier: how a service is asked about a number, and where its answer says what.
 * docs/reference/carrier-settings.md describes each of them.
 */
import { NUMBER_STATUSES, type NumberStatus } from '../../domain/numbers/number-facts.ts'
import type { Finder } from '../http/find-text.ts'
import { readFinder, readSource, readStatuses } from '../http/read-finder.ts'
import { type RequestSettings, readRequestSettings } from '../http/read-request-settings.ts'
import { type HttpLinkSettings, readHttpLinkSettings } from '../shared/http-link.ts'
import { SettingReader } from '../shared/setting-reader.ts'

export interface LookupSettings extends HttpLinkSettings {
  readonly request: RequestSettings
  readonly answer: LookupAnswerSettings
  /** Whether clients see the whole IMSI; masked otherwise. */
  readonly showImsi: boolean
}

export interface LookupAnswerSettings {
  /** By status, `404`, or by class, `4xx`; any other status is `failed`. */
  readonly statuses: ReadonlyMap<string, Meaning>
  /** A word in the answer that says more than the status; a word without a meaning is `failed`. Null for none. */
  readonly error: { readonly find: Finder; readonly meanings: ReadonlyMap<string, Meaning> } | null
  /** The operator as one value, or as MCC and MNC. */
  readonly operator: readonly Finder[]
  readonly operatorName: Finder | null
  readonly country: Finder | null
  readonly ported: Finder | null
  readonly imsi: Finder | null
  /** Null if the service does not say whether the phone can be reached. Other words are `unknown`. */
  readonly status: { readonly find: Finder; readonly meanings: ReadonlyMap<string, NumberStatus> } | null
}

/** What an answer is: facts, the fact that the number does not exist, a request to slow down, or useless. */
export type Meaning = (typeof MEANINGS)[number]

const MEANINGS = ['answered', 'invalid', 'slow', 'failed'] as const

const USUAL_STATUSES: ReadonlyMap<string, Meaning> = new Map([
  ['2xx', 'answered'],
  ['429', 'slow'],
])

/** @throws Error that names the invalid setting: `answer.mccmnc.path: should be …`. */
export function readLookupSettings(json: unknown): LookupSettings {
  const settings = new SettingReader(json)
  const read: LookupSettings = {
    request: readRequestSettings(settings.group('request')),
    answer: readAnswerSettings(settings.group('answer')),
    showImsi: settings.flag('showImsi', false),
    ...readHttpLinkSettings(settings),
  }
  settings.end()
  return read
}

function readAnswerSettings(answer: SettingReader): LookupAnswerSettings {
  const optional = (name: string) => (answer.has(name) ? readFinder(answer.group(name)) : null)
  const read: LookupAnswerSettings = {
    statuses: new Map([...USUAL_STATUSES, ...readStatuses(answer, MEANINGS)]),
    error: answer.has('error') ? readWords(answer.group('error'), MEANINGS) : null,
    operator: readOperator(answer),
    operatorName: optional('network'),
    country: optional('country'),
    ported: optional('ported'),
    imsi: optional('imsi'),
    status: answer.has('status') ? readWords(answer.group('status'), NUMBER_STATUSES) : null,
  }
  answer.end()
  return read
}

function readOperator(answer: SettingReader): readonly Finder[] {
  if (!answer.has('mcc') && !answer.has('mnc')) return [readFinder(answer.group('mccmnc'))]
  if (answer.has('mccmnc')) throw answer.wrong('mccmnc', 'should not stand beside mcc and mnc')
  return [readFinder(answer.group('mcc')), readFinder(answer.group('mnc'))]
}

/** Meanings are found by the word in lower case. */
function readWords<M extends string>(words: SettingReader, meanings: readonly M[]) {
  const find = readSource(words)
  const known = words.map('meanings', (each, word) => each.oneOf(word, meanings))
  if (known.size === 0) throw words.wrong('meanings', 'should name at least one word')
  words.end()
  return { find, meanings: new Map([...known].map(([word, meaning]) => [word.toLowerCase(), meaning])) }
}
