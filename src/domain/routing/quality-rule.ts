/** Settings of routing by quality: of the installation, and of carriers and countries that differ. */

/** `observe`: demotions are noted, and move no message. */
export const QUALITY_MODES = ['off', 'observe', 'on'] as const
type QualityMode = (typeof QUALITY_MODES)[number]

/** Null for what a less specific rule says, or the default. */
export interface QualityRuleSetting {
  /** Null for all carriers. */
  readonly carrierId: string | null
  /** ISO 3166-1 alpha-2; null for all countries. */
  readonly country: string | null
  readonly mode: QualityMode | null
  readonly floorPercent: number | null
  readonly dropPercent: number | null
  readonly slowPercent: number | null
  readonly tricklePercent: number | null
  readonly withinSeconds: number | null
  readonly windowMinutes: number | null
  readonly minMessages: number | null
}

/** What applies to a carrier in a country. */
export interface QualityRule {
  readonly mode: QualityMode
  /** A smaller share is too little, whatever others reach; null for no such limit. */
  readonly floor: number | null
  /** By how much the share must be smaller than that of others, or than usual. */
  readonly drop: number
  /** By how much the share that is delivered soon must be smaller (quality-measures.ts); 1 for no such limit. */
  readonly slow: number
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
  slowPercent: { standard: 30, min: 5, max: 100 },
  tricklePercent: { standard: 2, min: 0, max: 20 },
  withinSeconds: { standard: 300, min: 10, max: 3_600 },
  windowMinutes: { standard: 120, min: 10, max: 1_440 },
  minMessages: { standard: 30, min: 10, max: 10_000 },
} as const satisfies Readonly<Record<string, QualityLimit>>

export type QualityRuleKey = Pick<QualityRuleSetting, 'carrierId' | 'country'>

export class QualityRules {
  /** How long a message may count after it was taken, milliseconds. */
  readonly longestMs: number
  /** Whether something is judged. */
  readonly judges: boolean
  readonly #settings: ReadonlyMap<string, QualityRuleSetting>
  /** Those that were asked for. */
  readonly #rules = new Map<string, QualityRule>()

  constructor(settings: readonly QualityRuleSetting[]) {
    this.#settings = new Map(settings.map((each) => [keyOf(each.carrierId, each.country), each]))
    this.judges = settings.some(({ mode }) => mode === 'observe' || mode === 'on')
    const rules = [ruleFrom([]), ...settings.map((each) => ruleFrom([each]))]
    this.longestMs =
      Math.max(...rules.map(({ windowMs }) => windowMs)) + Math.max(...rules.map(({ withinMs }) => withinMs))
  }

  /** Returns the rule of a carrier in a country. What a carrier's own rule sets goes before that of the country. */
  of({ carrierId, country }: QualityRuleKey): QualityRule {
    const key = keyOf(carrierId, country)
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    const keys = [key, keyOf(carrierId, null), keyOf(null, country), keyOf(null, null)]
    const rule = ruleFrom(keys.flatMap((each) => this.#settings.get(each) ?? []))
    this.#rules.set(key, rule)
    return rule
  }
}

function keyOf(carrierId: string | null, country: string | null): string {
  return `${carrierId ?? ''} ${country ?? ''}`
}

/** The most specific first. */
function ruleFrom(settings: readonly QualityRuleSetting[]): QualityRule {
  const value = (name: keyof typeof QUALITY_LIMITS) =>
    settings.find((each) => each[name] !== null)?.[name] ?? QUALITY_LIMITS[name].standard
  const share = (name: 'floorPercent' | 'dropPercent' | 'slowPercent' | 'tricklePercent') => (value(name) ?? 0) / 100
  return {
    mode: settings.find(({ mode }) => mode !== null)?.mode ?? 'off',
    floor: value('floorPercent') === null ? null : share('floorPercent'),
    drop: share('dropPercent'),
    slow: share('slowPercent'),
    trickle: share('tricklePercent'),
    withinMs: (value('withinSeconds') ?? 0) * 1_000,
    windowMs: (value('windowMinutes') ?? 0) * 60_000,
    minMessages: value('minMessages') ?? 0,
  }
}
