/**
 * Runs one admin request. Checks the role, all fields, the Idempotency-Key and If-Match before doing anything. Throws
 * AdminProblem, having changed nothing.
 */
import { createHash } from 'node:crypto'
import type { DirectoryRows } from '../../domain/directory/directory.ts'
import { toAccountId } from '../../domain/ids/account-id.ts'
import type { AdminRequest } from '../../ports/changes/change-record.ts'
import { ChangeConflict, ChangeRefused, StoreError, TooMuchToRead } from '../../ports/records/store-errors.ts'
import type { Store } from '../../ports/stores/store.ts'
import { auditStore, MAX_TRIES } from './audited-store.ts'
import { AdminProblem, refuseRole } from './endpoint/admin-problem.ts'
import { checkInput, checkParams } from './endpoint/check-input.ts'
import { checkScope, fillInAccount, showTo } from './endpoint/client-scope.ts'
import { type Actor, type AdminTools, type Endpoint, hasSecretInput, isWrite, rolesOf } from './endpoint/endpoint.ts'
import { takeTurn } from './endpoint/take-turns.ts'
import { accountRow, UnknownThing } from './fields/account-row.ts'
import { FieldRefused } from './fields/field-refused.ts'

export interface AdminCall {
  readonly actor: Actor
  readonly params: object
  readonly query: object
  readonly body: unknown
  /** The Idempotency-Key; null without one. */
  readonly key: string | null
  /** The ETag of If-Match; null without one. */
  readonly ifMatch: string | null
}

export interface AdminAnswer {
  /** Null without a result; a StreamedJson if it may be very large. */
  readonly body: unknown
  readonly etag: string | null
}

const KEY_CHARACTERS = 255
const REQUESTS_KEPT_MS = 86_400_000

export async function runEndpoint(endpoint: Endpoint, tools: AdminTools, call: AdminCall): Promise<AdminAnswer> {
  const { actor, ifMatch } = call
  checkRole(endpoint, actor)
  const params = checkParams(endpoint.params, call.params)
  const { query, body: sent } = fillInAccount(endpoint, actor, { query: call.query, body: call.body ?? {} })
  const input = { ...params, ...checkInput(endpoint.query, query), ...checkInput(endpoint.body, sent) }
  await withProblems(() => checkScope(endpoint, actor, input, tools.store))
  const request = requestOf(endpoint, tools, call, input)
  const earlier = request === null ? null : await findAnswer(tools, request)
  if (earlier !== null) return earlier
  const { entity } = endpoint
  const about = {
    actor,
    action: endpoint.name,
    clock: tools.clock,
    request,
    checkSeen: (rows: DirectoryRows) => {
      if (entity === null || ifMatch === null || etagOf(entity(rows, params as never)) === ifMatch) return
      throw new AdminProblem(412, 'it has changed since the ETag of If-Match: read it again')
    },
  }
  const run: Run = async (hasTurn) => {
    const audited = auditStore(tools.store, { ...about, hasTurn })
    let body: unknown
    try {
      body = await endpoint.run({ ...tools, store: audited.store }, input as never, actor)
    } catch (error) {
      // The store refuses a request whose key another one has used since this one looked.
      const isRefused = error instanceof ChangeRefused && request !== null && !audited.wrote()
      const first = isRefused ? await findAnswer(tools, request) : null
      if (first === null) throw error
      return { body: first.body, wrote: false }
    }
    // An endpoint without a result answers nothing, whatever its work returns.
    const answer = endpoint.result === null ? null : showTo(actor, endpoint, body ?? null)
    return { body: answer, wrote: audited.wrote() }
  }
  if (!isWrite(endpoint)) await withProblems(() => checkAccountFilter(tools.store, call.query))
  const { body, wrote } = await withProblems(() => runAgainWhenOvertaken(tools.store, run))
  const answer = {
    body,
    etag: entity === null ? null : etagOf(entity(await tools.store.loadDirectory(), params as never)),
  }
  if (request !== null && wrote) await tools.store.keepAnswer(request.actor, request.key, JSON.stringify(answer))
  return answer
}

/** Throws AdminProblem. */
function checkRole(endpoint: Endpoint, { role }: Actor): void {
  const { name, command, ownCommand } = endpoint
  const allowed = rolesOf(endpoint)
  if (allowed === null || allowed.includes(role)) return
  throw new AdminProblem(403, refuseRole(role, `use ${command ?? ownCommand ?? name}`, allowed))
}

/** Refuses a filter by an unknown account, whose list would be empty. Throws UnknownThing. */
async function checkAccountFilter(store: Store, query: object): Promise<void> {
  if ('account' in query && typeof query.account === 'number') {
    accountRow(await store.loadDirectory(), toAccountId(query.account))
  }
}

type Run = (hasTurn: boolean) => Promise<{ readonly body: unknown; readonly wrote: boolean }>

/**
 * Repeats a change computed from the whole directory if anything else changed concurrently, which is no conflict; the
 * repeat excludes other changes of this gateway.
 */
async function runAgainWhenOvertaken(store: Store, run: Run): ReturnType<Run> {
  try {
    return await run(false)
  } catch (error) {
    if (!(error instanceof ChangeConflict)) throw error
  }
  return takeTurn(store, async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run(true)
      } catch (error) {
        if (!(error instanceof ChangeConflict) || tries === MAX_TRIES) throw error
      }
    }
  })
}

/** Returns a strong ETag. */
function etagOf(entity: unknown): string {
  return `"${createHash('sha256')
    .update(JSON.stringify(entity ?? null))
    .digest('base64url')
    .slice(0, 22)}"`
}

function requestOf(
  endpoint: Endpoint,
  { clock }: AdminTools,
  { actor, key }: AdminCall,
  input: object,
): AdminRequest | null {
  if (key === null || !isWrite(endpoint) || hasSecretInput(endpoint)) return null
  if (key === '') throw new AdminProblem(400, 'Idempotency-Key: must not be empty')
  if (key.length > KEY_CHARACTERS) throw new AdminProblem(400, `Idempotency-Key: at most ${KEY_CHARACTERS} characters`)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([endpoint.name, input]))
    .digest('hex')
  return { actor: actor.name, key, bodyHash, keepUntil: clock.now() + REQUESTS_KEPT_MS }
}

async function findAnswer({ store }: AdminTools, request: AdminRequest): Promise<AdminAnswer | null> {
  const earlier = await store.findRequest(request.actor, request.key)
  if (earlier === null) return null
  if (earlier.bodyHash !== request.bodyHash)
    throw new AdminProblem(409, 'the Idempotency-Key was used for another request')
  if (earlier.answer === null) {
    throw new AdminProblem(409, 'a request with this Idempotency-Key was executed or is running; check its effect')
  }
  return JSON.parse(earlier.answer)
}

const TOO_MUCH = 'the search reads too many rows: choose an account, a phone number or a shorter time'

async function withProblems<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UnknownThing) throw new AdminProblem(404, error.message)
    if (error instanceof ChangeConflict) throw new AdminProblem(409, error.message)
    if (error instanceof FieldRefused) throw new AdminProblem(422, error.message, error.errors)
    if (error instanceof ChangeRefused) throw new AdminProblem(422, error.message)
    if (error instanceof TooMuchToRead) throw new AdminProblem(422, TOO_MUCH)
    if (error instanceof StoreError) throw new AdminProblem(503, 'the store is unavailable; nothing was changed')
    throw error
  }
}
