/** Translates `sms-service` groups to inbound numbers, with their keywords and the program that is called. */
import { isAbsoluteAddress } from '../../contract/fields/kinds.ts'
import { MAX_REPLY } from '../../domain/inbound/automatic-reply.ts'
import { keywordOf } from '../../domain/inbound/inbound-number.ts'
import { writeTarget } from '../../domain/reports/report-target.ts'
import { GroupReader, type Reasons } from './group-reader.ts'
import type { ImportChoices, PlannedNumber } from './import-plan.ts'
import type { Group, Note } from './kannel-file.ts'
import type { TranslatedSmsc } from './translate-smsc.ts'

/** Leaves room for what follows it in a hook. */
const MAX_ADDRESS = 1_800
/** Of the keywords of one service. */
const MAX_KEYWORDS = 100

const EVERYTHING = /^\^?\(?\.\*\)?\$?$/

const BY_SENDER = 'services cannot be chosen by who writes'

const UNNEEDED: ReadonlySet<string> = new Set([
  ...['group', 'name', 'catch-all', 'concatenation', 'omit-empty', 'assume-plain-text', 'send-sender', 'max-messages'],
  ...['split-chars', 'split-suffix', 'http-request-retry', 'http-queue-delay', 'alt-charset'],
])

const REASONS: Reasons = new Map([
  ['file', 'set a text as reply: posthorn inbound-number set --reply'],
  ['exec', 'have the program called by HTTP, or read inbound/list'],
  ['post-xml', 'have the program read the signed report, or use get-url or post-url'],
  ...['allowed-prefix', 'denied-prefix', 'allowed-prefix-regex', 'denied-prefix-regex', 'white-list', 'black-list'].map(
    (key) => [key, BY_SENDER] as const,
  ),
  ...['accepted-smsc-regex', 'accepted-account', 'accepted-account-regex', 'denied-receiver-prefix', 'user'].map(
    (key) => [key, 'services are chosen by carrier, number and keyword'] as const,
  ),
  ['faked-sender', 'a reply has the number that was written to as its sender'],
  ['accept-x-kannel-headers', 'X-Kannel headers of the answer are not read'],
])

export function translateService(
  group: Group,
  smscs: readonly TranslatedSmsc[],
  choices: Pick<ImportChoices, 'numbers'>,
  notes: Note[],
): readonly PlannedNumber[] {
  const keyword = group.settings.get('keyword')?.value ?? group.settings.get('keyword-regex')?.value ?? 'default'
  const reader = new GroupReader(group, `sms-service ${keyword.slice(0, 40)}`, notes)
  const keywords = readKeywords(reader)
  const carriers = readCarriers(reader, smscs)
  const own = reader.list('allowed-receiver-prefix')
  const hook = readHook(reader)
  const reply = readReply(reader)
  reader.finish(UNNEEDED, REASONS)
  if (hook === null && reply === null)
    reader.note(null, 'calls no program: its messages are reported to the default hook of the account')
  return carriers.flatMap(({ carrier, number, smscId }) => {
    const addresses =
      own.length > 0 ? own : choices.numbers.length > 0 ? choices.numbers : number === null ? [] : [number]
    if (addresses.length === 0) {
      reader.note(null, `does not say what recipients write to at ${carrier.id}: name it with --number`)
    }
    return addresses.flatMap((address) => {
      const place = { carrier: carrier.id, address: address.replace(/^\+|^00(?=[1-9])/, '') }
      return keywords.map((each) => ({ ...place, keyword: each, hook: hook?.(smscId) ?? null, reply }))
    })
  })
}

/** Returns one null for a service of all messages. */
function readKeywords(reader: GroupReader): readonly (string | null)[] {
  const [plain, pattern, aliases] = [reader.text('keyword'), reader.text('keyword-regex'), reader.list('aliases')]
  const isForAll = pattern === null || EVERYTHING.test(pattern)
  const words = plain !== null ? [plain] : isForAll ? ['default'] : wordsOfPattern(pattern)
  if (words === null) {
    reader.note('keyword-regex', 'is not a choice of words: a keyword is one word')
    return []
  }
  const good = [...words, ...aliases].flatMap((word) => {
    if (word.toLowerCase() === 'default') return [null]
    const known = /\s/.test(word) ? null : keywordOf(word)
    if (known === null)
      reader.note('keyword', `${JSON.stringify(word.slice(0, 40))} is left out: a keyword is one word`)
    return known === null ? [] : [known]
  })
  return [...new Set(good)].slice(0, MAX_KEYWORDS)
}

/** `^[ ]*(win|lose)[ ]*` is win and lose; null for anything that is not a choice of words. */
function wordsOfPattern(pattern: string): readonly string[] | null {
  const plain = pattern.replaceAll(/\[ \]\*|\\s\*| \*|[\^$]/g, '')
  const [, inner = plain] = /^\(([^()]*)\)$/.exec(plain) ?? []
  const words = inner.split('|')
  return words.every((word) => /^[\p{L}\p{N}_-]{1,40}$/u.test(word)) ? words : null
}

/** Returns all carriers for a service that names none. */
function readCarriers(reader: GroupReader, smscs: readonly TranslatedSmsc[]): readonly TranslatedSmsc[] {
  const names = reader.list('accepted-smsc')
  if (smscs.length === 0) reader.note(null, 'has no carrier in this import')
  if (names.length === 0 || smscs.length === 0) return smscs
  const missing = names.filter((name) => !smscs.some(({ smscId }) => smscId === name))
  if (missing.length > 0)
    reader.note('accepted-smsc', `${missing.join('; ').slice(0, 80)} is no carrier of this import`)
  return smscs.filter(({ smscId }) => smscId !== null && names.includes(smscId))
}

/** Returns what writes the hook for a carrier; null if no program is called. */
function readHook(reader: GroupReader): ((smscId: string | null) => string) | null {
  const [byGet, byPost] = [reader.text('get-url') ?? reader.text('url'), reader.text('post-url')]
  const address = byGet ?? byPost
  // Of no other calls.
  const strips = reader.flag('strip-keyword') === true && byGet === null
  if (address === null) return null
  const facts = {
    ...(byGet === null ? { method: 'post' } : {}),
    ...(strips ? { strip: 'yes' } : {}),
    ...(reader.number('max-messages', 0, 1_000) === 0 ? { reply: 'no' } : {}),
  }
  const hookOf = (smscId: string | null) =>
    writeTarget({ form: 'kannel', to: address, facts: smscId === null ? facts : { ...facts, smsc: smscId } })
  if (isAbsoluteAddress(address) && address.length <= MAX_ADDRESS) return hookOf
  reader.note(byGet === null ? 'post-url' : 'get-url', 'is no http(s) address, or is too long')
  return null
}

function readReply(reader: GroupReader): string | null {
  const text = reader.text('text')
  if (text === null || reader.number('max-messages', 0, 1_000) === 0) return null
  if (text.length <= MAX_REPLY) return text
  reader.note('text', `is longer than the ${MAX_REPLY} characters of a reply`)
  return null
}
