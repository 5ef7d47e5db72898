/**
 * Sends the notifications that wait in the store. Every target has its own pace: one that does not answer delays no
 * other. A notification is removed only after its target got it, so that a restart repeats it at most once.
 */
import {
  type Notification,
  type NotificationTarget,
  planSends,
  retryAt,
  type StoredTarget,
} from '../../domain/alarms/notification.ts'
import {
  type AlarmNotice,
  type Notice,
  type NoticeContext,
  writeNotice,
  writeSummary,
  writeTestNotice,
} from '../../domain/alarms/notification-text.ts'
import type { SettledNotifications } from '../../ports/changes/alarm-change.ts'
import type { NotificationPost, NotificationResult } from '../../ports/hooks/notification-post.ts'
import type { AlarmRows } from '../../ports/stores/alarm-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

export interface AlarmNotifierTools {
  readonly store: Pick<SetupStore, 'change'>
  readonly post: NotificationPost
  readonly targets: () => readonly StoredTarget[]
  readonly clock: Clock
  readonly log: Log
  readonly context: Pick<NoticeContext, 'source' | 'consoleOrigin'>
  /** For metrics. */
  readonly onResult: (target: string, result: NotificationResult['kind']) => void
}

const MINUTE_MS = 60_000

export class AlarmNotifier {
  readonly #tools: AlarmNotifierTools
  readonly #sending = new Map<string, Promise<void>>()
  /** Monotonic times, by target. */
  readonly #recent = new Map<string, readonly number[]>()
  #tests = 0
  #stopped = false

  constructor(tools: AlarmNotifierTools) {
    this.#tools = tools
  }

  /** The targets to which something is being sent, or whose result is being stored. */
  get busy(): ReadonlySet<string> {
    return new Set(this.#sending.keys())
  }

  /**
   * Begins to send what is due. Does not wait. `busy` are the targets that were busy when the rows were asked for: what
   * was sent to them since may still be in the rows.
   */
  send({ alarms, notifications }: AlarmRows, busy: ReadonlySet<string>): void {
    const { clock, targets } = this.#tools
    if (this.#stopped) return
    const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]))
    const due = notifications.filter(({ dueAt }) => dueAt <= clock.now())
    for (const [name, all] of Map.groupBy(due, ({ target }) => target)) {
      if (busy.has(name) || this.#sending.has(name)) continue
      const target = targets().find((each) => each.name === name)
      const notices = all.flatMap((notification) => {
        const alarm = byId.get(notification.alarmId)
        return alarm === undefined ? [] : { notification, alarm }
      })
      const work =
        target?.enabled !== true || notices.length === 0 ? this.#drop(name, all) : this.#sendTo(target, notices)
      const sending = work
        .catch((error: Error) => this.#tools.log.warn({ target: name, error }, 'notifications could not be settled'))
        .finally(() => this.#sending.delete(name))
      this.#sending.set(name, sending)
    }
  }

  /** Sends a test notification, and stores nothing of it. */
  async test(target: NotificationTarget): Promise<NotificationResult> {
    const { clock, context } = this.#tools
    this.#tests += 1
    return this.#post(target, writeTestNotice(`test_${clock.now()}_${this.#tests}`, clock.now(), context.source))
  }

  /** Waits for what is being sent. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#tools.post.stop()
    await Promise.all(this.#sending.values())
  }

  async #sendTo(target: StoredTarget, notices: readonly AlarmNotice[]): Promise<void> {
    const { clock, context } = this.#tools
    const { timeZone } = target
    const of = new Map(notices.map((each) => [each.notification, each]))
    const take = (some: readonly Notification[]) => some.flatMap((each) => of.get(each) ?? [])
    const plan = planSends([...of.keys()], this.#recentOf(target.name), clock.monotonic())
    const parts = plan.single.map((each) => take([each]))
    if (plan.summary.length > 0) parts.push(take(plan.summary))
    for (const [index, part] of parts.entries()) {
      const [first] = part
      if (first === undefined) continue
      const notice = part.length === 1 ? writeNotice(first, { ...context, timeZone }) : writeSummary(part, context)
      const result = await this.#post(target, notice)
      if (result.kind === 'failed') {
        // The next gateway tries it at once.
        if (this.#stopped) return
        // What else is due to it would fail too.
        await this.#settleFailed(target.name, parts.slice(index).flat(), result.reason)
        return
      }
      await this.#settle(target.name, part, { kind: 'sent', repeatAt: repeatAt(target, clock.now()) })
    }
  }

  async #post(target: NotificationTarget, notice: Notice): Promise<NotificationResult> {
    const { post, clock, log, onResult } = this.#tools
    const { name } = target
    this.#recent.set(name, [...this.#recentOf(name), clock.monotonic()])
    const result = await post.send(target, notice)
    onResult(name, result.kind)
    if (result.kind === 'failed') log.warn({ target: name, reason: result.reason }, 'a notification was not sent')
    return result
  }

  #recentOf(name: string): readonly number[] {
    const now = this.#tools.clock.monotonic()
    return (this.#recent.get(name) ?? []).filter((at) => now - at < MINUTE_MS)
  }

  async #settleFailed(target: string, notices: readonly AlarmNotice[], reason: string): Promise<void> {
    const now = this.#tools.clock.now()
    const waits = Map.groupBy(notices, ({ notification }) => retryAt(notification, now))
    for (const [at, part] of waits) await this.#settle(target, part, { kind: 'failed', reason, retryAt: at })
    const givenUp = waits.get(null)?.length ?? 0
    if (givenUp > 0) this.#tools.log.error({ target, notifications: givenUp }, 'notifications were given up')
  }

  async #drop(target: string, notifications: readonly Notification[]): Promise<void> {
    const { store, clock } = this.#tools
    const result = { kind: 'dropped' } as const
    await store.change({ kind: 'settle notifications', target, at: clock.now(), notifications, result })
  }

  async #settle(
    target: string,
    notices: readonly AlarmNotice[],
    result: SettledNotifications['result'],
  ): Promise<void> {
    const { store, clock } = this.#tools
    const notifications = notices.map(({ notification: { alarmId, at } }) => ({ alarmId, at }))
    await store.change({ kind: 'settle notifications', target, at: clock.now(), notifications, result })
  }
}

function repeatAt({ repeatMinutes }: NotificationTarget, now: number): number | null {
  return repeatMinutes === null ? null : now + repeatMinutes * MINUTE_MS
}
