/** Endpoints that all resources have: list, set, remove. */
import Type, { type TProperties } from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { inputSchemas, readKey, readPublicFields, viewOf, viewSchemas, withDefaults } from '../fields/fields.ts'
import { PAGING, pageOf } from '../fields/shapes.ts'
import { type PageInput, takePage } from '../fields/take-page.ts'
import type { ClientAccess } from './client-access.ts'
import { type AdminTools, type Endpoint, endpoint } from './endpoint.ts'
import { showHooks } from './hook-address.ts'
import { inputFields, keyFields, type Resource, readItem, setUpOf } from './resource.ts'

interface About {
  readonly name: string
  readonly path: string
  readonly command: string
  readonly summary: string
  readonly may: readonly Role[]
  readonly clients?: ClientAccess
  /** Adds a field that finds a text in any text of an item. Not for lists of phones, and not with hidden fields. */
  readonly search?: true
}

/** `filter` adds query fields; each one but `null` must equal the item's public value. */
export function listEndpoint<T extends object>(
  resource: Resource<T>,
  about: About,
  filter: TProperties = {},
): Endpoint {
  return endpoint({
    ...about,
    method: 'GET',
    query: { ...PAGING, ...filter, ...(about.search === true ? { search: Type.Optional(SEARCH) } : {}) },
    result: pageOf(Type.Object(viewSchemas(resource.fields))),
    run: async ({ store }, input, { role }) => {
      const { after, most, search, ...wanted } = input as PageInput & { readonly search?: string }
      const has = containing(search ?? '')
      const items = resource.items(await store.loadDirectory())
      const asked = readPublicFields(resource.fields, wanted)
      const found = items.filter(
        (item) => Object.entries(asked).every(([key, value]) => Reflect.get(item, key) === value) && has(item),
      )
      return takePage(found, paging(after, most), (item) => showHooks(role, viewOf(resource.fields, item)))
    },
  })
}

const SEARCH = Type.String({
  maxLength: 100,
  description: 'only rows with this text, in any case, in one of their texts',
})

/** Numbers are not searched. */
function containing(search: string): (item: object) => boolean {
  if (search === '') return () => true
  const wanted = search.toLowerCase()
  const has = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(wanted)
  return (item) => Object.values(item).some((value) => (Array.isArray(value) ? value.some(has) : has(value)))
}

export function setEndpoint<T extends object>(resource: Resource<T>, about: About & { readonly method?: 'POST' }) {
  return endpoint({
    method: 'PUT',
    ...about,
    body: inputSchemas(inputFields(resource)),
    result: Type.Object(viewSchemas(resource.fields)),
    run: async (tools, shown) => viewOf(resource.fields, await setItem(resource, tools, shown)),
  })
}

/** The key is sent in the query; with POST in the body, if it must not appear in URLs. */
export function removeEndpoint<T extends object>(resource: Resource<T>, about: About & { readonly method?: 'POST' }) {
  const fields = keyFields(resource)
  return endpoint({
    method: 'DELETE',
    ...about,
    [about.method === 'POST' ? 'body' : 'query']: inputSchemas(fields),
    run: async ({ store, checkSettings }, shown) => {
      const key = readKey(fields, withDefaults(fields, shown)) as T
      const found = resource.refer?.(key, setUpOf(await store.loadDirectory(), checkSettings)) ?? key
      if (resource.remove !== null) await store.change(resource.remove(found as never))
    },
  })
}

/** Returns the stored item. Throws ChangeRefused. */
export async function setItem<T extends object>(
  resource: Resource<T>,
  {
    store,
    checkSettings,
    hookGuard,
  }: Pick<AdminTools, 'store' | 'checkSettings'> & Partial<Pick<AdminTools, 'hookGuard'>>,
  shown: object,
): Promise<T> {
  const item = readItem(resource, shown, { ...setUpOf(await store.loadDirectory(), checkSettings), hookGuard })
  await store.change(resource.set(item))
  return item
}

function paging(after: number | undefined, most: number | undefined) {
  return { ...(after === undefined ? {} : { after }), ...(most === undefined ? {} : { most }) }
}
