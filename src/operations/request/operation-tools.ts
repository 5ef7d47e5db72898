/** Dependencies of operations. */
import type { ChatappNames } from '../../contract/operations/chatapp-names.ts'
import type { ReadingRules } from '../../contract/request/limits.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { Directory, KeyRefusal } from '../../domain/directory/directory.ts'
import type { Message } from '../../domain/message/message.ts'
import type { HooksOf } from '../../domain/reports/client-hook.ts'
import type { Lookup, NumberLookup } from '../../ports/carriers/lookup.ts'
import type { HookOutbox } from '../../ports/hooks/outbox.ts'
import type { Store } from '../../ports/stores/store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Tracing } from '../../ports/system/tracing.ts'
import type { KeyUses } from './api-key.ts'
import type { HookGuard } from './check-hook.ts'
import type { Logins } from './logins.ts'
import type { MessageIds } from './message-ids.ts'
import type { RateLimits, RequestRates } from './rate-limits.ts'

/** The hooks that clients manage, as this gateway knows them. */
interface KnownHooks {
  readonly of: HooksOf
  /** Reads those that have changed. */
  readonly refresh: () => Promise<void>
  /** Called when reports of hooks wait in the store. */
  readonly onReports: () => void
}

export interface OperationTools {
  readonly store: Store
  readonly outbox: HookOutbox
  /** Returns the current directory, which is replaced as a whole when an operator changes something. */
  readonly directory: () => Directory
  readonly hooks: KnownHooks
  readonly lookup: Lookup
  /** Returns the operators of simulated phones, which test keys reach. */
  readonly testLookup: Lookup
  /** Asks lookup services. */
  readonly numbers: NumberLookup
  /** Answers about simulated phones. */
  readonly testNumbers: NumberLookup
  /** Numbers that are looked up to route and price, of requests and bulks together. */
  readonly routingLookups: RateLimits
  readonly rates: RequestRates
  readonly keyUses: KeyUses
  /** One for all APIs, so that they count failures together. */
  readonly logins: Logins
  /** One for all messages of a gateway, so that their ids follow the order in which they were made. */
  readonly messageIds: MessageIds
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly limits: ReadingRules
  readonly chatappNames: ChatappNames
  readonly hookGuard: HookGuard
  /** Receives the cause of a denied request, and its key if known. */
  readonly onDenied?: (cause: KeyRefusal, key: ApiKey | null) => void
  /** Receives accepted messages, to watch traffic. */
  readonly onAccepted?: (messages: readonly Message[]) => void
  /** Receives how long the answer to a request took, and the group of its first operation (plan-item.ts). */
  readonly onAnswered?: (operation: string, ms: number) => void
  /** Absent if no tracer is installed. */
  readonly tracing?: Tracing
  /** Public address of the public port without a trailing slash: `https://posthorn.example`. */
  readonly publicUrl: string
}
