/** Compose a message: see how it looks, where it would go and what it costs; send it and watch it travel. */
import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { useShownAccount } from '../../features/accounts/account-picker.tsx'
import { SendingAccount } from '../../features/accounts/sending-account.tsx'
import { ChannelList } from '../../features/compose/channel-list.tsx'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import { type Draft, EMPTY_DRAFT, messageOf } from '../../features/compose/draft.ts'
import { ContentsFields, TextFields } from '../../features/compose/message-fields.tsx'
import { type Problems, useProblems } from '../../features/compose/problems.ts'
import { useSenders, withSenders } from '../../features/compose/senders.ts'
import { usePreview } from '../../features/compose/use-preview.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, type FormState, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { FurtherFields } from './further-fields.tsx'
import { MessageViews } from './message-views.tsx'
import { Travel } from './travel.tsx'
import type { Preview } from './trial-summary.tsx'

const FIELDS = { account: urlNumber() }

export function Page() {
  const texts = useComposeTexts()
  const isClient = useMe()?.account != null
  const [{ account: chosen }, change] = useUrlState(FIELDS)
  const account = useShownAccount(chosen)
  const { data: found } = useApi(
    '/accounts/{account}',
    { params: { account: account ?? 0 } },
    { enabled: account !== null },
  )
  const [mode, setMode] = useState(EMPTY_DRAFT.mode)
  const senders = useSenders(account, mode)
  const [sent, setSent] = useState<number | null>(null)
  const done = (message: number) => {
    setSent(message)
    toast(texts.sent(message))
    window.scrollTo({ top: 0 })
  }
  const form = useForm({
    initial: EMPTY_DRAFT,
    send: (draft, key) => send(account, withSenders(draft, senders), key),
    done: ({ message }) => done(message),
  })
  const draft = withSenders(form.values, senders)
  useEffect(() => setMode(draft.mode), [draft.mode])
  const preview = useMessagePreview(account, draft)
  const params = { account: account ?? 0 }
  const { data: choices } = useApi('/accounts/{account}/messages/choices', { params }, { enabled: account !== null })
  const problems = useProblems(draft, choices, preview)
  const checked = withProblems(form, draft, problems)
  const name = found?.account === account ? found?.name : undefined
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      {sent !== null && <Travel key={sent} message={sent} close={() => setSent(null)} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,420px)]">
        <Card title={texts.message}>
          <Form form={form}>
            {!isClient && <SendingAccount account={account} onAccount={(next) => change({ account: next })} />}
            <TextField {...checked.field('phone')} label={texts.phone} hint={texts.phoneHint} inputMode="tel" />
            <ChannelList {...{ account, draft, senders, choices }} change={form.change} />
            <TextFields form={checked} problems={problems} account={account} />
            <ContentsFields form={checked} />
            <FurtherFields form={checked} choices={choices} />
            <SendRow
              {...{ form: checked, account, name, preview }}
              send={(key) => send(account, draft, key)}
              done={done}
            />
          </Form>
        </Card>
        <MessageViews draft={draft} preview={preview} />
      </div>
    </>
  )
}

/** The form with the channels that can be used, and with each problem at its field. */
function withProblems(form: FormState<Draft>, draft: Draft, problems: Problems): FormState<Draft> {
  return {
    ...form,
    values: draft,
    field: (name) => {
      const binding = form.field(name)
      return { ...binding, error: problems[name] ?? binding.error }
    },
  }
}

function send(account: number | null, draft: Draft, key?: string) {
  const body = { message: messageOf(draft), test: draft.mode === 'test' }
  return api.post('/accounts/{account}/messages', { params: { account: account ?? 0 }, body, key })
}

function useMessagePreview(account: number | null, draft: Draft): Preview | undefined {
  const body = { message: messageOf(draft), test: draft.mode === 'test' }
  const isReady = draft.phone !== '' && draft.text !== ''
  return usePreview({ name: 'message preview', account, body, isReady }, (of, asked, signal) =>
    api.post('/accounts/{account}/messages/preview', { params: { account: of }, body: asked, signal }),
  )
}

interface SendRowProps {
  readonly form: FormState<Draft>
  readonly account: number | null
  readonly name: string | undefined
  readonly preview: Preview | undefined
  readonly send: (key: string) => Promise<{ readonly message: number }>
  readonly done: (message: number) => void
}

/** Test messages are sent at once; real ones after a confirmation that names recipient and price. */
function SendRow({ form, account, name, preview, send: sendNow, done }: SendRowProps) {
  const texts = useComposeTexts()
  const formats = useFormats()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { mode, phone, channels } = form.values
  const hasWrongTimes = form.field('sendAt').error !== undefined || form.field('lifetime').error !== undefined
  const trial = preview?.trial ?? null
  const price = trial?.price == null ? '' : ` ${texts.confirmPrice(formats.exactMoney(trial.price, trial.currency))}`
  const isReady = account !== null && phone.trim() !== '' && channels.length > 0 && !hasWrongTimes
  if (!may('sendMessage')) return null
  return (
    <div className="flex flex-wrap items-end justify-between gap-3 border-t pt-4">
      <div className="min-w-0 grow basis-64">
        <SelectField
          {...form.field('mode')}
          label={texts.mode}
          choices={(['test', 'live'] as const).map((value) => ({ value, label: texts.modes[value] }))}
        />
      </div>
      {mode === 'test' ? (
        <SubmitButton form={form} disabled={!isReady}>
          {texts.sendTest}
        </SubmitButton>
      ) : (
        <Button kind="primary" icon={Send} disabled={!isReady} onClick={() => setAsking(true)}>
          {texts.sendLive}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={texts.confirmTitle(phone)}
        action={texts.sendLive}
        danger
        run={async (key) => done((await sendNow(key)).message)}
      >
        {texts.confirmText(name ?? String(account))}
        {price}
      </ConfirmDialog>
    </div>
  )
}
