/** What the search box finds. Phone numbers are sent in bodies, never in addresses. */
import { api } from '../api/api.ts'
import { roleMay } from '../api/me.ts'
import { pathOfGroup } from '../features/price-groups/group.ts'
import { isUserId } from '../parts/form/phone-text.ts'
import { inClientWords } from '../texts/client-words.ts'
import { LANGUAGES, type Language } from '../texts/language.ts'
import { hasPage, type NavigatingUser, navigationOf } from './page-access.ts'
import { NAMED_SETTINGS } from './settings-list.ts'

export type Found =
  | { readonly kind: 'page' | 'account' | 'carrier' | 'group'; readonly to: Target; readonly title: string }
  | { readonly kind: 'sender'; readonly to: Target; readonly title: string; readonly note: string }
  | { readonly kind: 'message'; readonly to: Target; readonly id: number; readonly note: string }

/** A path, and the tab that opens there. */
interface Target {
  readonly path: string
  readonly tab?: string
}

const MAX_FOUND = 5
const MIN_PHONE_DIGITS = 7
/** Longest id of a price group. */
const MAX_ID = 40
/** Longer than the longest phone number: not one. */
const MAX_PHONE_DIGITS = 17

/** Returns the pages and tabs whose name in any language, or whose words, contain the text; none for an empty one. */
export function searchPages(user: NavigatingUser, text: string, language: Language): readonly Found[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return []
  const isWanted = (names: Readonly<Record<Language, string>>) =>
    LANGUAGES.some((each) => names[each].toLocaleLowerCase().includes(wanted))
  const pages = navigationOf(user)
  const settings = NAMED_SETTINGS.flatMap(({ page, tab, ...names }): readonly Found[] => {
    const nav = pages.find(({ to }) => to === page)?.nav
    if (nav === undefined || !isWanted(names)) return []
    const name = user.account === null ? names[language] : inClientWords(names[language], language)
    return [{ kind: 'page', to: { path: page, tab }, title: `${nav[language]}: ${name}` }]
  })
  const named = pages.filter(({ nav }) => isWanted(nav) || nav.words?.toLocaleLowerCase().includes(wanted) === true)
  return [
    ...named.map(({ to, nav }) => ({ kind: 'page', to: { path: to }, title: nav[language] }) as const),
    ...settings,
  ]
}

/** Returns messages and what has a name, such as accounts. What the role may not see or does not exist is not found. */
export async function searchRecords(
  { role, account }: NavigatingUser,
  text: string,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found = await Promise.allSettled([
    ...(hasPage(role, '/messages/$message') ? searchMessages(text, signal) : []),
    ...(hasPage(role, '/accounts/$account') && roleMay(role, 'listAccounts') ? [searchAccounts(text, signal)] : []),
    ...(hasPage(role, '/carriers/$carrier') ? [searchCarriers(text, signal)] : []),
    ...(hasPage(role, '/prices/$group') ? [searchGroups(text, signal)] : []),
    ...(roleMay(role, 'listSenders') ? [searchSenders(text, { isClient: account !== null, signal })] : []),
  ])
  const all = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  return [...new Map(all.map((each) => [keyOf(each), each])).values()]
}

export function keyOf(found: Found): string {
  const note = found.kind === 'sender' ? `${found.title} ${found.note}` : ''
  return `${found.to.path} ${found.to.tab ?? ''} ${note}`
}

function searchMessages(text: string, signal: AbortSignal): readonly Promise<readonly Found[]>[] {
  const digits = text.replace(/[\s()/.+-]/g, '')
  const isPhone = /^\d+$/.test(digits) && digits.length >= MIN_PHONE_DIGITS && digits.length <= MAX_PHONE_DIGITS
  const id = Number(text)
  return [
    ...(Number.isSafeInteger(id) && id >= 64 ? [messageOf(id, signal)] : []),
    find({ id: text }, signal),
    ...(isPhone || isUserId(text) ? [findByPhone(text, signal)] : []),
  ]
}

/** A number without country code may be one of several countries. */
async function findByPhone(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await api.post('/numbers/read', { body: { phone: text }, signal })
  const found = await Promise.all(data.slice(0, MAX_FOUND).map(({ phone }) => find({ phone }, signal)))
  return found.flat()
}

async function messageOf(message: number, signal: AbortSignal): Promise<readonly Found[]> {
  const found = await api.get('/messages/{message}', { params: { message }, signal })
  return [toFound(found)]
}

async function find(body: { readonly id: string } | { readonly phone: string }, signal: AbortSignal) {
  const { data } = await api.post('/messages/find', { body: { ...body, most: MAX_FOUND }, signal })
  return data.map(toFound)
}

interface Summary {
  readonly message: number
  readonly phone: string
  readonly status: string
}

function toFound({ message, phone, status }: Summary): Found {
  return { kind: 'message', to: { path: `/messages/${message}` }, id: message, note: `${phone} · ${status}` }
}

async function searchAccounts(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await api.get('/accounts', { query: { search: text, most: MAX_FOUND }, signal })
  return data.map(({ account, name }) => {
    return { kind: 'account', to: { path: `/accounts/${account}` }, title: `${name} (${account})` }
  })
}

async function searchCarriers(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await api.get('/carriers', { query: { search: text, most: MAX_FOUND }, signal })
  return data.map(({ carrier }) => {
    return { kind: 'carrier', to: { path: `/carriers/${encodeURIComponent(carrier)}` }, title: carrier }
  })
}

async function searchGroups(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await api.get('/price-groups', { query: { search: text.slice(0, MAX_ID), most: MAX_FOUND }, signal })
  return data.map(({ group }) => ({ kind: 'group', to: { path: pathOfGroup(group) }, title: group }))
}

interface SenderSearch {
  readonly isClient: boolean
  readonly signal: AbortSignal
}

async function searchSenders(text: string, { isClient, signal }: SenderSearch): Promise<readonly Found[]> {
  const { data } = await api.get('/senders', { query: { search: text, most: MAX_FOUND }, signal })
  return data.map(({ account, channel, name }) => {
    const note = isClient ? channel : `${channel} · ${account}`
    return { kind: 'sender', to: { path: `/accounts/${account}`, tab: 'senders' }, title: name, note }
  })
}
