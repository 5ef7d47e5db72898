/** Price groups by a part of their id, for fields that search. */
import { api } from '../../api/api.ts'
import type { Choice } from '../../parts/form/field.tsx'

const MATCHES = 20

export async function searchGroups(text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const query = { most: MATCHES, ...(text === '' ? {} : { search: text }) }
  const { data } = await api.get('/price-groups', { query, signal })
  return data.map(({ group }) => ({ value: group, label: group }))
}
