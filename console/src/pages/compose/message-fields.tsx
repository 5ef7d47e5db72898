/** The fields of the composed message: texts, contents, and further settings. */
import { useState } from 'react'
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { CardFields } from './card-fields.tsx'
import { useComposeTexts } from './compose-texts.ts'
import type { Contents, Draft } from './draft.ts'
import { Templates } from './template-picker.tsx'

interface FieldsProps {
  readonly form: FormState<Draft>
}

const CONTENTS: readonly Contents[] = ['text', 'image', 'suggestions', 'card', 'carousel', 'file']
/** Channels that may have a text of their own. */
const OWN_TEXTS = [
  ['chatapp', 'chatText'],
  ['sms', 'smsText'],
] as const

export function TextFields({ form, account }: FieldsProps & { readonly account: number | null }) {
  const texts = useComposeTexts()
  const { channels, text } = form.values
  const setText = (channel: 'chatapp' | 'sms', filled: string) => {
    const field = channel === 'sms' ? 'smsText' : 'chatText'
    form.change(channels.length === 1 || text === '' ? { text: filled, [field]: '' } : { [field]: filled })
  }
  return (
    <>
      {account !== null && <Templates key={account} account={account} channels={channels} onText={setText} />}
      <TextArea {...form.field('text')} label={texts.text} rows={5} hint={texts.characters([...text].length)} />
      {OWN_TEXTS.filter(([channel]) => channels.includes(channel) && channels.length > 1).map(([channel, field]) => (
        <OwnText key={channel} form={form} channel={channel} field={field} />
      ))}
    </>
  )
}

interface OwnTextProps extends FieldsProps {
  readonly channel: 'chatapp' | 'sms'
  readonly field: 'chatText' | 'smsText'
}

function OwnText({ form, channel, field }: OwnTextProps) {
  const texts = useComposeTexts()
  const value = form.values[field]
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || value !== ''
  const name = texts.channelNames[channel]
  return (
    <>
      <Checkbox
        name={`other-${channel}`}
        label={texts.otherText(name)}
        value={isShown}
        onValue={(isOn) => {
          setOpen(isOn)
          form.change({ [field]: isOn ? form.values.text : '' })
        }}
      />
      {isShown && (
        <TextArea
          {...form.field(field)}
          label={texts.textOf(name)}
          rows={3}
          hint={texts.characters([...value].length)}
        />
      )}
    </>
  )
}

export function ContentsFields({ form }: FieldsProps) {
  const texts = useComposeTexts()
  const { channels, contents, cards } = form.values
  if (channels.every((channel) => channel === 'sms')) return null
  const has = (...some: readonly Contents[]) => some.includes(contents)
  return (
    <>
      <SelectField
        {...form.field('contents')}
        label={texts.contents}
        hint={has('card', 'carousel', 'file') ? texts.insteadOfText : undefined}
        choices={CONTENTS.map((value) => ({ value, label: texts.contentsChoices[value] }))}
      />
      {has('carousel') && <CardFields cards={cards} onCards={(changed) => form.change({ cards: changed })} />}
      <div className="grid gap-4 empty:hidden sm:grid-cols-2">
        {has('card') && <TextField {...form.field('title')} label={texts.cardTitle} optional />}
        {has('image', 'card') && <TextField {...form.field('image')} label={texts.image} inputMode="url" optional />}
        {has('image', 'card', 'suggestions') && (
          <>
            <TextField {...form.field('link')} label={texts.link} inputMode="url" optional />
            <TextField {...form.field('button')} label={texts.button} maxLength={25} optional />
          </>
        )}
        {has('file') && (
          <>
            <TextField {...form.field('file')} label={texts.file} inputMode="url" />
            <TextField {...form.field('fileName')} label={texts.fileName} optional />
            <TextField {...form.field('caption')} label={texts.caption} optional />
          </>
        )}
        {has('card', 'suggestions') && (
          <div className="sm:col-span-2">
            <TextArea {...form.field('replies')} label={texts.replies} rows={3} optional />
          </div>
        )}
      </div>
    </>
  )
}
