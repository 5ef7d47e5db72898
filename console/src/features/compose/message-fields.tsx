/** The fields of the composed message: texts, contents, and further settings. */
import { useState } from 'react'
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { factsOf, MESSAGE_CHANNELS } from '../../texts/channels.ts'
import { CardFields } from './card-fields.tsx'
import { useComposeTexts } from './compose-texts.ts'
import type { ComposedChannel, Contents, Draft } from './draft.ts'
import type { Problems } from './problems.ts'
import { Templates } from './template-picker.tsx'

interface FieldsProps {
  readonly form: FormState<Draft>
}

const CONTENTS: readonly Contents[] = ['text', 'image', 'suggestions', 'card', 'carousel', 'file']
interface TextFieldsProps extends FieldsProps {
  readonly account: number | null
  readonly problems: Problems
}

export function TextFields({ form, account, problems }: TextFieldsProps) {
  const texts = useComposeTexts()
  const { channels, text, ownTexts } = form.values
  const setText = (channel: ComposedChannel, filled: string) => {
    const isForAll = channels.length === 1 || text === ''
    form.change({ ownTexts: { ...ownTexts, [channel]: isForAll ? '' : filled }, ...(isForAll ? { text: filled } : {}) })
  }
  return (
    <>
      {account !== null && <Templates key={account} account={account} channels={channels} onText={setText} />}
      <TextArea {...form.field('text')} label={texts.text} rows={5} hint={texts.characters([...text].length)} />
      {MESSAGE_CHANNELS.slice(1)
        .filter((channel) => channels.includes(channel) && channels.length > 1)
        .map((channel) => (
          <OwnText key={channel} form={form} channel={channel} error={problems[channel]} />
        ))}
    </>
  )
}

interface OwnTextProps extends FieldsProps {
  readonly channel: ComposedChannel
  readonly error: string | undefined
}

function OwnText({ form, channel, error }: OwnTextProps) {
  const texts = useComposeTexts()
  const { ownTexts } = form.values
  const value = ownTexts[channel]
  const setValue = (next: string) => form.change({ ownTexts: { ...ownTexts, [channel]: next } })
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
          setValue(isOn ? form.values.text : '')
        }}
      />
      {isShown && (
        <TextArea
          error={error}
          name={`text-${channel}`}
          value={value}
          onValue={setValue}
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
  if (!channels.some((channel) => factsOf(channel).isRich)) return null
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
