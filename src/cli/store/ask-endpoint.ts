/**
 * Runs an endpoint for a command: over the admin API of a given server, or directly on the store of an installation on
 * this machine, whether or not its gateway runs. Both check and audit alike.
 */
import { CARRIER_SCHEMAS, checkCarrierSettings, receiptAccounts } from '../../app/carriers/carrier-drivers.ts'
import { readyProviders } from '../../app/carriers/ready-providers.ts'
import { hookGuardOf } from '../../app/hooks/hook-guard.ts'
import type { Config } from '../../app/settings/config.ts'
import { isPathPart } from '../../domain/text/path-part.ts'
import { AdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import { checkInput, checkParams } from '../../operations/admin/endpoint/check-input.ts'
import type { Actor, Endpoint } from '../../operations/admin/endpoint/endpoint.ts'
import { endpointNamed } from '../../operations/admin/endpoints.ts'
import type { FieldError } from '../../operations/admin/fields/field-refused.ts'
import { StreamedJson } from '../../operations/admin/fields/streamed-json.ts'
import { type AdminCall, runEndpoint } from '../../operations/admin/run-endpoint.ts'
import { CannotDo, WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { withToolStore } from './open-tool-store.ts'

export type EndpointInput = Pick<AdminCall, 'params' | 'query' | 'body'> & Partial<Pick<AdminCall, 'key'>>

const ANSWER_WITHIN_MS = 60_000

/** Throws WrongUsage for invalid fields, otherwise CannotDo. */
export async function askEndpoint(
  wanted: Endpoint | string,
  input: EndpointInput,
  config: Config,
  terminal: Terminal,
): Promise<unknown> {
  const endpoint = typeof wanted === 'string' ? endpointNamed(wanted) : wanted
  const { clock, random } = terminal
  try {
    checkParams(endpoint.params, input.params)
    if (config.server !== null) return await askServer(endpoint, input, config.server, config.token)
    checkInput(endpoint.body, input.body)
    return await withToolStore(config, async (store) => {
      const tools = {
        store,
        clock,
        random,
        checkSettings: checkCarrierSettings,
        receiptAccounts,
        carrierSchemas: CARRIER_SCHEMAS,
        hookGuard: hookGuardOf(config),
        providers: readyProviders,
        publicUrl: config.publicUrl,
        live: null,
      }
      const { body } = await runEndpoint(endpoint, tools, {
        actor: actorAt(terminal),
        key: null,
        ...input,
        ifMatch: null,
      })
      return body instanceof StreamedJson ? body.value() : body
    })
  } catch (error) {
    if (error instanceof AdminProblem) throw failureOf(error.message, error.errors)
    throw error
  }
}

/** The user of this machine, who may do everything. */
export function actorAt({ user }: Terminal): Actor {
  return {
    name: user,
    role: 'owner',
    account: null,
    via: 'command line',
    token: null,
    expiresAt: null,
    session: null,
    address: null,
    site: null,
  }
}

async function askServer(
  endpoint: Endpoint,
  { params, query, body, key = null }: EndpointInput,
  server: string,
  token: string | null,
): Promise<unknown> {
  if (token === null)
    throw new WrongUsage(
      '--server: requires a token in the environment variable POSTHORN_TOKEN or in the file that POSTHORN_TOKEN_FILE names',
    )
  const values = params as Readonly<Record<string, unknown>>
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => writePart(String(values[name])))
  const address = new URL(`admin/v1${path}`, server.endsWith('/') ? server : `${server}/`)
  for (const [name, value] of Object.entries(query)) {
    // Null parameters are omitted from the query.
    if (value !== null) address.searchParams.set(name, String(value))
  }
  const hasBody = Object.keys(endpoint.body.properties).length > 0
  const answer = await fetch(address, {
    method: endpoint.method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    },
    body: hasBody ? JSON.stringify(body ?? {}) : null,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: Error) => {
    throw new CannotDo(
      `${address.origin} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    )
  })
  const text = await answer.text()
  if (!answer.ok)
    throw (
      problemIn(text) ??
      new CannotDo(
        `${address.origin} answered ${answer.status}: --server must be the address of the admin port, 8081 by default`,
      )
    )
  return text === '' ? null : JSON.parse(text)
}

/** Earlier versions took such names. */
function writePart(name: string): string {
  if (isPathPart(name)) return encodeURIComponent(name)
  throw new CannotDo(`no address can name ${name}: run the command without --server, on the machine of the gateway`)
}

function problemIn(text: string): Error | null {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      readonly detail: string
      readonly errors?: readonly FieldError[]
    }
    return failureOf(detail, errors)
  } catch {
    return null
  }
}

/** Fields are options, and null is typed as none: an invalid field is wrong usage, but not one inside of a file. */
function failureOf(detail: string, errors: readonly FieldError[]): Error {
  if (errors.some(({ field }) => field.startsWith('settings.'))) {
    const mistakes = errors.map(({ field, detail: rule }) => `\n  ${field.replace(/^settings\./, '')}: ${rule}`)
    return new CannotDo(mistakes.length === 1 ? detail : `${mistakes.length} mistakes:${mistakes.join('')}`)
  }
  const list = errors.map(({ field, detail: rule }) => {
    // Of a list or an object only the whole is an option: `scopes.0`, `pumping.floor`.
    const [name = '', ...path] = field.split('.')
    // An answer may be given by several options.
    if (name === 'answers' && path.length > 0) return `answer ${path.join('.')}: ${rule}`
    const inner = path.filter((each) => !/^\d+$/.test(each)).map((each) => `${each} `)
    return `--${name.replaceAll('_', '-')}: ${inner.join('')}${rule.replaceAll(/\bor null\b/g, 'or none')}`
  })
  return list.length === 0 ? new CannotDo(detail) : new WrongUsage(list.join('; '))
}
