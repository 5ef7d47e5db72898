/** Rules of alarms: when a condition opens its alarm and when it is resolved, by default and as operators set it. */
import { ALARM_KINDS, type AlarmKind } from './alarm.ts'

/** What operators set of a kind. Null for the default. */
export interface AlarmRuleSetting {
  readonly kind: AlarmKind
  /** False: its conditions open no alarm. */
  readonly enabled: boolean
  readonly openAfterSeconds: number | null
  readonly resolveAfterSeconds: number | null
  /** In the unit of the kind. */
  readonly threshold: number | null
}

interface Threshold {
  readonly standard: number
  readonly min: number
  readonly max: number
  readonly unit: string
}

interface StandardRule {
  /** Absent for true. */
  readonly enabled?: boolean
  /** How long the condition must last before the alarm is opened. */
  readonly openAfterSeconds: number
  /** How long the condition must be over before the alarm is resolved. */
  readonly resolveAfterSeconds: number
  /** Null for a kind without one. */
  readonly threshold: Threshold | null
}

const AT_ONCE = { openAfterSeconds: 0, resolveAfterSeconds: 0, threshold: null }

export const STANDARD_RULES: Readonly<Record<AlarmKind, StandardRule>> = {
  carrier_down: { openAfterSeconds: 60, resolveAfterSeconds: 300, threshold: null },
  carrier_failing: { openAfterSeconds: 120, resolveAfterSeconds: 300, threshold: null },
  delivery_share: {
    openAfterSeconds: 0,
    resolveAfterSeconds: 3_600,
    threshold: { standard: 30, min: 5, max: 95, unit: 'percent below the share of the week before' },
  },
  hook_stopped: AT_ONCE,
  queue_old: {
    openAfterSeconds: 60,
    resolveAfterSeconds: 300,
    threshold: { standard: 300, min: 10, max: 86_400, unit: 'seconds that the oldest is due' },
  },
  balance_low: AT_ONCE,
  pumping: AT_ONCE,
  ledger_discrepancy: {
    ...AT_ONCE,
    threshold: { standard: 24, min: 1, max: 720, unit: 'hours between verifications' },
  },
  disk_full: {
    openAfterSeconds: 0,
    resolveAfterSeconds: 600,
    threshold: { standard: 10, min: 1, max: 99, unit: 'percent of the disk that are free' },
  },
  keyword_lost: { openAfterSeconds: 0, resolveAfterSeconds: 86_400, threshold: null },
  // Longer than a check waits, so that the next one decides.
  check_failed: { openAfterSeconds: 0, resolveAfterSeconds: 3_600, threshold: null, enabled: false },
  carrier_demoted: { openAfterSeconds: 0, resolveAfterSeconds: 0, threshold: null },
}

export const MAX_RULE_SECONDS = 86_400

export interface AlarmRule {
  readonly enabled: boolean
  readonly openAfterMs: number
  readonly resolveAfterMs: number
  /** 0 for a kind without one. */
  readonly threshold: number
}

export type AlarmRules = (kind: AlarmKind) => AlarmRule

/** Completes what operators set by the defaults. */
export function alarmRules(settings: readonly AlarmRuleSetting[]): AlarmRules {
  const rules = new Map(ALARM_KINDS.map((kind) => [kind, ruleOf(kind, settings)]))
  return (kind) => rules.get(kind) ?? ruleOf(kind, settings)
}

function ruleOf(kind: AlarmKind, settings: readonly AlarmRuleSetting[]): AlarmRule {
  const standard = STANDARD_RULES[kind]
  const set = settings.find((each) => each.kind === kind)
  return {
    enabled: set?.enabled ?? standard.enabled ?? true,
    openAfterMs: (set?.openAfterSeconds ?? standard.openAfterSeconds) * 1_000,
    resolveAfterMs: (set?.resolveAfterSeconds ?? standard.resolveAfterSeconds) * 1_000,
    threshold: set?.threshold ?? standard.threshold?.standard ?? 0,
  }
}
