/** The form of a notification target. */
import { useState } from 'react'
import { api, type BodyOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { readWhole } from '../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useAlarmTexts } from './texts.ts'

type Body = BodyOf<'PUT', '/notification-targets/{name}'>
type Kind = NonNullable<Body['kind']>
type Severity = NonNullable<Body['min_severity']>

export function AddTarget({ onClose }: { readonly onClose: () => void }) {
  const texts = useAlarmTexts()
  const partTexts = usePartTexts()
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    initial: {
      name: '',
      kind: 'email' as Kind,
      address: '',
      recipients: '',
      min_severity: 'warning' as Severity,
      repeat_minutes: '',
    },
    send: ({ name, kind, address, recipients, min_severity, repeat_minutes: minutes }, key) =>
      api.put('/notification-targets/{name}', {
        params: { name: name.trim() },
        body: {
          new: true,
          kind,
          ...(kind === 'email' ? { recipients: splitList(recipients) } : { address: address.trim() }),
          min_severity,
          ...(minutes.trim() === ''
            ? {}
            : { repeat_minutes: readWhole('repeat_minutes', minutes, partTexts.wholeNumber) }),
        },
        key,
      }),
    done: (target) => {
      invalidate('/notification-targets')
      toast(texts.targetSaved(target.name))
      if (target.secret === undefined) onClose()
      else setSecret(target.secret)
    },
  })
  const { kind } = form.values
  const choicesOf = <T extends string>(labels: Readonly<Record<T, string>>) =>
    (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }))
  if (secret !== null) {
    return (
      <Dialog open onClose={onClose} title={texts.addTargetTitle}>
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
    <Dialog open onClose={onClose} title={texts.addTargetTitle}>
      <Form form={form}>
        <TextField {...form.field('name')} label={texts.name} hint={texts.nameHint} />
        <SelectField {...form.field('kind')} label={texts.kind} choices={choicesOf<Kind>(texts.targetKinds)} />
        {kind === 'email' ? (
          <TextField {...form.field('recipients')} label={texts.recipients} hint={texts.recipientsHint} />
        ) : (
          <TextField {...form.field('address')} label={texts.address} hint={texts.addressHint} inputMode="url" />
        )}
        <SelectField
          {...form.field('min_severity')}
          label={texts.minSeverity}
          choices={choicesOf<Severity>(texts.severities)}
        />
        <TextField
          {...form.field('repeat_minutes')}
          label={texts.repeat}
          hint={texts.repeatHint}
          optional
          inputMode="numeric"
        />
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function splitList(text: string): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}
