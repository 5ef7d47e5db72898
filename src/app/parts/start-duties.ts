/** The repeated duties of a gateway, with their intervals. */
import type { SmppServer } from '../../apis/smpp/smpp-server.ts'
import { TemplateWatch } from '../../delivery/carriers/template-watch.ts'
import { keepChatTemplates } from '../../operations/admin/chat-templates/keep-chat-templates.ts'
import type { BulkRunner } from '../../operations/bulk/runner.ts'
import { CarrierChecks } from '../../operations/checks/carrier-checks.ts'
import type { OperationTools } from '../../operations/request/operation-tools.ts'
import type { WorkQueue } from '../../operations/request/work-queue.ts'
import { createRunAs } from '../../operations/run/run.ts'
import { AutomaticReplies } from '../../operations/send/automatic-replies.ts'
import type { Store } from '../../ports/stores/store.ts'
import type { Alarms } from './alarms.ts'
import { Duties } from './duties.ts'
import type { Base, IntakeParts, ReadinessWatch, Work } from './gateway-parts.ts'

/** Refresh interval: how soon a change by another process is seen. */
const REFRESH_MS = 1_000
const SWEEP_MS = 60_000
const TEMPLATES_MS = 2_000
const REPLIES_MS = 1_000
const TRAFFIC_MS = 5_000
/** Without a bulk that is due, and with one. */
const [BULKS_MS, BUSY_BULKS_MS] = [1_000, 250]
const ALARMS_MS = 5_000
const CARRIER_TIMES_MS = 5_000
const KEY_USES_MS = 60_000
const CERTIFICATE_MS = 60_000
const BINDS_MS = 5_000
const CHECKS_MS = 15_000
const QUALITY_MS = 10_000

interface DutyParts {
  readonly work: Work
  readonly readiness: ReadinessWatch
  readonly intake: IntakeParts
  readonly operations: OperationTools
  readonly bulks: BulkRunner
  readonly queue: WorkQueue
  readonly alarms: Alarms
}

export function startDuties(base: Base, parts: DutyParts): Duties {
  const { work, intake, readiness, operations, bulks, alarms, queue } = parts
  const { delivery } = work
  const { config, clock, store, directory, hooks } = base
  const templates = new TemplateWatch({
    carriers: () => delivery.fleet.all(),
    revision: () => directory.current().revision,
    keep: (carrierId, listed) => keepChatTemplates(store, carrierId, listed),
  })
  const replies = new AutomaticReplies(operations)
  const runAs = createRunAs(operations, queue)
  const checks = new CarrierChecks({ operations, store, runAs, refresh: directory.refresh })
  delivery.reporter.onReply = (reply) => replies.sendFromHook(reply)
  const duties = new Duties(base)
  duties.every(REFRESH_MS, directory.refresh)
  duties.every(REFRESH_MS, hooks.refresh)
  duties.every(REFRESH_MS, readiness.look)
  duties.every(SWEEP_MS, async () => {
    await store.sweep(clock.now(), config)
    // Messages that were forwarded for a carrier without any node are available to every node by then.
    delivery.wake()
  })
  duties.every(KEY_USES_MS, () => intake.keyUses.write())
  duties.every(TRAFFIC_MS, () => intake.pumping.look())
  duties.every(REPLIES_MS, () => replies.look())
  duties.every(ALARMS_MS, () => alarms.look())
  duties.every(CARRIER_TIMES_MS, () => work.carrierTimes.look())
  duties.every(TEMPLATES_MS, () => templates.look())
  duties.every(CHECKS_MS, () => checks.look())
  duties.every(QUALITY_MS, () => work.quality.look())
  // Nodes that only take requests run no bulks.
  if (config.role !== 'api') duties.every(BULKS_MS, () => bulks.look(), BUSY_BULKS_MS)
  return duties
}

/** Ends connections whose login has changed, and looks for reports that other nodes left for the others. */
export function lookAtLogins(duties: Duties, server: SmppServer, { loginBinds }: Work, store: Store): void {
  duties.every(REFRESH_MS, async () => {
    if (store.cluster !== null) loginBinds.look()
    await server.look()
  })
  if (store.cluster !== null) duties.every(BINDS_MS, () => server.noteBinds())
  duties.every(CERTIFICATE_MS, async () => server.renewCertificate())
}
