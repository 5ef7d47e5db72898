/** Alarms of a gateway: its checks, with their intervals, and the notifications. */
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { AlarmNotifier } from '../../delivery/alarms/alarm-notifier.ts'
import { type AlarmCheck, AlarmWatch } from '../../delivery/alarms/alarm-watch.ts'
import { countOpen, type OpenAlarms } from '../../domain/alarms/alarm.ts'
import {
  balanceConditions,
  carrierBalanceConditions,
  carrierConditions,
  checkConditions,
  demotionConditions,
  diskCondition,
  hookConditions,
  keywordConditions,
  ledgerCondition,
  queueConditions,
  trafficConditions,
} from '../../domain/alarms/alarm-conditions.ts'
import type { AlarmRules } from '../../domain/alarms/alarm-rule.ts'
import { HOOK_STOP_LASTS_MS } from '../../domain/reports/stopped-hook.ts'
import { lastChecks } from '../../domain/routing/carrier-check.ts'
import { findFallenShares } from '../../operations/read/delivery-shares.ts'
import { createMailer } from '../../wire/send-mail.ts'
import { createNotificationPost } from '../hooks/notification-post.ts'
import type { Base, Work } from './gateway-parts.ts'

const SECONDS_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export function openAlarms(base: Base, work: Pick<Work, 'hookPost' | 'carriers' | 'holdsFor' | 'lostKeywords'>) {
  const { store, directory, clock, log, config, metrics } = base
  const targets = () => directory.current().notificationTargets
  const rules: AlarmRules = (kind) => directory.current().alarmRules(kind)
  const watch = new AlarmWatch({ store, checks: checksOf(base, work, rules), rules, targets, clock, log })
  const { smtpUrl, mailFrom } = config
  const sendMail = smtpUrl === null ? null : createMailer({ url: smtpUrl, from: mailFrom })
  const notifier = new AlarmNotifier({
    store,
    targets,
    clock,
    log,
    post: createNotificationPost({ hookPost: work.hookPost, sendMail, clock }),
    context: { source: `Posthorn ${config.publicUrl ?? hostname()}`, consoleOrigin: config.consoleOrigin },
    onResult: (target, result) => metrics.countNotification(target, result),
  })
  let open: OpenAlarms | null = null
  const look = async () => {
    const { busy } = notifier
    const rows = await watch.look()
    open = countOpen(rows.alarms)
    if (watch.leads) notifier.send(rows, busy)
  }
  return { look, notifier, open: () => open }
}

export type Alarms = ReturnType<typeof openAlarms>

function checksOf(
  { store, directory, clock, config }: Base,
  { carriers, holdsFor, lostKeywords }: Pick<Work, 'carriers' | 'holdsFor' | 'lostKeywords'>,
  rules: AlarmRules,
): readonly AlarmCheck[] {
  const where = store.cluster === null ? '' : `${hostname()}: `
  return [
    {
      kinds: ['carrier_down', 'carrier_failing'],
      everyMs: 5 * SECONDS_MS,
      look: async () => carrierConditions(carriers(), { where, routes: directory.current().routes, holdsFor }),
    },
    {
      kinds: ['keyword_lost'],
      everyMs: 5 * SECONDS_MS,
      look: async () => keywordConditions(lostKeywords(), where),
    },
    {
      kinds: ['disk_full'],
      everyMs: MINUTE_MS,
      look: async () => {
        const { bavail, blocks, bsize } = await statfs(config.dataDir)
        return diskCondition(
          { free: bavail * bsize, total: blocks * bsize },
          { minPercent: rules('disk_full').threshold, where },
        )
      },
    },
    {
      kinds: ['delivery_share'],
      everyMs: 15 * MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      inBackground: true,
      look: () => findFallenShares(store, { now: clock.now(), maxDrop: rules('delivery_share').threshold }),
    },
    {
      kinds: ['hook_stopped'],
      everyMs: MINUTE_MS,
      look: async () =>
        hookConditions(await store.stoppedHooks({ accountId: null, since: clock.now() - HOOK_STOP_LASTS_MS })),
    },
    {
      kinds: ['queue_old', 'balance_low'],
      everyMs: MINUTE_MS,
      look: async () => {
        const { lowBalances, ...waiting } = await store.findConditions()
        return [
          ...queueConditions(waiting, { now: clock.now(), maxSeconds: rules('queue_old').threshold }),
          ...balanceConditions(lowBalances, (id) => directory.current().account(id)?.currency ?? null),
          ...carrierBalanceConditions(carriers()),
        ]
      },
    },
    {
      kinds: ['check_failed'],
      everyMs: MINUTE_MS,
      look: async () => checkConditions(lastChecks(directory.current())),
    },
    {
      kinds: ['carrier_demoted'],
      everyMs: 5 * SECONDS_MS,
      look: async () => demotionConditions(directory.current().demotions.all),
    },
    {
      kinds: ['pumping'],
      everyMs: 5 * SECONDS_MS,
      look: async () => trafficConditions(directory.current().guards.alarms, clock.now()),
    },
    {
      kinds: ['ledger_discrepancy'],
      get everyMs() {
        return rules('ledger_discrepancy').threshold * HOUR_MS
      },
      firstAfterMs: HOUR_MS,
      inBackground: true,
      look: async () => ledgerCondition(await store.verifyLedger()),
    },
  ]
}
