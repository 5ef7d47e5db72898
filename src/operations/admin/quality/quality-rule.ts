/** Settings of routing by quality. */
import Type from 'typebox'
import { isCountry } from '../../../domain/numbers/country.ts'
import {
  QUALITY_LIMITS,
  QUALITY_MODES,
  type QualityRuleSetting,
  QualityRules,
} from '../../../domain/routing/quality-rule.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { inputFields, keyFields, resource } from '../endpoint/resource.ts'
import { removeEndpoint, setEndpoint } from '../endpoint/resource-endpoints.ts'
import { checkField } from '../fields/field-refused.ts'
import { COUNTRY, field, viewSchemas } from '../fields/fields.ts'
import { CARRIER, listOf, nullable, OPERATORS, READERS, whole } from '../fields/shapes.ts'

export const PLACE_COUNTRY = Type.String({ minLength: 2, maxLength: 2, description: 'ISO 3166', examples: ['DE'] })

const MODE = Type.Enum([...QUALITY_MODES], {
  description: 'off: nothing is judged; observe: demotions are noted and move no message; on',
})

function limited(name: keyof typeof QUALITY_LIMITS, description: string) {
  const { min, max, standard } = QUALITY_LIMITS[name]
  const none = standard === null ? 'no limit' : String(standard)
  return nullable(whole({ minimum: min, maximum: max }), {
    default: null,
    description: `${description}; ${none} by default`,
  })
}

export const QUALITY_RULE = resource<QualityRuleSetting>({
  section: 'quality_rules',
  key: ['carrierId', 'country'],
  fields: {
    carrierId: field(
      'carrier',
      nullable(CARRIER, { default: null, description: 'a carrier that differs; null for the rule of all' }),
    ),
    country: field(
      'country',
      nullable(PLACE_COUNTRY, {
        default: null,
        description: 'ISO 3166: a country that differs; null for the rule of all',
      }),
      COUNTRY,
    ),
    mode: nullable(MODE, { default: null, description: 'off, observe or on; off by default' }),
    floorPercent: limited('floorPercent', 'a carrier is demoted below this share, whatever others deliver'),
    dropPercent: limited('dropPercent', 'percentage points below others, or below its week, that demote'),
    slowPercent: limited('slowPercent', 'percentage points of deliveries by which it is slower; 100 never demotes'),
    tricklePercent: limited('tricklePercent', 'part of the messages that still tests a demoted carrier'),
    withinSeconds: limited('withinSeconds', 'seconds in which a message has to be delivered, or a code entered'),
    windowMinutes: limited('windowMinutes', 'minutes whose messages are judged'),
    minMessages: limited('minMessages', 'messages or codes below which nothing is judged'),
  },
  items: ({ qualityRules }) => qualityRules,
  check: (rule) => {
    const { country } = rule
    checkField('country', country === null || isCountry(country), 'must be a country such as DE')
    return rule
  },
  describe: ({ carrierId, country }) =>
    `rule of quality${carrierId === null ? '' : ` of ${carrierId}`}${country === null ? '' : ` in ${country}`}`,
  set: (rule) => ({ kind: 'set quality rule', rule }),
  remove: ({ carrierId, country }) => ({ kind: 'remove quality rule', rule: { carrierId, country } }),
})

const QUALITY_RULES: ChangeRule = { what: 'rules of quality', may: OPERATORS }

export const QUALITY_RULE_CHANGES = {
  'set quality rule': { ...QUALITY_RULES, audit: ({ rule }, rows) => itemSet(QUALITY_RULE, rule, rows) },
  'remove quality rule': {
    ...QUALITY_RULES,
    audit: ({ rule }, rows) => itemRemoved(QUALITY_RULE, rule, rows),
  },
} satisfies Changes

const Effective = Type.Object({
  ...viewSchemas(keyFields(QUALITY_RULE)),
  mode: MODE,
  floor_percent: nullable(whole()),
  drop_percent: whole(),
  slow_percent: whole(),
  trickle_percent: whole(),
  within_seconds: whole(),
  window_minutes: whole(),
  min_messages: whole(),
  set: Type.Array(Type.String(), { description: 'fields that this rule sets; others are defaults' }),
})

export const QUALITY_RULE_ENDPOINTS = [
  endpoint({
    name: 'listQualityRules',
    method: 'GET',
    path: '/quality/rules',
    command: 'quality rules',
    summary:
      'list the rules of routing by quality, defaults included: of all carriers, and of carriers and countries that differ',
    may: READERS,
    result: listOf(Effective),
    run: async ({ store }) => ({ data: effective((await store.loadDirectory()).qualityRules) }),
  }),
  setEndpoint(QUALITY_RULE, {
    name: 'setQualityRule',
    path: '/quality/rules',
    command: 'quality set',
    summary: 'set how carriers are judged by what they deliver; what is not given has its default',
    may: OPERATORS,
  }),
  removeEndpoint(QUALITY_RULE, {
    name: 'removeQualityRule',
    path: '/quality/rules',
    command: 'quality reset',
    summary: 'remove the rule of all carriers, of a carrier, or of a country',
    may: OPERATORS,
  }),
]

function effective(settings: readonly QualityRuleSetting[]) {
  const rules = new QualityRules(settings)
  const names = inputFields(QUALITY_RULE, 'carrierId', 'country')
  const isOfAll = ({ carrierId, country }: QualityRuleSetting) => carrierId === null && country === null
  const all = settings.find(isOfAll)
  return [all, ...settings.filter((each) => each !== all)].map((setting) => {
    const { carrierId = null, country = null } = setting ?? {}
    const { mode, floor, drop, slow, trickle, withinMs, windowMs, minMessages } = rules.of({ carrierId, country })
    const percent = (share: number) => Math.round(share * 100)
    return {
      carrier: carrierId,
      country,
      mode,
      floor_percent: floor === null ? null : percent(floor),
      drop_percent: percent(drop),
      slow_percent: percent(slow),
      trickle_percent: percent(trickle),
      within_seconds: withinMs / 1_000,
      window_minutes: windowMs / 60_000,
      min_messages: minMessages,
      set: Object.entries(names).flatMap(([key, { name }]) =>
        setting !== undefined && Reflect.get(setting, key) !== null ? name : [],
      ),
    }
  })
}
