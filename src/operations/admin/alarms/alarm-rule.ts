/** Rules of alarms: when a condition of a kind opens an alarm. */
import Type from 'typebox'
import { ALARM_KINDS, type AlarmKind } from '../../../domain/alarms/alarm.ts'
import {
  type AlarmRule,
  type AlarmRuleSetting,
  alarmRules,
  MAX_RULE_SECONDS,
  STANDARD_RULES,
} from '../../../domain/alarms/alarm-rule.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { inputFields, resource } from '../endpoint/resource.ts'
import { setItem } from '../endpoint/resource-endpoints.ts'
import { checkField } from '../fields/field-refused.ts'
import { inputSchemas, viewOf, viewSchemas } from '../fields/fields.ts'
import { listOf, nullable, OPERATORS, READERS, whole } from '../fields/shapes.ts'

const KIND = Type.Enum([...ALARM_KINDS], { description: 'kind of alarm' })
const SECONDS = whole({ minimum: 0, maximum: MAX_RULE_SECONDS })

export const ALARM_RULE = resource<AlarmRuleSetting>({
  section: 'alarm_rules',
  key: ['kind'],
  fields: {
    kind: KIND,
    enabled: Type.Boolean({ default: true, description: 'whether conditions of this kind open alarms' }),
    openAfterSeconds: nullable(SECONDS, {
      default: null,
      description: 'seconds for which a condition must last before its alarm is opened; null for the default',
    }),
    resolveAfterSeconds: nullable(SECONDS, {
      default: null,
      description: 'seconds for which a condition must be over before its alarm is resolved; null for the default',
    }),
    threshold: nullable(Type.Number({ minimum: 0 }), {
      default: null,
      description: 'limit in the unit of the kind, as alarm-rule list shows it; null for the default',
    }),
  },
  items: ({ alarmRules }) => alarmRules,
  check: (rule) => {
    const { kind, threshold } = rule
    const allowed = STANDARD_RULES[kind].threshold
    if (threshold === null) return rule
    checkField('threshold', allowed !== null, `alarms of the kind ${kind} have none`)
    const { min = 0, max = 0, unit = '' } = allowed ?? {}
    checkField('threshold', threshold >= min && threshold <= max, `must be from ${min} to ${max} ${unit}`)
    return rule
  },
  describe: ({ kind }) => `alarm rule ${kind}`,
  set: (rule) => ({ kind: 'set alarm rule', rule }),
  remove: ({ kind }) => ({ kind: 'remove alarm rule', alarmKind: kind }),
})

const ALARM_RULES: ChangeRule = { what: 'rules of alarms', may: OPERATORS }

export const ALARM_RULE_CHANGES = {
  'set alarm rule': { ...ALARM_RULES, audit: ({ rule }, rows) => itemSet(ALARM_RULE, rule, rows) },
  'remove alarm rule': {
    ...ALARM_RULES,
    audit: ({ alarmKind: kind }, rows) => itemRemoved(ALARM_RULE, { kind }, rows),
  },
} satisfies Changes

const TERMS = {
  enabled: Type.Boolean(),
  open_after_seconds: whole(),
  resolve_after_seconds: whole(),
  threshold: nullable(Type.Number()),
}
const Effective = Type.Object({
  kind: KIND,
  ...TERMS,
  unit: nullable(Type.String(), { description: 'of the threshold' }),
  default: Type.Object(TERMS, { description: 'what applies without a rule of your own' }),
})

const PATH = '/alarm-rules/{kind}'
const PARAMS = { kind: KIND }

const entity = ({ alarmRules }: DirectoryRows, { kind }: { readonly kind: AlarmKind }) => {
  return alarmRules.find((rule) => rule.kind === kind) ?? null
}

export const ALARM_RULE_ENDPOINTS = [
  endpoint({
    name: 'listAlarmRules',
    method: 'GET',
    path: '/alarm-rules',
    command: 'alarm-rule list',
    columns: ['kind', 'enabled', 'open_after_seconds', 'resolve_after_seconds', 'threshold', 'unit'],
    summary: 'list the rules of all kinds of alarms, defaults included',
    may: READERS,
    result: listOf(Effective),
    run: async ({ store }) => ({ data: effective(await store.loadDirectory()) }),
  }),
  endpoint({
    name: 'setAlarmRule',
    method: 'PUT',
    path: PATH,
    command: 'alarm-rule set',
    summary: 'set when conditions of a kind open an alarm; what is not given has its default',
    may: OPERATORS,
    params: PARAMS,
    body: inputSchemas(inputFields(ALARM_RULE, 'kind')),
    result: Type.Object(viewSchemas(ALARM_RULE.fields)),
    entity,
    run: async (tools, shown) => viewOf(ALARM_RULE.fields, await setItem(ALARM_RULE, tools, shown)),
  }),
  endpoint({
    name: 'removeAlarmRule',
    method: 'DELETE',
    path: PATH,
    command: 'alarm-rule remove',
    summary: 'return to the default rule of a kind of alarm',
    may: OPERATORS,
    params: PARAMS,
    entity,
    run: ({ store }, { kind }) => store.change({ kind: 'remove alarm rule', alarmKind: kind }),
  }),
]

function effective(rows: DirectoryRows) {
  const [present, standard] = [alarmRules(rows.alarmRules), alarmRules([])]
  return ALARM_KINDS.map((kind) => {
    const unit = STANDARD_RULES[kind].threshold?.unit ?? null
    return { kind, ...viewTerms(present(kind), unit), unit, default: viewTerms(standard(kind), unit) }
  })
}

function viewTerms({ enabled, openAfterMs, resolveAfterMs, threshold }: AlarmRule, unit: string | null) {
  return {
    enabled,
    open_after_seconds: openAfterMs / 1_000,
    resolve_after_seconds: resolveAfterMs / 1_000,
    threshold: unit === null ? null : threshold,
  }
}
