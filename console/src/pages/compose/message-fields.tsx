/** The fields of the composed message: text, contents, and further settings. */
import { useState } from 'react'
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/field.tsx'
import type { FormState } from '../../parts/form.tsx'
import { useComposeTexts } from './compose-texts.ts'
import type { Contents, Draft } from './draft.ts'

interface FieldsProps {
  readonly form: FormState<Draft>
}

const CONTENTS: readonly Contents[] = ['text', 'image', 'card']

export function TextFields({ form }: FieldsProps) {
  const texts = useComposeTexts()
  const { channels, text, smsText } = form.values
  const [hasSmsText, setHasSmsText] = useState(smsText !== '')
  const mayDiffer = channels.includes('sms') && channels.length > 1
  return (
    <>
      <TextArea {...form.field('text')} label={texts.text} rows={5} hint={texts.characters([...text].length)} />
      {mayDiffer && (
        <Checkbox
          name="other-sms"
          label={texts.otherSms}
          value={hasSmsText}
          onValue={(isOn) => {
            setHasSmsText(isOn)
            form.change({ smsText: isOn ? text : '' })
          }}
        />
      )}
      {mayDiffer && hasSmsText && (
        <TextArea
          {...form.field('smsText')}
          label={texts.smsText}
          rows={3}
          hint={texts.characters([...smsText].length)}
        />
      )}
    </>
  )
}

export function ContentsFields({ form }: FieldsProps) {
  const texts = useComposeTexts()
  const { channels, contents } = form.values
  if (channels.every((channel) => channel === 'sms')) return null
  return (
    <>
      <SelectField
        {...form.field('contents')}
        label={texts.contents}
        choices={CONTENTS.map((value) => ({ value, label: texts.contentsChoices[value] }))}
      />
      {contents !== 'text' && (
        <div className="grid gap-4 sm:grid-cols-2">
          {contents === 'card' && <TextField {...form.field('title')} label={texts.cardTitle} optional />}
          <TextField {...form.field('image')} label={texts.image} inputMode="url" optional />
          <TextField {...form.field('link')} label={texts.link} inputMode="url" optional />
          <TextField {...form.field('button')} label={texts.button} maxLength={25} optional />
          {contents === 'card' && (
            <div className="sm:col-span-2">
              <TextArea {...form.field('replies')} label={texts.replies} rows={3} optional />
            </div>
          )}
        </div>
      )}
    </>
  )
}

export function FurtherFields({ form }: FieldsProps) {
  const texts = useComposeTexts()
  return (
    <details>
      <summary className="w-fit rounded-sm text-muted hover:text-ink">{texts.more}</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('lifetime')}
          label={texts.lifetime}
          hint={texts.lifetimeHint}
          inputMode="numeric"
          maxLength={7}
          optional
        />
        <TextField {...form.field('hook')} label={texts.hook} hint={texts.hookHint} optional />
      </div>
    </details>
  )
}
