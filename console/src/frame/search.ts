/** What the search box finds. Phone numbers are sent in bodies, never in addresses. */
import { api } from '../api/api.ts'
import { roleMay } from '../api/me.ts'
import { isUserId } from '../parts/form/phone-text.ts'
import type { Language } from '../texts/language.ts'
import { hasPage, type NavigatingUser, navigationOf } from './page-access.ts'

export type Found =
  | { readonly kind: 'page'; readonly to: string; readonly title: string }
  | { readonly kind: 'account'; readonly to: string; readonly title: string }
  | { readonly kind: 'message'; readonly to: string; readonly id: number; readonly note: string }

const MAX_FOUND = 5
const MIN_PHONE_DIGITS = 7

/** Returns the pages whose name contains the text; none for an empty one. */
export function searchPages(user: NavigatingUser, text: string, language: Language): readonly Found[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return []
  return navigationOf(user).flatMap(({ to, nav }) => {
    const title = nav[language]
    return title.toLocaleLowerCase().includes(wanted) ? [{ kind: 'page', to, title } as const] : []
  })
}

/** Returns messages and accounts. What the role may not see, or what does not exist, is not found. */
export async function searchRecords(role: string, text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const found = await Promise.allSettled([
    ...(hasPage(role, '/messages/$message') ? searchMessages(text, signal) : []),
    ...(hasPage(role, '/accounts/$account') && roleMay(role, 'listAccounts') ? [searchAccounts(text, signal)] : []),
  ])
  const all = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  return [...new Map(all.map((each) => [each.to, each])).values()]
}

function searchMessages(text: string, signal: AbortSignal): readonly Promise<readonly Found[]>[] {
  const digits = text.replace(/[\s()/.+-]/g, '')
  const isPhone = /^\d+$/.test(digits) && digits.length >= MIN_PHONE_DIGITS
  const id = Number(text)
  return [
    ...(Number.isSafeInteger(id) && id >= 64 ? [messageOf(id, signal)] : []),
    find({ id: text }, signal),
    ...(isPhone || isUserId(text) ? [find({ phone: isPhone ? digits : text }, signal)] : []),
  ]
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
  return { kind: 'message', to: `/messages/${message}`, id: message, note: `${phone} · ${status}` }
}

async function searchAccounts(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await api.get('/accounts', { query: { search: text, most: MAX_FOUND }, signal })
  return data.map(({ account, name }) => {
    return { kind: 'account', to: `/accounts/${account}`, title: `${name} (${account})` }
  })
}
