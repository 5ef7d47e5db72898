/**
 * Checks conditions every few seconds, and opens and resolves their alarms. A condition must last before its alarm is
 * opened, and be over for longer before it is resolved, so that a flapping carrier makes one alarm.
 *
 * Each node checks what only it knows, such as its own connections. One node checks what concerns the installation, and
 * resolves what dead nodes found.
 */
import {
  ALARM_SCOPES,
  type Alarm,
  type AlarmKind,
  alarmKeyText,
  asPrintable,
  compareSeverity,
  expiredAlarms,
  INSTALLATION,
  isKnown,
  type Observation,
} from '../../domain/alarms/alarm.ts'
import type { AlarmRules } from '../../domain/alarms/alarm-rule.ts'
import { type NotificationTarget, wants } from '../../domain/alarms/notification.ts'
import { OpenAlarmLimit } from '../../domain/alarms/open-alarm-limit.ts'
import type { AlarmChange } from '../../ports/changes/alarm-change.ts'
import type { Clustered } from '../../ports/records/cluster.ts'
import type { AlarmRows, AlarmStore } from '../../ports/stores/alarm-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

/** Checks some kinds, all of the same scope. */
export interface AlarmCheck {
  readonly kinds: readonly AlarmKind[]
  readonly everyMs: number
  /** After this node began to check; 0 by default. */
  readonly firstAfterMs?: number
  /** It may take minutes: other checks do not wait for it. */
  readonly inBackground?: true
  /** Returns all conditions of these kinds that are found now. After a rejection the conditions found last stay. */
  readonly look: () => Promise<readonly Observation[]>
}

export interface AlarmWatchTools {
  readonly store: AlarmStore & Pick<SetupStore, 'change'> & Clustered
  readonly checks: readonly AlarmCheck[]
  readonly rules: AlarmRules
  readonly targets: () => readonly NotificationTarget[]
  readonly clock: Clock
  readonly log: Log
}

interface Found {
  readonly observation: Observation
  /** Monotonic. */
  readonly since: number
  /** Monotonic: when its words were last stored; null for never. */
  storedAt: number | null
}

/** How often the words of an open alarm are stored when they change. */
const REWORD_MS = 60_000

export class AlarmWatch {
  readonly #tools: AlarmWatchTools
  readonly #found = new Map<string, Found>()
  /** Milliseconds since 1970, of the last look at each kind. */
  readonly #lookedAt = new Map<AlarmKind, number>()
  /** Monotonic, of the next look of each check. */
  readonly #nextLook = new Map<AlarmCheck, number>()
  /** Monotonic: since when nodes of open alarms do not find their conditions any more. */
  #overSince = new Map<string, number>()
  /** Kinds of which further conditions open no alarm until some are resolved. */
  #full = new Set<AlarmKind>()

  constructor(tools: AlarmWatchTools) {
    this.#tools = tools
  }

  /** Runs the checks that are due. Returns the alarms and notifications as they are afterwards. */
  async look(): Promise<AlarmRows> {
    const { store } = this.#tools
    await this.#check()
    const rows = await store.alarms()
    const changes = [...this.#raising(rows.alarms), ...(await this.#clearing(rows.alarms)), ...this.#deleting(rows)]
    for (const change of changes) await store.change(change)
    return changes.length === 0 ? rows : await store.alarms()
  }

  /** Whether this node checks what concerns the installation. */
  get leads(): boolean {
    return this.#tools.store.cluster?.leads() ?? true
  }

  async #check(): Promise<void> {
    const { checks, clock } = this.#tools
    for (const check of checks) {
      if (!this.#isMine(check.kinds)) {
        this.#forget(check)
        continue
      }
      const now = clock.monotonic()
      const next = this.#nextLook.get(check) ?? now + (check.firstAfterMs ?? 0)
      this.#nextLook.set(check, next > now ? next : now + check.everyMs)
      if (next > now) continue
      const looked = this.#run(check)
      if (check.inBackground !== true) await looked
    }
  }

  async #run(check: AlarmCheck): Promise<void> {
    try {
      const isEnabled = (kind: AlarmKind) => this.#tools.rules(kind).enabled
      const found = check.kinds.some(isEnabled) ? await check.look() : []
      const observations = found.filter(({ kind }) => isEnabled(kind)).map(asPrintable)
      if (this.#isMine(check.kinds)) this.#note(check, observations)
    } catch (error) {
      const kinds = check.kinds.join(' ')
      this.#tools.log.warn({ error: error as Error, kinds }, 'conditions of alarms could not be checked')
    }
  }

