/**
 * Keeps the users of an account to their account, in one place: `runEndpoint` calls these functions around every
 * endpoint. What belongs to another account is reported exactly as what does not exist.
 */
import { Value } from 'typebox/value'
import type { Store } from '../../../ports/stores/store.ts'
import { StreamedJson } from '../fields/streamed-json.ts'
import { AdminProblem } from './admin-problem.ts'
import type { Actor, Endpoint } from './endpoint.ts'

interface Given {
  readonly query: object
  /** As sent, not checked yet. */
  readonly body: unknown
}

/** Returns the input with the user's account filled in. Throws AdminProblem for a field of operators. */
export function fillInAccount({ clients, query, body }: Endpoint, { account }: Actor, given: Given): Given {
  if (account === null || clients === null) return given
  const fill = ({ properties }: Endpoint['query'], values: unknown): unknown => {
    if (typeof values !== 'object' || values === null) return values
    const sent = new Set(Object.keys(values))
    const filled: Record<string, unknown> = { ...values }
    for (const [name, value] of Object.entries(clients.fixed ?? {})) {
      if (!(name in properties)) continue
      if (sent.has(name)) {
        throw new AdminProblem(400, 'some fields are invalid', [{ field: name, detail: 'only operators may send it' }])
      }
      if (value !== null) filled[name] = value
    }
    if (clients.scope === 'account' && 'account' in properties && !sent.has('account')) filled['account'] = account
    return filled
  }
  return { query: fill(query, given.query) as object, body: fill(body, given.body) }
}

/** Throws AdminProblem 404 if the input names another account or a record of another account. */
export async function checkScope({ clients }: Endpoint, actor: Actor, input: object, store: Store): Promise<void> {
  if (actor.account === null || clients === null || clients.scope === 'self') return
  if (clients.scope === 'account') {
    const asked = (input as { readonly account?: unknown }).account
    if (asked !== actor.account) throw new AdminProblem(404, `there is no account ${asked}`)
    return
  }
  const { record, accountOf } = clients.scope
  const owner = await accountOf(store, input as never)
  if (owner !== actor.account) throw new AdminProblem(404, `there is no such ${record}`)
}

/** Returns the result that the caller may see. */
export function showTo({ account }: Actor, { clients, result }: Endpoint, body: unknown): unknown {
  if (account === null || body === null || result === null) return body
  if (!(body instanceof StreamedJson)) return Value.Clean(clients?.result ?? result, structuredClone(body))
  return clients?.result === undefined ? body : Value.Clean(clients.result, body.value())
}
