/** The form of a rule of routing by quality. An empty field has its default. */
import { api, type BodyOf } from '../../../api/api.ts'
import { invalidate, useApi } from '../../../api/queries.ts'
import { Button } from '../../../parts/button.tsx'
import { readWhole } from '../../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../../parts/overlay/dialog.tsx'
import { toast } from '../../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../../parts/part-texts.ts'
import { type QualityRule, RULE_FIELDS } from './quality-rule.ts'
import { useQualityTexts } from './quality-texts.ts'

type RuleField = (typeof RULE_FIELDS)[number]
type Inputs = Readonly<Record<RuleField, string>> & {
  readonly carrier: string
  readonly mode: QualityRule['mode'] | ''
}
type Body = BodyOf<'PUT', '/quality/rules'>

const MAX_CARRIERS = 1_000

interface RuleDialogProps {
  /** Null for a new one, of a carrier. */
  readonly rule: QualityRule | null
  readonly onClose: () => void
}

export function QualityRuleDialog({ rule, onClose }: RuleDialogProps) {
  const texts = useQualityTexts()
  const partTexts = usePartTexts()
  const carriers = useApi('/carriers', { query: { most: MAX_CARRIERS } }, { enabled: rule === null })
  const form = useForm({
    initial: inputsOf(rule),
    send: (inputs, key) => api.put('/quality/rules', { body: readBody(rule, inputs, partTexts.wholeNumber), key }),
    done: () => {
      invalidate('/quality/rules', '/quality')
      toast(texts.ruleSaved)
      onClose()
    },
  })
  const choices = (carriers.data?.data ?? []).map(({ carrier }) => ({ value: carrier, label: carrier }))
  return (
    <Dialog
      open
      onClose={onClose}
      title={rule === null ? texts.addRule : texts.editRule(rule.carrier ?? texts.allCarriers)}
    >
      <Form form={form}>
        {rule === null && (
          <SelectField
            {...form.field('carrier')}
            label={texts.carrier}
            choices={[{ value: '', label: '–' }, ...choices]}
          />
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
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function inputsOf(rule: QualityRule | null): Inputs {
  const text = (field: RuleField) => (rule?.set.includes(field) === true ? String(rule[field] ?? '') : '')
  const fields = Object.fromEntries(RULE_FIELDS.map((field) => [field, text(field)])) as Record<RuleField, string>
  return { carrier: '', mode: rule?.set.includes('mode') === true ? rule.mode : '', ...fields }
}

/** Throws ApiError for a text that is no number, and without a carrier for a new rule. */
function readBody(rule: QualityRule | null, inputs: Inputs, problem: string): Body {
  const read = (field: RuleField) => (inputs[field].trim() === '' ? null : readWhole(field, inputs[field], problem))
  const fields = Object.fromEntries(RULE_FIELDS.map((field) => [field, read(field)])) as Record<
    RuleField,
    number | null
  >
  const carrier = rule === null ? inputs.carrier : rule.carrier
  return { ...fields, carrier, mode: inputs.mode === '' ? null : inputs.mode }
}
