/** The form of a rule of routing by quality. An empty field has its default. */
import { api, type BodyOf } from '../../../api/api.ts'
import { invalidate, useApi } from '../../../api/queries.ts'
import { readWhole, refuseField } from '../../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../../parts/form/field.tsx'
import { useForm } from '../../../parts/form/form.tsx'
import { FormDialog } from '../../../parts/form/form-dialog.tsx'
import { toast } from '../../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../../parts/part-texts.ts'
import { type QualityRule, RULE_FIELDS } from './quality-rule.ts'
import { useQualityTexts } from './quality-texts.ts'
import { useRuleSubject } from './rule-subject.ts'

type RuleField = (typeof RULE_FIELDS)[number]
type Inputs = Readonly<Record<RuleField, string>> & {
  readonly carrier: string
  readonly country: string
  readonly mode: QualityRule['mode'] | ''
}
type Body = BodyOf<'PUT', '/quality/rules'>

const MAX_CARRIERS = 1_000

interface RuleDialogProps {
  /** Null for a new one. */
  readonly rule: QualityRule | null
  readonly onClose: () => void
}

export function QualityRuleDialog({ rule, onClose }: RuleDialogProps) {
  const texts = useQualityTexts()
  const subject = useRuleSubject()
  const partTexts = usePartTexts()
  const carriers = useApi('/carriers', { query: { most: MAX_CARRIERS } }, { enabled: rule === null })
  const form = useForm({
    initial: inputsOf(rule),
    send: (inputs, key) =>
      api.put('/quality/rules', {
        body: readBody(rule, inputs, { number: partTexts.wholeNumber, subject: texts.chooseSubject }),
        key,
      }),
    done: () => {
      invalidate('/quality/rules', '/quality')
      toast(texts.ruleSaved)
      onClose()
    },
  })
  const choices = (carriers.data?.data ?? []).map(({ carrier }) => ({ value: carrier, label: carrier }))
  return (
    <FormDialog onClose={onClose} title={rule === null ? texts.addRule : texts.editRule(subject(rule))} form={form}>
      {rule === null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            {...form.field('carrier')}
            label={texts.carrier}
            choices={[{ value: '', label: texts.allCarriers }, ...choices]}
          />
          <TextField
            {...form.field('country')}
            label={texts.country}
            hint={texts.countryHint}
            placeholder="DE"
            maxLength={2}
            optional
          />
        </div>
      )}
      <SelectField
        {...form.field('mode')}
        label={texts.mode}
        choices={[
          { value: '', label: texts.asDefault },
          ...(['off', 'observe', 'on'] as const).map((value) => ({ value, label: texts.modes[value] })),
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {RULE_FIELDS.map((field) => (
          <TextField
            key={field}
            {...form.field(field)}
            label={texts.fields[field]}
            hint={texts.hints[field]}
            inputMode="numeric"
            maxLength={5}
          />
        ))}
      </div>
    </FormDialog>
  )
}

function inputsOf(rule: QualityRule | null): Inputs {
  const text = (field: RuleField) => (rule?.set.includes(field) === true ? String(rule[field] ?? '') : '')
  const fields = Object.fromEntries(RULE_FIELDS.map((field) => [field, text(field)])) as Record<RuleField, string>
  return { carrier: '', country: '', mode: rule?.set.includes('mode') === true ? rule.mode : '', ...fields }
}

/** Throws ApiError for a text that is no number, and for a new rule of all carriers in all countries. */
function readBody(
  rule: QualityRule | null,
  inputs: Inputs,
  problems: { readonly number: string; readonly subject: string },
): Body {
  const read = (field: RuleField) =>
    inputs[field].trim() === '' ? null : readWhole(field, inputs[field], problems.number)
  const fields = Object.fromEntries(RULE_FIELDS.map((field) => [field, read(field)])) as Record<
    RuleField,
    number | null
  >
  if (rule === null && inputs.carrier === '' && inputs.country.trim() === '')
    return refuseField('carrier', problems.subject)
  const of = rule ?? { carrier: inputs.carrier || null, country: inputs.country.trim() || null }
  return { ...fields, carrier: of.carrier, country: of.country, mode: inputs.mode === '' ? null : inputs.mode }
}
