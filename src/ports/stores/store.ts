/**
 * The port for databases: the union of its roles. Each role is an interface of its own; take the smallest that you
 * need.
 *
 * Every promise resolves once its change is on disk (fsync), and rejects with a StoreError if nothing of it was
 * written. Calls made during a commit share the next one, in call order. No method reads or writes single rows where a
 * batch would do.
 *
 * Open messages and pending reports are either held by one node, in its memory, or wait in the store for their due
 * time. Each node that opens the store gets a number of its own; whatever a dead node held is due at once.
 */
import type { UserStore } from '../carriers/user-store.ts'
import type { Clustered } from '../records/cluster.ts'
import type { Sealing } from '../records/sealing.ts'
import type { LinkStore } from '../records/short-link.ts'
import type { AlarmStore } from './alarm-store.ts'
import type { BulkStore } from './bulk-store.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EventStore } from './event-store.ts'
import type { HookStore } from './hook-store.ts'
import type { IntakeStore } from './intake-store.ts'
import type { PartStore } from './part-store.ts'
import type { QualityStore } from './quality-store.ts'
import type { QueryStore } from './query-store.ts'
import type { QueuedStore } from './queued-store.ts'
import type { ReplayStore } from './replay-store.ts'
import type { ReplyStore } from './reply-store.ts'
import type { ReportStore } from './report-store.ts'
import type { SetupStore } from './setup-store.ts'
import type { UpkeepStore } from './upkeep-store.ts'

export interface Store
  extends IntakeStore,
    DeliveryStore,
    ReportStore,
    EventStore,
    HookStore,
    ReplayStore,
    ReplyStore,
    LinkStore,
    PartStore,
    BulkStore,
    SetupStore,
    QueryStore,
    QueuedStore,
    QualityStore,
    AlarmStore,
    UpkeepStore,
    UserStore,
    Sealing,
    Clustered {}
