/** Settings of an account in groups. The differences are shown before they are saved. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { QuietHoursField } from '../../features/guards/quiet-hours-field.tsx'
import { VelocityField } from '../../features/guards/velocity-field.tsx'
import { Button } from '../../parts/button.tsx'
import { Checkbox, type FieldBinding, TextField } from '../../parts/form/field.tsx'
import { Form, type FormState, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { ErrorState, Loading, Notice } from '../../parts/page/states.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { Unsaved } from '../../parts/unsaved.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ReviewDialog } from './review-dialog.tsx'
import {
  type Account,
  type AccountChange,
  GROUPS,
  type GroupName,
  type Inputs,
  inputsOf,
  isRequired,
  kindOf,
  readChange,
  type SettingName,
} from './setting-fields.ts'
import { SETTINGS_DE } from './settings-de.ts'
import { SETTINGS_EN } from './settings-en.ts'

const SETTINGS_TEXTS = { en: SETTINGS_EN, de: SETTINGS_DE }

interface SettingsProps {
  readonly account: number
  readonly groups: readonly GroupName[]
}

/** Reads the version that the form changes: what others change in the meantime is not overwritten. */
export function Settings({ account, groups }: SettingsProps) {
  const [version, setVersion] = useState(0)
  const query = useQuery({
    queryKey: ['account settings', account, version],
    queryFn: ({ signal }) => api.getVersioned('/accounts/{account}', { params: { account }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Loading />
  const { answer, etag } = query.data
  return <SettingsForm key={version} {...{ before: answer, etag, groups }} reload={() => setVersion(version + 1)} />
}

interface SettingsFormProps {
  readonly before: Account
  readonly etag: string | null
  readonly groups: readonly GroupName[]
  readonly reload: () => void
}

interface Review {
  readonly change: AccountChange
  readonly settle: (isConfirmed: boolean) => void
}

function SettingsForm({ before, etag, groups, reload }: SettingsFormProps) {
  const texts = useTexts<typeof SETTINGS_EN>(SETTINGS_TEXTS)
  const { wholeNumber } = usePartTexts()
  const mayChange = useMay()('changeAccount')
  const [review, setReview] = useState<Review | null>(null)
  const { account } = before
  const form = useForm({
    initial: inputsOf(
      before,
      groups.flatMap((group) => GROUPS[group]),
    ),
    send: async (inputs, key) => {
      const change = readChange(before, inputs, { wholeNumber, amount: texts.amount })
      const isConfirmed = await new Promise<boolean>((settle) => setReview({ change, settle }))
      setReview(null)
      if (!isConfirmed) return false
      await api.patch('/accounts/{account}', { params: { account }, body: change, key, ifMatch: etag })
      return true
    },
    done: (isSaved) => {
      if (!isSaved) return
      invalidate('/accounts/{account}', '/accounts')
      toast(texts.saved)
      reload()
    },
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      {!mayChange && <Notice kind="info">{texts.readOnly}</Notice>}
      {groups.map((group) => (
        <Card key={group} title={texts.groups[group]} description={texts.about[group]}>
          <fieldset disabled={!mayChange} className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-2">
            <legend className="sr-only">{texts.groups[group]}</legend>
            {GROUPS[group].map((name) => (
              <SettingField key={name} name={name} binding={form.field(name)} disabled={!mayChange} />
            ))}
          </fieldset>
        </Card>
      ))}
      <Unsaved when={!form.isSending && countChanges(before, form) > 0} />
      {mayChange && <SaveBar form={form} changes={countChanges(before, form)} discard={reload} />}
      {review !== null && <ReviewDialog before={before} change={review.change} settle={review.settle} />}
    </Form>
  )
}

function countChanges(before: Account, { values }: FormState<Inputs>): number {
  const original = inputsOf(before, Object.keys(values) as SettingName[])
  return Object.entries(original).filter(([name, input]) => values[name as SettingName] !== input).length
}

interface SettingFieldProps {
  readonly name: SettingName
  readonly binding: FieldBinding<string | boolean>
  readonly disabled: boolean
}

function SettingField({ name, binding, disabled }: SettingFieldProps) {
  const { label, hint } = useTexts<typeof SETTINGS_EN>(SETTINGS_TEXTS).fields[name]
  const kind = kindOf(name)
  if (kind === 'flag') return <Checkbox {...{ label, hint }} {...(binding as FieldBinding<boolean>)} />
  const text = { label, hint, ...(binding as FieldBinding<string>), optional: !isRequired(name) }
  if (kind === 'limits') return <VelocityField {...{ label, hint, disabled }} {...(binding as FieldBinding<string>)} />
  if (kind === 'hours') {
    return <QuietHoursField {...{ label, hint, disabled }} {...(binding as FieldBinding<string>)} none="off" />
  }
  const isNumber = kind === 'whole' || kind === 'amount'
  return <TextField {...text} maxLength={isNumber ? 20 : 2_048} inputMode={isNumber ? 'decimal' : 'text'} />
}

interface SaveBarProps {
  readonly form: FormState<Inputs>
  readonly changes: number
  readonly discard: () => void
}

function SaveBar({ form, changes, discard }: SaveBarProps) {
  const texts = useTexts<typeof SETTINGS_EN>(SETTINGS_TEXTS)
  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center justify-end gap-2 border-t bg-canvas py-3">
      <p role="status" className="grow text-muted max-sm:w-full">
        {changes === 0 ? texts.unchanged : texts.changes(changes)}
      </p>
      <Button onClick={discard} disabled={changes === 0 || form.isSending}>
        {texts.discard}
      </Button>
      <SubmitButton form={form} disabled={changes === 0}>
        {texts.review}
      </SubmitButton>
    </div>
  )
}
