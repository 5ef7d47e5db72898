/** Fills a text from a template of the account, with a field for each variable. */
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { useComposeTexts } from './compose-texts.ts'
import type { ComposedChannel } from './draft.ts'
import { fillTemplate, variablesIn } from './template-text.ts'

interface Template {
  readonly id: string
  readonly label: string
  readonly text: string
}

const MAX_LABEL = 60
const MAX_CHAT_TEMPLATES = 200

interface TemplatesProps {
  readonly account: number
  readonly channels: readonly ComposedChannel[]
  readonly onText: (channel: 'chatapp' | 'sms', text: string) => void
}

/** One choice for each channel that has templates; nothing without them. */
export function Templates({ account, channels, onText }: TemplatesProps) {
  const texts = useComposeTexts()
  const may = useMay()
  const params = { account }
  const sms = useApi(
    '/accounts/{account}/sms-templates',
    { params },
    { enabled: channels.includes('sms') && may('listSmsTemplates') },
  )
  const query = { most: MAX_CHAT_TEMPLATES }
  const chat = useApi(
    '/accounts/{account}/chat-templates',
    { params, query },
    { enabled: channels.includes('chatapp') },
  )
  const ofSms = sms.data?.data.map(({ template_id: id, name, template }) => ({
    id: String(id),
    label: name,
    text: template,
  }))
  const ofChat = chat.data?.data
    .filter(({ status }) => status === 'approved')
    .map(({ template_id: id, template }) => ({ id: String(id), label: shorten(template), text: template }))
  return (
    <>
      {channels.includes('chatapp') && (
        <Picker label={texts.chatTemplate} templates={ofChat ?? []} onText={(text) => onText('chatapp', text)} />
      )}
      {channels.includes('sms') && (
        <Picker label={texts.smsTemplate} templates={ofSms ?? []} onText={(text) => onText('sms', text)} />
      )}
    </>
  )
}

interface PickerProps {
  readonly label: string
  readonly templates: readonly Template[]
  readonly onText: (text: string) => void
}

function Picker({ label, templates, onText }: PickerProps) {
  const texts = useComposeTexts()
  const [id, setId] = useState('')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  if (templates.length === 0) return null
  const chosen = templates.find((each) => each.id === id)
  const choose = (next: string) => {
    setId(next)
    setValues({})
    onText(templates.find((each) => each.id === next)?.text ?? '')
  }
  const fill = (name: string, value: string) => {
    const next = { ...values, [name]: value }
    setValues(next)
    onText(fillTemplate(chosen?.text ?? '', next))
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <SelectField
        label={label}
        name="template"
        none={texts.noTemplate}
        value={id}
        onValue={choose}
        choices={templates.map((each) => ({ value: each.id, label: each.label }))}
      />
      {chosen !== undefined && variablesIn(chosen.text).length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {variablesIn(chosen.text).map((name) => (
            <TextField
              key={name}
              label={texts.variable(name)}
              name={name}
              value={values[name] ?? ''}
              onValue={(value) => fill(name, value)}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

function shorten(text: string): string {
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text
}
