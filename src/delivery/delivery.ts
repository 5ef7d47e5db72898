/** Puts delivery together: the pump, the carriers, the receipts and the reports. */
import type { LostKeywords } from '../domain/alarms/alarm-conditions.ts'
import type { CarrierSetup, Directory, InstalledCarrier } from '../domain/directory/directory.ts'
import type { Turn } from '../domain/journey/turn.ts'
import type { HooksOf } from '../domain/reports/client-hook.ts'
import type { Carrier } from '../ports/carriers/carrier.ts'
import type { Lookup } from '../ports/carriers/lookup.ts'
import type { ExplainRouting } from '../ports/carriers/routing.ts'
import type { HookPost } from '../ports/hooks/hook-post.ts'
import type { Store } from '../ports/stores/store.ts'
import type { Clock } from '../ports/system/clock.ts'
import type { Log } from '../ports/system/log.ts'
import type { Random } from '../ports/system/random.ts'
import { CarrierFleet } from './carriers/carrier-fleet.ts'
import { ConnectionSlots, type SharedLimits } from './carriers/connection-slots.ts'
import { type ReceiptOrigins, ReceiptPeers } from './carriers/receipt-peers.ts'
import { type CarrierView, viewCarriers } from './carriers/view-carriers.ts'
import { ParkingLimit } from './intake/parking-limit.ts'
import { Pump, type PumpLimits } from './intake/pump.ts'
import { NumberLookups } from './lookups/number-lookups.ts'
import { ReceiptIntake } from './receipts/receive-receipts.ts'
import { Reporter } from './reports/report.ts'
import type { ReporterTools } from './reports/reporter-tools.ts'
import { explainRouting } from './submit/explain-routing.ts'
import type { ProcessorTools } from './submit/process-message.ts'

export interface DeliveryTools {
  readonly store: Store
  readonly hookPost: HookPost
  readonly directory: () => Directory
  readonly hooksOf: HooksOf
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly createCarrier: (setup: CarrierSetup) => Carrier
  /** Carriers that exist without being set up by an operator. */
  readonly standing?: readonly CarrierSetup[]
  readonly sharedLimits: SharedLimits
  /** Carriers with a common origin may receive each other's receipts. */
  readonly receiptOrigins: ReceiptOrigins
  /** Currency of costs that name none, ISO 4217. */
  readonly currency: string
  readonly onTurn: (turn: Turn) => void
  readonly onReport?: NonNullable<ReporterTools['onReport']>
  readonly onAttempt?: NonNullable<ProcessorTools['onAttempt']>
  /** Reads the directory again. */
  readonly refresh: () => Promise<void>
  readonly limits: PumpLimits
  /** False for a node that leaves all carriers to other nodes. True by default. */
  readonly runsCarriers?: boolean
}

export class Delivery {
  readonly fleet: CarrierFleet
  readonly reporter: Reporter
  readonly pump: Pump
  readonly lookups: NumberLookups
  /** Explains the carrier that a message would get now. */
  readonly explainRouting: ExplainRouting
  readonly #receipts: ReceiptIntake
  readonly #directory: () => Directory
  readonly #standing: readonly InstalledCarrier[]
  readonly #slots: ConnectionSlots
  readonly #runsCarriers: boolean

  constructor(tools: DeliveryTools) {
    this.fleet = new CarrierFleet(tools)
    this.reporter = new Reporter(tools)
    const parking = new ParkingLimit(tools.clock, tools.limits.maxParked)
    const pump = new Pump({ ...tools, fleet: this.fleet, reports: this.reporter, parking }, tools.limits)
    this.pump = pump
    this.lookups = new NumberLookups({ ...tools, fleet: this.fleet })
    this.explainRouting = (message) => explainRouting(message, { ...tools, fleet: this.fleet })
    this.#directory = tools.directory
    this.#runsCarriers = tools.runsCarriers ?? true
    this.#standing = (tools.standing ?? []).map((setup) => ({ ...setup, draining: false }))
    this.#slots = new ConnectionSlots({
      ...tools,
      cluster: tools.store.cluster,
      limits: tools.sharedLimits,
      installed: () => tools.directory().carriers,
      inUse: (carrierId) => this.fleet.slotsInUse(carrierId),
      onChange: () => this.#reroute(),
    })
    this.fleet.onStopped = () => this.#reroute()
    const peers = new ReceiptPeers(() => tools.directory().carriers, tools.receiptOrigins)
    const onReports = () => this.reporter.wake()
    this.#receipts = new ReceiptIntake({ ...tools, pump, parking, peers, fleet: this.fleet, onReports })
  }

  /** Starts the carriers and resumes open messages and reports. */
  start(): void {
    this.#updateFleet()
    if (this.#runsCarriers) this.#slots.start()
    this.wake()
  }

  /** Checks the store for due messages and reports. */
  wake(): void {
    this.pump.lookAtBlocked()
    this.pump.wake()
    this.reporter.wake()
  }

  /** Follows a change of the directory. */
  refresh(): void {
    this.#reroute()
    this.pump.lookAtBlocked()
    // An operator may have had failed reports sent again.
    this.reporter.refresh()
  }

  /** Follows changes of hooks by clients. */
  refreshHooks(): Promise<void> {
    return this.reporter.refreshStops()
  }

  /** Returns the carriers that run here. */
  viewCarriers(): readonly CarrierView[] {
    return viewCarriers(this.fleet, {
      waitingFor: (id) => this.pump.waitingFor(id),
      droppedReceiptsOf: (id) => this.#receipts.droppedOf(id),
    })
  }

  /** Returns keywords of the last minutes that changed nothing. */
  lostKeywords(): readonly LostKeywords[] {
    return this.#receipts.lostKeywords.recent()
  }

  #reroute(): void {
    this.pump.reroute(this.#updateFleet())
  }

  #updateFleet(): readonly string[] {
    const installed = [...this.#directory().carriers, ...this.#standing]
    const placed = this.#runsCarriers
      ? this.#slots.place(installed)
      : installed.map((carrier) => ({ carrier, slots: carrier.channel === 'lookup' ? null : [] }))
    return this.fleet.update(placed, this.#receipts)
  }

  /** Waits until the results of parts on the wire are recorded and releases all other messages to the store. */
  async stop(): Promise<void> {
    await this.#slots.stop()
    await this.pump.stop()
    await this.reporter.stop()
  }
}
