/** A new bulk: its message with placeholders, the file of its recipients, the first lines, its pace. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay, useMe } from '../../api/me.ts'
import { ApiError } from '../../api/problem.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { useShownAccount } from '../../features/accounts/account-picker.tsx'
import { SendingAccount } from '../../features/accounts/sending-account.tsx'
import { passRecipients } from '../../features/bulks/passed-files.ts'
import { RecipientFields, type Recipients } from '../../features/bulks/recipient-fields.tsx'
import { columnsOf, guessMapping, missingColumn } from '../../features/bulks/recipients.ts'
import { ChannelList } from '../../features/compose/channel-list.tsx'
import { type Draft, EMPTY_DRAFT, messageOf } from '../../features/compose/draft.ts'
import { ContentsFields, TextFields } from '../../features/compose/message-fields.tsx'
import { useSenders, withSenders } from '../../features/compose/senders.ts'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { FirstLines } from './first-lines.tsx'
import { useNewBulkTexts } from './new-bulk-texts.ts'

interface NewBulk extends Draft {
  readonly pace: string
  readonly skip_duplicates: boolean
}

const FIELDS = { account: urlNumber() }
const NEW: NewBulk = { ...EMPTY_DRAFT, channels: ['sms'], pace: '20', skip_duplicates: true }
const NO_PROBLEMS = {}

export function Page() {
  const texts = useNewBulkTexts()
  const isClient = useMe()?.account != null
  const [{ account: chosen }, change] = useUrlState(FIELDS)
  const account = useShownAccount(chosen)
  const [mode, setMode] = useState(NEW.mode)
  const senders = useSenders(account, mode)
  const [recipients, setRecipients] = useState<Recipients | null>(null)
  const navigate = useNavigate()
  const form = useForm({
    initial: NEW,
    send: (values, key) =>
      create({ account, values: { ...values, ...withSenders(values, senders) }, recipients, key }, texts),
    done: ({ account: of, bulk, recipients: chosenOnes }) => {
      passRecipients(bulk, chosenOnes)
      invalidate('/bulks')
      void navigate({ to: `/bulks/${of}/${bulk}` })
    },
  })
  const draft = { ...form.values, ...withSenders(form.values, senders) }
  const checked = { ...form, values: draft }
  const message = messageOf(draft)
  const columns = columnsOf(message)
  useEffect(() => setMode(form.values.mode), [form.values.mode])
  // A placeholder that was written after the file was chosen.
  const shown = recipients === null ? null : { ...recipients, mapping: withGuesses(recipients, columns) }
  const { data: choices } = useChoices(account)
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} back={{ to: '/bulks', label: texts.back }} />
      <Form form={form} className="flex flex-col gap-5">
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Card title={texts.message}>
            <div className="flex flex-col gap-4">
              {!isClient && <SendingAccount account={account} onAccount={(next) => change({ account: next })} />}
              <SelectField
                {...form.field('mode')}
                label={texts.mode}
                choices={(['test', 'live'] as const).map((value) => ({ value, label: texts.modes[value] }))}
              />
              <ChannelList {...{ account, draft, senders, choices }} change={form.change} />
              <TextFields form={checked} problems={NO_PROBLEMS} account={account} />
              <p className="text-sm text-muted">{texts.placeholders}</p>
              <ContentsFields form={checked} />
            </div>
          </Card>
          <Card title={texts.recipients}>
            <div className="flex flex-col gap-4">
              <RecipientFields columns={columns} recipients={shown} onRecipients={setRecipients} />
              <TextField {...form.field('pace')} label={texts.pace} hint={texts.paceHint} inputMode="numeric" />
              <Checkbox {...form.field('skip_duplicates')} label={texts.skip} hint={texts.skipHint} />
            </div>
          </Card>
        </div>
        <FirstLines
          {...{ account, message, columns }}
          test={draft.mode === 'test'}
          recipients={shown}
          hasText={draft.text !== ''}
        />
        <div>
          <SubmitButton form={form} disabled={account === null || draft.channels.length === 0 || draft.text === ''}>
            {texts.create}
          </SubmitButton>
        </div>
      </Form>
    </>
  )
}

function useChoices(account: number | null) {
  const enabled = useMay()('showSendChoices') && account !== null
  return useApi('/accounts/{account}/messages/choices', { params: { account: account ?? 0 } }, { enabled })
}

/** What the user has chosen, and guesses for columns without a choice. */
function withGuesses({ file, mapping }: Recipients, columns: readonly string[]) {
  const places = Object.entries({ ...guessMapping(file, columns), ...mapping })
  return Object.fromEntries(places.filter(([name]) => columns.includes(name)))
}

interface Creation {
  readonly account: number | null
  readonly values: NewBulk
  readonly recipients: Recipients | null
  readonly key: string
}

type Texts = ReturnType<typeof useNewBulkTexts>

async function create({ account, values, recipients, key }: Creation, texts: Texts) {
  const message = messageOf(values)
  if (recipients === null) throw new ApiError(400, '', texts.noFile)
  const columns = columnsOf(message)
  const mapping = withGuesses(recipients, columns)
  const missing = missingColumn(mapping, columns)
  if (missing !== null) throw new ApiError(400, '', texts.needsColumn(missing))
  const { pace, skip_duplicates, mode } = values
  const made = await api.post('/accounts/{account}/bulks', {
    params: { account: account ?? 0 },
    body: { message, test: mode === 'test', pace: Number(pace), skip_duplicates },
    key,
  })
  return { ...made, recipients: { file: recipients.file, mapping } }
}
