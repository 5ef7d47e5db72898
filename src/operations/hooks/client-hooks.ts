/** `hook/…`: hooks that the client manages itself. Each change is durable, and known to this gateway, when answered. */
import { readFields } from '../../contract/fields/fields.ts'
import { HOOK_CREATE_FIELDS, HOOK_NAMING_FIELDS, HOOK_UPDATE_FIELDS } from '../../contract/operations/hook-fields.ts'
import { type RequestObject, writeItemError, writeResult } from '../../contract/request/envelope.ts'
import { keyIdOf } from '../../domain/accounts/api-key.ts'
import { addressed, type ClientHook, type HookChange } from '../../domain/reports/client-hook.ts'
import { REPORT_TYPES, type ReportType, reportId, writeTestReport } from '../../domain/reports/report.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../domain/reports/stopped-hook.ts'
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import { checkHook } from '../request/check-hook.ts'
import { makeHookSecret } from '../request/hook-secret.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an invalid or private address, or unknown events. */
export function planHookCreation(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools } = scope
  const { hook, events, description = null } = readFields(item, HOOK_CREATE_FIELDS, tools.limits)
  checkHook(tools, hook)
  const secret = makeHookSecret(tools.random)
  const change = { kind: 'create', address: hook, events: allAsNull(events), description, secret } as const
  return inquiry(scope, change, async (id) => writeResult({ hook_id: id, secret }))
}

/** Throws ItemRefused for an invalid field. */
export function planHookUpdate(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools } = scope
  const { hookId, hook, events, description } = readFields(item, HOOK_UPDATE_FIELDS, tools.limits)
  if (hook !== undefined) checkHook(tools, hook)
  const change = {
    ...({ kind: 'update', id: hookId } as const),
    ...(hook === undefined ? {} : { address: hook }),
    ...(events === undefined ? {} : { events: allAsNull(events) }),
    ...(description === undefined ? {} : { description }),
  }
  return inquiry(scope, change, async (id) => {
    const updated = (await readHooks(scope)).find((each) => each.hook_id === id)
    // Another request may have deleted it since.
    return writeResult(updated ?? { hook_id: id })
  })
}

/** Throws ItemRefused for an operation that names no hook. */
export function planHookRotation(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools, account } = scope
  const { hookId } = readFields(item, HOOK_NAMING_FIELDS, tools.limits)
  const secret = makeHookSecret(tools.random)
  return inquiry(scope, { kind: 'rotate', id: hookId, secret }, async (id) => {
    const hook = tools.hooks.of(account.id).hooks.find((each) => each.id === id)
    return writeResult({ hook_id: id, secret, old_secret_until: writeTime(hook?.oldSecretsUntil) })
  })
}

/** Throws ItemRefused for an operation that names no hook. */
export function planHookDeletion(scope: Scope, item: RequestObject): DirectInquiry {
  const { hookId } = readFields(item, HOOK_NAMING_FIELDS, scope.tools.limits)
  return inquiry(scope, { kind: 'delete', id: hookId }, async (id) => writeResult({ hook_id: id }))
}

/** Posts a report to the hook, whatever its events are. Throws ItemRefused for an operation that names no hook. */
export function planHookTest(scope: Scope, item: RequestObject): DirectInquiry {
  const { tools, account, now, newId } = scope
  const { hookId } = readFields(item, HOOK_NAMING_FIELDS, tools.limits)
  const event = { messageId: newId(account.id), accountId: account.id }
  return inquiry(scope, { kind: 'test', id: hookId }, async (id) => {
    const hooks = tools.hooks.of(account.id).hooks.filter((each) => each.id === id)
    const [report] = addressed(writeTestReport(event, id, now), null, hooks)
    if (report === undefined) return writeResult({ hook_id: id })
    await tools.store.writeReport(report, now)
    tools.hooks.onReports()
    return writeResult({ hook_id: id, webhook_id: reportId(report) })
  })
}

export function planHookList(scope: Scope): DirectInquiry {
  scope.lists.count(0)
  return {
    answer: async () => {
      await scope.tools.hooks.refresh()
      return writeResult(await readHooks(scope))
    },
  }
}

/** It reads as much as a list. */
function inquiry(
  { tools, account, key, now, lists }: Scope,
  change: HookChange,
  answer: (id: number) => Promise<string>,
): DirectInquiry {
  lists.count(0)
  return {
    answer: async () => {
      try {
        const order = { kind: 'change hook', accountId: account.id, change, at: now, key: keyIdOf(key) } as const
        const id = await tools.store.change(order)
        // The change is made, even if it cannot be read now.
        await tools.hooks.refresh().catch(() => {})
        return await answer(id)
      } catch (error) {
        if (error instanceof ChangeRefused) return writeItemError(null, error.message)
        throw error
      }
    },
  }
}

async function readHooks({ tools, account, now }: Scope) {
  const stops = await tools.store.stoppedHooks({ accountId: account.id, since: now - HOOK_STOP_LASTS_MS })
  const stopped = new Set(stops.filter((each) => each.stopped).map(({ address }) => address))
  return tools.hooks.of(account.id).hooks.map((hook) => describe(hook, stopped, now))
}

function describe(hook: ClientHook, stopped: ReadonlySet<string>, now: number) {
  const { id, address, events, description, oldSecretsUntil = 0, createdAt } = hook
  return {
    hook_id: id,
    hook: address,
    events,
    description,
    stopped: stopped.has(hookOf(address)),
    old_secret_until: oldSecretsUntil > now ? writeTime(oldSecretsUntil) : null,
    created_at: writeTime(createdAt),
  }
}

/** All types are stored as null, so that the hook gets those of later versions too. */
function allAsNull(events: readonly ReportType[] = REPORT_TYPES): readonly ReportType[] | null {
  return events.length === REPORT_TYPES.length ? null : events
}

function writeTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