  /** Another node checks from now on. */
  #forget(check: AlarmCheck): void {
    this.#keepOnly(check, [])
    this.#nextLook.delete(check)
    for (const kind of check.kinds) this.#lookedAt.delete(kind)
  }

  #isMine(kinds: readonly AlarmKind[]): boolean {
    return this.leads || kinds.every((kind) => ALARM_SCOPES[kind] === 'node')
  }

  #note(check: AlarmCheck, observations: readonly Observation[]): void {
    const { clock } = this.#tools
    this.#keepOnly(check, observations)
    for (const observation of observations) {
      const key = alarmKeyText(observation)
      const { since = clock.monotonic(), storedAt = null } = this.#found.get(key) ?? {}
      this.#found.set(key, { observation, since, storedAt })
    }
    for (const kind of check.kinds) this.#lookedAt.set(kind, clock.now())
  }

  #keepOnly({ kinds }: AlarmCheck, observations: readonly Observation[]): void {
    const kept = new Set(observations.map(alarmKeyText))
    for (const [key, { observation }] of this.#found) {
      if (kinds.includes(observation.kind) && !kept.has(key)) this.#found.delete(key)
    }
  }

  #raising(alarms: readonly Alarm[]): readonly AlarmChange[] {
    const { clock, log } = this.#tools
    const byKey = new Map(alarms.map((alarm) => [alarmKeyText(alarm), alarm]))
    const room = new OpenAlarmLimit(alarms.filter(({ state }) => state !== 'resolved'))
    const full = new Set<AlarmKind>()
    const changes: AlarmChange[] = []
    const worstFirst = [...this.#found].sort(([, a], [, b]) => compareSeverity(a.observation, b.observation))
    for (const [key, found] of worstFirst) {
      const before = byKey.get(key)
      if (!this.#shouldRaise(found, before)) continue
      const opens = before === undefined || before.state === 'resolved'
      const { kind, subject, severity, detail } = found.observation
      if (opens && !room.take(found.observation)) {
        if (!this.#full.has(kind)) log.error({ kind }, 'too many open alarms of this kind: no further one is opened')
        this.#full.add(kind)
        full.add(kind)
        continue
      }
      if (opens) {
        log.warn({ kind, subject, severity, detail }, 'an alarm is opened')
      }
      found.storedAt = clock.monotonic()
      changes.push(this.#raise(found.observation))
    }
    this.#full = full
    return changes
  }

  #raise(observation: Observation): AlarmChange {
    const { clock } = this.#tools
    const notify = this.#targetsOf(observation)
    return { kind: 'raise alarm', observation, node: this.#nodeOf(observation.kind), at: clock.now(), notify }
  }

  #shouldRaise({ observation, since, storedAt }: Found, before: Alarm | undefined): boolean {
    const now = this.#tools.clock.monotonic()
    const { kind, detail, effect = null } = observation
    if (now - since < this.#tools.rules(kind).openAfterMs) return false
    if (before === undefined) return true
    // An operator resolved it after the last look: the next look decides.
    if ((before.resolvedAt ?? 0) > (this.#lookedAt.get(kind) ?? 0)) return false
    const node = this.#nodeOf(kind)
    if (!isKnown(before, observation, node)) return true
    const isReworded = before.detail !== detail || before.effect !== effect
    return isReworded && before.seenBy[0] === node && now - (storedAt ?? 0) >= REWORD_MS
  }

  async #clearing(alarms: readonly Alarm[]): Promise<readonly AlarmChange[]> {
    const { clock, log, rules } = this.#tools
    const open = alarms.filter(({ state }) => state !== 'resolved')
    const live = await this.#liveNodes(open)
    const before = this.#overSince
    this.#overSince = new Map()
    const changes: AlarmChange[] = []
    for (const alarm of open) {
      const nodes = alarm.seenBy.filter((node) => {
        if (!this.#isOver(alarm, node, live)) return false
        const key = `${alarm.id} ${node}`
        const since = before.get(key) ?? clock.monotonic()
        this.#overSince.set(key, since)
        return clock.monotonic() - since >= rules(alarm.kind).resolveAfterMs
      })
      if (nodes.length === 0) continue
      const { kind, subject } = alarm
      if (nodes.length === alarm.seenBy.length) log.info({ kind, subject }, 'an alarm is resolved')
      changes.push({ kind: 'clear alarm', alarmId: alarm.id, nodes, at: clock.now(), notify: this.#targetsOf(alarm) })
    }
    return changes
  }

  /** Whether this node knows that the node does not find the condition any more. */
  #isOver(alarm: Alarm, node: number, live: readonly number[] | null): boolean {
    const { kind } = alarm
    if (node === this.#nodeOf(kind)) return this.#lookedAt.has(kind) && !this.#found.has(alarmKeyText(alarm))
    return this.leads && live !== null && !live.includes(node)
  }

  /** Null if it does not matter. */
  async #liveNodes(open: readonly Alarm[]): Promise<readonly number[] | null> {
    const { cluster } = this.#tools.store
    if (!this.leads || open.every(({ kind, seenBy }) => seenBy.every((node) => node === this.#nodeOf(kind))))
      return null
    if (cluster === null) return [INSTALLATION]
    return (await cluster.nodes()).map(({ node }) => node)
  }

  #deleting({ alarms }: AlarmRows): readonly AlarmChange[] {
    const alarmIds = this.leads ? expiredAlarms(alarms, this.#tools.clock.now()) : []
    return alarmIds.length === 0 ? [] : [{ kind: 'delete alarms', alarmIds }]
  }

  #nodeOf(kind: AlarmKind): number {
    return ALARM_SCOPES[kind] === 'installation' ? INSTALLATION : (this.#tools.store.cluster?.node ?? INSTALLATION)
  }

  #targetsOf(alarm: Pick<Alarm, 'kind' | 'severity'>): readonly string[] {
    const targets = this.#tools.targets()
    return targets.filter((target) => wants(target, alarm)).map(({ name }) => name)
  }
}
