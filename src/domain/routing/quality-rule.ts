/** Settings of routing by quality: of the installation, and of carriers that differ. */

/** `observe`: demotions are noted, and move no message. */
export const QUALITY_MODES = ['off', 'observe', 'on'] as const
type QualityMode = (typeof QUALITY_MODES)[number]

/** Null for the default: of a carrier, the rule of the installation. */
export interface QualityRuleSetting {
  /** Null for the installation. */
  readonly carrierId: string | null
  readonly mode: QualityMode | null
  readonly floorPercent: number | null
  readonly dropPercent: number | null
  readonly tricklePercent: number | null
  readonly withinSeconds: number | null
  readonly windowMinutes: number | null
  readonly minMessages: number | null
}

/** What applies to a carrier. */
export interface QualityRule {
  readonly mode: QualityMode
  /** A smaller share is too little, whatever others reach; null for no such limit. */
  readonly floor: number | null
  /** By how much the share must be smaller than that of others, or than usual. */
  readonly drop: number
  readonly trickle: number
  /** A message that is delivered later counts as not delivered. */
  readonly withinMs: number
  readonly windowMs: number
  /** Fewer messages, or codes, show nothing. */
  readonly minMessages: number
}

interface QualityLimit {
  /** Null for none. */
  readonly standard: number | null
  readonly min: number
  readonly max: number
}

export const QUALITY_LIMITS = {
  floorPercent: { standard: null, min: 1, max: 99 },
  dropPercent: { standard: 10, min: 1, max: 90 },
  tricklePercent: { standard: 2, min: 0, max: 20 },
  withinSeconds: { standard: 300, min: 10, max: 3_600 },
  windowMinutes: { standard: 120, min: 10, max: 1_440 },
  minMessages: { standard: 30, min: 10, max: 10_000 },
} as const satisfies Readonly<Record<string, QualityLimit>>

export type RuleOf = (carrierId: string) => QualityRule

/** Returns the rule of each carrier. */
export function qualityRules(settings: readonly QualityRuleSetting[]): RuleOf {
  const of = new Map(settings.map((each) => [each.carrierId, each]))
  const ruleFor = (own: QualityRuleSetting | undefined): QualityRule => {
    const all = of.get(null)
    const value = (name: keyof typeof QUALITY_LIMITS) => own?.[name] ?? all?.[name] ?? QUALITY_LIMITS[name].standard
    const share = (name: 'floorPercent' | 'dropPercent' | 'tricklePercent') => (value(name) ?? 0) / 100
    return {
      mode: own?.mode ?? all?.mode ?? 'off',
      floor: value('floorPercent') === null ? null : share('floorPercent'),
      drop: share('dropPercent'),
      trickle: share('tricklePercent'),
      withinMs: (value('withinSeconds') ?? 0) * 1_000,
      windowMs: (value('windowMinutes') ?? 0) * 60_000,
      minMessages: value('minMessages') ?? 0,
    }
  }
  const rules = new Map<string, QualityRule>()
  const standard = ruleFor(undefined)
  for (const [carrierId, own] of of) if (carrierId !== null) rules.set(carrierId, ruleFor(own))
  return (carrierId) => rules.get(carrierId) ?? standard
}
