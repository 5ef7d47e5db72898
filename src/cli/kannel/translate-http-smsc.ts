/** Translates an `smsc = http` group of the system type generic to an HTTP carrier, if it has a counterpart. */
import type { GroupReader } from './group-reader.ts'
import type { PlannedCarrier } from './import-plan.ts'

/**
 * Kannel's escape codes for a sent message, and the placeholders of HTTP carriers. As observed of 1.4.5, `%p` is the
 * receiver here and `%P` the sender, other than in a get-url.
 */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['%p', '{{phone}}'],
  ['%q', '{{+phone}}'],
  ['%P', '{{sender}}'],
  ['%Q', '{{sender}}'],
  ['%a', '{{text}}'],
  ['%b', '{{text}}'],
  ['%I', '{{ref}}'],
  ['%%', '%25'],
])

/** Words divided by bars, which need no regular expression. */
const WORDS = /^\w[\w ]{0,40}(\|\w[\w ]{0,40})*$/

/** Returns null, with a note, for what cannot be translated. */
export function translateGeneric(reader: GroupReader): PlannedCarrier['settings'] | null {
  const type = reader.text('system-type')?.toLowerCase() ?? ''
  const address = reader.text('send-url')
  if (type !== 'generic') {
    const why =
      type === 'kannel'
        ? "Kannel's sendsms needs another parameter for texts that are not GSM: connect Posthorn to the carriers of that Kannel, or bind to it by SMPP"
        : 'Posthorn has no driver of this type: see posthorn carrier add --kind http'
    reader.note('system-type', why)
    return null
  }
  const translated = address === null ? null : fillPlaceholders(address)
  if (translated === null) {
    reader.note('send-url', 'has an escape code for which HTTP carriers have no placeholder, or none at all')
    return null
  }
  const success = reader.text('status-success-regex')
  if (success === null || !WORDS.test(success)) {
    reader.note(
      success === null ? null : 'status-success-regex',
      'must be words divided by | to be translated: otherwise set the carrier up with posthorn carrier add --kind http',
    )
    return null
  }
  reader.note(null, 'its receipts and inbound messages are not translated: set receipt and inbound of the carrier')
  for (const key of ['smsc-username', 'smsc-password', 'port', 'method']) reader.text(key)
  return {
    request: { method: 'GET', address: translated },
    answer: { id: 'ours', word: wordOf(reader, success) },
  }
}

function fillPlaceholders(address: string): string | null {
  let isComplete = true
  const filled = address.replaceAll(/%[0-9A-Fa-f]{2}|%./g, (code) => {
    // A percent-encoded byte, unless it is a code followed by a digit or letter, which no public file has.
    if (code.length === 3 && !PLACEHOLDERS.has(code.slice(0, 2))) return code
    const known = PLACEHOLDERS.get(code.slice(0, 2))
    isComplete &&= known !== undefined
    return (known ?? '') + code.slice(2)
  })
  return isComplete ? filled : null
}

/** Kannel finds its words in any letter case; a pattern of a carrier finds them as they are. */
function wordOf(reader: GroupReader, success: string) {
  if (reader.text('status-permfail-regex') !== null) {
    reader.note('status-permfail-regex', 'an answer without a word of success is tried again')
  }
  const words = success.toLowerCase().split('|')
  const forms = words.flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)])
  return {
    pattern: `(${[...new Set([...success.split('|'), ...forms])].join('|')})`,
    meanings: Object.fromEntries(words.map((word) => [word, 'taken'])),
  }
}
