/** Finds the endpoint of a request, and what its path and query say of the operation. */
import { REST_ENDPOINTS, type RestEndpoint } from '../../contract/rest/rest-endpoints.ts'
import { splitTarget } from '../shared/api-path.ts'

export interface FoundEndpoint {
  readonly endpoint: RestEndpoint
  /** Of the operation. */
  readonly members: Readonly<Record<string, unknown>>
}

interface Pattern {
  readonly endpoint: RestEndpoint
  readonly path: RegExp
}

/** By what stands in braces. */
const PLACES: Readonly<Record<string, string>> = { id: '([1-9]\\d{0,15})', month: '([^/]{1,16})' }

const PATTERNS: readonly Pattern[] = REST_ENDPOINTS.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replace(/{(\w+)}/, (_, name) => PLACES[name] ?? '')}$`),
}))

/** More than any operation has. */
const MAX_PARAMS = 16

/** `target` is the path with its query. Returns null if there is no such endpoint. */
export function findEndpoint(method: string, target: string): FoundEndpoint | null {
  const [path, query] = splitTarget(target)
  for (const { endpoint, path: pattern } of PATTERNS) {
    const match = endpoint.method === method ? pattern.exec(path) : null
    if (match === null) continue
    const { type, named } = endpoint
    const value = named === 'month' ? match[1] : Number(match[1])
    if (named !== undefined && named !== 'month' && !Number.isSafeInteger(value)) return null
    return {
      endpoint,
      members: {
        ...(method === 'GET' ? fieldsOf(query) : {}),
        ...(named === undefined ? {} : { [named]: value }),
        ...(type === null ? {} : { type }),
      },
    }
  }
  return null
}

export function isMethodOf(method: string, target: string): boolean {
  return findEndpoint(method, target) !== null
}

/** Later parameters are ignored. */
function fieldsOf(query: string): Readonly<Record<string, unknown>> {
  const params = [...new URLSearchParams(query)].slice(0, MAX_PARAMS)
  return Object.fromEntries(params.map(([name, value]) => [name, /^\d{1,15}$/.test(value) ? Number(value) : value]))
}
