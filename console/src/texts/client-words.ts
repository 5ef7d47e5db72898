/** What users of an account read in place of the words of operators, in all texts of the console. */
import type { Language } from './language.ts'

/** By language; each has the gender of the word that it replaces, so that sentences stay right. */
const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    ledger: 'postings',
    hook: 'webhook',
    hooks: 'webhooks',
    carrier: 'provider',
    carriers: 'providers',
    route: 'way',
    routes: 'ways',
  },
  de: {
    ...{ hook: 'webhook', hooks: 'webhooks', route: 'verbindung', routen: 'verbindungen' },
    ...{ carrier: 'anbieter', carriers: 'anbieters', carriern: 'anbietern' },
  },
}

/** Names of operations such as `hook/create`, addresses, and statuses in capitals stay. */
const WORD = /(?<![\p{L}/.])\p{L}\p{Ll}+(?![\p{L}/]|\.\w)/gu

/** Keeps a capital at the beginning. */
export function inClientWords(text: string, language: Language): string {
  return text.replace(WORD, (word) => {
    const found = WORDS[language][word.toLowerCase()]
    if (found === undefined) return word
    return word.charAt(0) === word.charAt(0).toLowerCase() ? found : found.charAt(0).toUpperCase() + found.slice(1)
  })
}

type Text = string | ((...values: never[]) => string)
interface Texts {
  readonly [name: string]: Text | Texts
}

const ofClients = new WeakMap<object, unknown>()

/** Returns the same texts in the words of clients: the same object for the same texts. */
export function textsOfClients<T>(texts: T, language: Language): T {
  const group = texts as T & object
  const known = ofClients.get(group)
  if (known !== undefined) return known as T
  const made = groupOfClients(group as unknown as Texts, language)
  ofClients.set(group, made)
  return made as T
}

function groupOfClients(texts: Texts, language: Language): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]): [string, Text | Texts] => {
      if (typeof text === 'string') return [name, inClientWords(text, language)]
      if (typeof text === 'object') return [name, groupOfClients(text, language)]
      return [name, (...values: never[]) => outsideOf(values, text(...values), (part) => inClientWords(part, language))]
    }),
  )
}

/** Changes a text but for the values in it, such as names and addresses. */
function outsideOf(values: readonly unknown[], text: string, change: (part: string) => string): string {
  const kept = values.filter((value) => typeof value === 'string' && value !== '') as string[]
  if (kept.length === 0) return change(text)
  const escaped = kept.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text
    .split(new RegExp(`(${escaped.join('|')})`))
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
