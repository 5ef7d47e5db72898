/** Sends a message to a phone of one's own by one carrier, and shows what happens to it until its end. */
import { useId, useState } from 'react'
import { api } from '../../api/api.ts'
import { useApi } from '../../api/queries.ts'
import { SendingAccount } from '../../features/accounts/sending-account.tsx'
import { TravelStory, useTravel } from '../../features/messages/travel.tsx'
import { StatusBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { useTextsOfCarrier } from './texts.ts'

const MAX_SENDERS = 200

interface TestDialogProps {
  readonly carrier: string
  readonly channel: string
  readonly onClose: () => void
}

export function TestDialog({ carrier, channel, onClose }: TestDialogProps) {
  const texts = useTextsOfCarrier()
  const partTexts = usePartTexts()
  const [sent, setSent] = useState<number | null>(null)
  const form = useForm({
    initial: { to: '', account: null as number | null, sender: '', text: texts.testMessageOf(carrier) },
    send: ({ to, account, sender, text }, key) => {
      const named = { ...(account === null ? {} : { account }), ...(sender === '' ? {} : { sender: sender.trim() }) }
      return api.post('/carriers/{id}/test', { params: { id: carrier }, body: { to: to.trim(), text, ...named }, key })
    },
    done: ({ message }) => setSent(message),
  })
  const { account } = form.values
  const { onValue: onAccount, error: accountError } = form.field('account')
  const senders = useSenders(account, channel)
  const list = useId()
  return (
    <Dialog open onClose={onClose} title={texts.testTitle(carrier)} description={texts.testText} wide>
      {sent === null ? (
        <Form form={form}>
          <TextField {...form.field('to')} label={texts.testPhone} hint={texts.testPhoneHint} inputMode="tel" />
          <SendingAccount account={account} onAccount={onAccount} hint={texts.testAccount} error={accountError} />
          <TextField {...form.field('sender')} label={texts.testSender} hint={texts.testSenderHint} list={list} />
          <datalist id={list}>
            {senders.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <TextField {...form.field('text')} label={texts.testMessage} />
          <FormActions form={form} onCancel={onClose} action={texts.sendTest} />
        </Form>
      ) : (
        <>
          <Sent message={sent} />
          <DialogActions>
            <Button onClick={() => setSent(null)}>{texts.testAgain}</Button>
            <Button kind="primary" onClick={onClose}>
              {partTexts.close}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

/** Approved names of the account, as proposals. */
function useSenders(account: number | null, channel: string): readonly string[] {
  const query = { account: account ?? 0, state: 'approved', most: MAX_SENDERS } as const
  const { data } = useApi('/senders', { query }, { enabled: account !== null })
  return (data?.data ?? []).filter((row) => row.channel === channel && row.account === account).map(({ name }) => name)
}

function Sent({ message }: { readonly message: number }) {
  const texts = useTextsOfCarrier()
  const travel = useTravel(message)
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-3">
        {travel.trace !== undefined && <StatusBadge status={travel.trace.status} />}
        <TextLink to={`/messages/${message}`}>{texts.toMessage}</TextLink>
      </p>
      <TravelStory travel={travel} />
    </div>
  )
}
