/** The form of the rule of a kind of alarms. What equals the default is not stored. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { alarmKind } from '../../features/alarms/alarm-kind.ts'
import { Button } from '../../parts/button.tsx'
import { readDecimal } from '../../parts/form/decimal.ts'
import { DurationField, readDuration, useDurationText, writeDuration } from '../../parts/form/duration-field.tsx'
import { Checkbox, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import type { Rule } from './rules.tsx'
import { useAlarmTexts } from './texts.ts'

interface RuleDialogProps {
  readonly rule: Rule
  readonly onClose: () => void
}

export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const texts = useAlarmTexts()
  const partTexts = usePartTexts()
  const { language } = usePreferences()
  const durationText = useDurationText()
  const { kind, default: standard } = rule
  const form = useForm({
    initial: inputsOf(rule),
    send: (inputs, key) => {
      const body = readRule(inputs, standard, { whole: partTexts.wholeNumber, decimal: partTexts.decimalNumber })
      return api.put('/alarm-rules/{kind}', { params: { kind }, body, key })
    },
    done: () => {
      invalidate('/alarm-rules')
      toast(texts.ruleSaved)
      onClose()
    },
  })
  const name = alarmKind(kind, language)
  const defaultIs = (seconds: number) => texts.defaultIs(seconds === 0 ? texts.atOnce : durationText(seconds))
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`${texts.editRule}: ${name}`}
      buttons={
        <Button className="mr-auto" onClick={() => form.change(inputsOf({ ...rule, ...standard }))}>
          {texts.useDefault}
        </Button>
      }
    >
      <Checkbox {...form.field('enabled')} label={texts.enabled} hint={texts.enabledHint} />
      {standard.threshold !== null && (
        <TextField
          {...form.field('threshold')}
          label={texts.threshold}
          hint={`${texts.thresholds[kind]}. ${texts.defaultIs(String(standard.threshold))}`}
          inputMode="decimal"
          maxLength={20}
        />
      )}
      <DurationField
        {...form.field('open_after_seconds')}
        label={texts.openAfter}
        hint={`${texts.openAfterHint} ${defaultIs(standard.open_after_seconds)}`}
      />
      <DurationField
        {...form.field('resolve_after_seconds')}
        label={texts.resolveAfter}
        hint={`${texts.resolveAfterHint} ${defaultIs(standard.resolve_after_seconds)}`}
      />
    </FormDialog>
  )
}

function inputsOf({ enabled, threshold, open_after_seconds, resolve_after_seconds }: Rule) {
  return {
    enabled,
    threshold: threshold === null ? '' : String(threshold),
    open_after_seconds: writeDuration(open_after_seconds),
    resolve_after_seconds: writeDuration(resolve_after_seconds),
  }
}

interface Problems {
  readonly whole: string
  readonly decimal: string
}

/** Throws ApiError. */
function readRule(inputs: ReturnType<typeof inputsOf>, standard: Rule['default'], problems: Problems) {
  const { enabled, threshold } = inputs
  const seconds = (name: 'open_after_seconds' | 'resolve_after_seconds') =>
    nullIf(standard[name], readDuration(name, inputs[name], problems.whole))
  return {
    enabled,
    threshold:
      standard.threshold === null
        ? null
        : nullIf(standard.threshold, readDecimal('threshold', threshold, problems.decimal)),
    open_after_seconds: seconds('open_after_seconds'),
    resolve_after_seconds: seconds('resolve_after_seconds'),
  }
}

/** Null stands for the default. */
function nullIf(standard: number, value: number): number | null {
  return value === standard ? null : value
}
