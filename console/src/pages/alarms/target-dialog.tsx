/** The form of a notification target, new or present. */
import { useState } from 'react'
import { type AnswerOf, api, type BodyOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { ALARM_KINDS, type AlarmKind, alarmKind } from '../../features/alarms/alarm-kind.ts'
import { Button } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { changedFields } from '../../parts/form/changed-fields.ts'
import { ChoiceBoxes } from '../../parts/form/choice-boxes.tsx'
import { refuseField } from '../../parts/form/decimal.ts'
import { DurationField, readDuration, writeDuration } from '../../parts/form/duration-field.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { splitList } from '../../parts/form/split-list.ts'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import { useAlarmTexts } from './texts.ts'

export type Target = AnswerOf<'GET', '/notification-targets'>['data'][number]
type Body = BodyOf<'PUT', '/notification-targets/{name}'>
type Kind = NonNullable<Body['kind']>
type Severity = NonNullable<Body['min_severity']>

interface TargetDialogProps {
  /** Null for a new one. */
  readonly target: Target | null
  readonly onClose: () => void
}

export function TargetDialog({ target, onClose }: TargetDialogProps) {
  const texts = useAlarmTexts()
  const partTexts = usePartTexts()
  const { language } = usePreferences()
  const [secret, setSecret] = useState<string | null>(null)
  const initial = initialOf(target)
  const form = useForm({
    initial,
    send: (values, key) => {
      const problems = { whole: partTexts.wholeNumber, noKind: texts.noKind }
      const read = readSettings(values, problems)
      const { new_secret } = values
      const body =
        target === null
          ? { ...read, new: true }
          : { ...changedFields(readSettings(initial, problems), read), ...(new_secret ? { new_secret } : {}) }
      return api.put('/notification-targets/{name}', { params: { name: values.name.trim() }, body, key })
    },
    done: ({ name, secret: made }) => {
      invalidate('/notification-targets')
      toast(texts.targetSaved(name))
      if (made === undefined) onClose()
      else setSecret(made)
    },
  })
  const { kind, which_kinds: which } = form.values
  const title = target === null ? texts.addTargetTitle : texts.editTargetTitle(target.name)
  if (secret !== null) {
    return (
      <Dialog open onClose={onClose} title={title} keepOpen>
        <SecretPanel label={texts.secret} secret={secret} />
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog onClose={onClose} title={title} form={form}>
      {target === null && (
        <>
          <TextField {...form.field('name')} label={texts.name} hint={texts.nameHint} />
          <SelectField {...form.field('kind')} label={texts.targetKind} choices={choicesOf<Kind>(texts.targetKinds)} />
        </>
      )}
      {kind === 'email' ? (
        <TextField {...form.field('recipients')} label={texts.recipients} hint={texts.recipientsHint} />
      ) : (
        <TextField
          {...form.field('address')}
          label={texts.address}
          hint={target === null ? texts.addressHint : texts.keptAddressHint}
          inputMode="url"
        />
      )}
      {kind === 'hook' && target !== null && (
        <Checkbox {...form.field('new_secret')} label={texts.newSecret} hint={texts.newSecretHint} />
      )}
      <SelectField
        {...form.field('min_severity')}
        label={texts.minSeverity}
        choices={choicesOf<Severity>(texts.severities)}
      />
      <SelectField {...form.field('which_kinds')} label={texts.whichKinds} choices={choicesOf(texts.kindChoices)} />
      {which === 'some' && (
        <ChoiceBoxes
          {...form.field('kinds')}
          label={texts.someKinds}
          choices={ALARM_KINDS.map((value) => ({ value, label: alarmKind(value, language) }))}
        />
      )}
      <DurationField
        {...form.field('repeat_minutes')}
        label={texts.repeat}
        hint={texts.repeatHint}
        optional
        units={['minute', 'hour', 'day']}
      />
      <TextField {...form.field('time_zone')} label={texts.timeZone} hint={texts.timeZoneHint} />
      <Checkbox {...form.field('enabled')} label={texts.targetEnabled} hint={texts.targetEnabledHint} />
    </FormDialog>
  )
}

function choicesOf<T extends string>(labels: Readonly<Record<T, string>>) {
  return (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }))
}

type Values = ReturnType<typeof initialOf>
const MINUTE = 60

function initialOf(target: Target | null) {
  const minutes = target?.repeat_minutes ?? null
  return {
    name: target?.name ?? '',
    kind: target?.kind ?? ('email' as Kind),
    address: target?.address ?? '',
    recipients: target?.recipients.join(', ') ?? '',
    new_secret: false,
    min_severity: target?.min_severity ?? ('warning' as Severity),
    which_kinds: ((target?.kinds ?? null) === null ? 'all' : 'some') as 'all' | 'some',
    kinds: (target?.kinds ?? []) as readonly AlarmKind[],
    repeat_minutes: writeDuration(minutes === null ? null : minutes * MINUTE),
    time_zone: target?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    enabled: target?.enabled ?? true,
  }
}

interface Problems {
  readonly whole: string
  readonly noKind: string
}

/** Throws ApiError. */
function readSettings(values: Values, problems: Problems) {
  const { kind, address, recipients, min_severity, which_kinds, kinds, repeat_minutes: repeat } = values
  if (which_kinds === 'some' && kinds.length === 0) refuseField('kinds', problems.noKind)
  const seconds = repeat.amount.trim() === '' ? null : readDuration('repeat_minutes', repeat, problems.whole)
  return {
    kind,
    ...(kind === 'email' ? { recipients: splitList(recipients, ',') } : { address: address.trim() }),
    min_severity,
    kinds: which_kinds === 'all' ? null : kinds,
    repeat_minutes: seconds === null ? null : seconds / MINUTE,
    time_zone: values.time_zone.trim(),
    enabled: values.enabled,
  }
}
