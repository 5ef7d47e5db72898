/** Opens the scope that the operations of one request, or of one step of a bulk, share. */
import type { Limits, ReadingRules } from '../../contract/request/limits.ts'
import { type Account, timeZoneOfRequests } from '../../domain/accounts/account.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import type { Access } from '../../domain/directory/directory.ts'
import { RequestUsage } from '../../domain/guards/guards.ts'
import type { OperationTools } from './operation-tools.ts'
import type { Scope } from './planned.ts'

interface ScopeOptions extends Pick<Access, 'account' | 'key'> {
  /** Milliseconds. */
  readonly now: number
  readonly newId: Scope['newId']
}

type OfRequest = Pick<Scope, 'waitUntil' | 'checkIds' | 'lists' | 'trace' | 'reporting' | 'sendsCodes'>

/** Without them, the scope is for sends only. */
const SENDS_ONLY: OfRequest = {
  waitUntil: null,
  checkIds: {
    next: () => {
      throw new RangeError('only requests check codes')
    },
  },
  lists: { count: () => {} },
  trace: null,
  reporting: null,
  sendsCodes: false,
}

export function openScope(
  tools: OperationTools,
  { account, key, now, newId }: ScopeOptions,
  { waitUntil, checkIds, lists, trace, reporting, sendsCodes }: OfRequest = SENDS_ONLY,
): Scope {
  const directory = tools.directory()
  return {
    tools: toolsOf(account, tools),
    account,
    key,
    directory,
    lookup: key.test ? tools.testLookup : tools.lookup,
    numbers: key.test ? tools.testNumbers : tools.numbers,
    chatappName: CHATAPP.name,
    now,
    waitUntil,
    newId,
    bulk: null,
    trace,
    reporting,
    testedCarrier: null,
    sendsCodes,
    checkIds,
    usage: key.test ? null : new RequestUsage(account, directory.guards.settings, now),
    lists,
  }
}

/** Returns the rules for what the account writes. */
export function rulesOf({ settings }: Account, limits: Limits): ReadingRules {
  const timeZone = timeZoneOfRequests(settings)
  const { nationalCountry } = settings
  return {
    ...limits,
    ...(timeZone === null ? {} : { timeZone }),
    ...(nationalCountry === null ? {} : { nationalCountry }),
  }
}

function toolsOf(account: Account, tools: OperationTools): OperationTools {
  const { nationalCountry } = account.settings
  if (timeZoneOfRequests(account.settings) === null && nationalCountry === null) return tools
  return { ...tools, limits: rulesOf(account, tools.limits) }
}
