/** The store's part in set-up: the directory, operators' changes and the audit log beside them. */
import type { AdminToken, AdminUser } from '../../domain/accounts/admin-user.ts'
import type { Sender } from '../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../domain/directory/directory.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { StoppedHook } from '../../domain/reports/stopped-hook.ts'
import type { CheckChange } from '../../domain/routing/carrier-check.ts'
import type { CarrierTimesChange } from '../../domain/routing/carrier-time.ts'
import type { DemotionChange } from '../../domain/routing/demotion.ts'
import type { ChatTemplate } from '../../domain/text/template.ts'
import type { AccountChange } from '../changes/account-change.ts'
import type { AlarmChange } from '../changes/alarm-change.ts'
import type { ChangeRecord, ExecutedRequest } from '../changes/change-record.ts'
import type { GuardChange } from '../changes/guard-change.ts'
import type { LoginChange } from '../changes/login-change.ts'
import type { MoneyChange } from '../changes/money-change.ts'
import type { RoutingChange } from '../changes/routing-change.ts'
import type { ForgottenNote } from '../records/forgetting.ts'
import type { AccountHook, ReportFilter } from '../records/pending-report.ts'
import type { SealingChange } from '../records/sealing.ts'
import type { BulkNote } from './bulk-store.ts'
import type { ClientHookChange } from './hook-store.ts'
import type { QueueNote } from './queued-store.ts'

export type DirectoryRead = 'anew'

export interface SetupStore {
  /**
   * What does not raise the revision may be as old as the revision, unless it is read `anew`: when keys were last used,
   * counters of passkeys, results of notifications.
   */
  loadDirectory(how?: DirectoryRead): Promise<DirectoryRows>
  /** Returns a number that grows whenever any process changes what `loadDirectory` returns. Cheap. */
  directoryRevision(): Promise<number>
  /**
   * Makes one change of an operator, whole or not at all, and writes `record` in the same transaction. Rejects with
   * ChangeRefused, whose text the operator may read. Returns the id of a created account, the number of resent or
   * tried reports, the id of a changed hook, or what login-change.ts says; otherwise null.
   */
  change<C extends Change>(change: C, record?: ChangeRecord): Promise<ChangeAnswer<C>>
  /** Returns the outcome of a request to the admin API; null if it was not executed. */
  findRequest(actor: string, key: string): Promise<ExecutedRequest | null>
  /** Stores the answer to an executed request; it may contain secrets that were shown once. */
  keepAnswer(actor: string, key: string, answer: string): Promise<void>
}

export type ChangeAnswer<C extends Change> = C extends {
  readonly kind:
    | 'resend reports'
    | 'try hook'
    | 'count login'
    | 'settle login'
    | 'use one-time token'
    | 'use passkey'
    | 'change hook'
}
  ? number
  : AccountId | null

/** Only for the audit log: an operator sends a message as an account, free of charge with a test message. */
interface MessageNote<Kind> {
  readonly kind: Kind
  readonly accountId: AccountId
  readonly messageId: MessageId
  /** Of its operation. */
  readonly type: string
  /** The carrier that it tests; absent if it tests none. */
  readonly testedCarrier?: string
}

/** What an operator can change. */
export type Change =
  | AccountChange
  | { readonly kind: 'set sender'; readonly sender: Sender }
  | { readonly kind: 'set chat template'; readonly template: ChatTemplate }
  | MoneyChange
  | ClientHookChange
  | { readonly kind: 'resume hook'; readonly hook: StoppedHook; readonly at: number }
  /**
   * Has the waiting reports of a hook sent as after an outage: the oldest is tried now, and the others follow as soon
   * as the hook answers. A bounded number; returns it.
   */
  | { readonly kind: 'try hook'; readonly hook: AccountHook }
  /**
   * Makes failed reports pending again, due at `at`, as if never tried. With `pending`, the same for pending ones that
   * wait in the store. A bounded number; returns it. With `number`, one report of the message, also if it was
   * delivered; one that a gateway has in memory is tried within seconds, and counts. With `triedAt`, a report that is
   * not pending is left alone unless that was its last try: two operators send it again once.
   */
  | ({
      readonly kind: 'resend reports'
      readonly pending: boolean
      readonly at: number
      readonly number?: number
      readonly triedAt?: number | null
    } & ReportFilter)
  | { readonly kind: 'set admin user'; readonly user: AdminUser }
  | { readonly kind: 'add admin token'; readonly token: AdminToken }
  | { readonly kind: 'remove admin token'; readonly user: string; readonly label: string }
  | LoginChange
  | GuardChange
  | AlarmChange
  | ForgottenNote
  | MessageNote<'note message'>
  | MessageNote<'note test message'>
  | BulkNote
  | QueueNote
  /** By gateways. Refused if another one has made a check since. */
  | ({ readonly kind: 'set carrier check' } & CheckChange)
  /** By gateways. */
  | ({ readonly kind: 'judge carrier' } & DemotionChange)
  /** The same by operators. */
  | ({ readonly kind: 'decide demotion' } & DemotionChange)
  /** By gateways. */
  | ({ readonly kind: 'add carrier times' } & CarrierTimesChange)
  | SealingChange
  | RoutingChange
  /** In this order, all or none; refused unless the directory is still at this revision. */
  | { readonly kind: 'all'; readonly revision: number; readonly changes: readonly RoutingChange[] }
