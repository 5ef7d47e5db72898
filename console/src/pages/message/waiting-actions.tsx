/** Sends a waiting message now, or cancels it; sends one without a receipt again, or ends it. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import type { Trace } from '../../features/messages/message-facts.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePageTexts } from './message-page-texts.ts'

type Choice = 'sendNow' | 'cancel' | 'sendAgain' | 'end'

export function WaitingActions({ trace }: { readonly trace: Trace }) {
  const texts = usePageTexts()
  const may = useMay()
  const [chosen, setChosen] = useState<Choice | null>(null)
  const choices = choicesOf(trace).filter((choice) => may(ENDPOINT_OF[choice]))
  const params = { message: trace.message }
  const run = async (choice: Choice, key: string) => {
    if (choice === 'sendNow') await api.post('/messages/{message}/send-now', { params, key })
    else if (choice === 'cancel') await api.post('/messages/{message}/cancel', { params, key })
    else {
      const action = choice === 'end' ? 'end' : 'send again'
      await api.post('/messages/{message}/settle', { params, body: { action, confirm: true }, key })
    }
    invalidate('/messages/{message}', '/messages/{message}/details', '/reports/{message}', '/carriers')
    toast(texts.actions[choice].done)
  }
  return (
    <>
      {choices.map((choice) => (
        <Button key={choice} onClick={() => setChosen(choice)}>
          {texts.actions[choice].name}
        </Button>
      ))}
      {chosen !== null && (
        <ConfirmDialog
          open
          danger={chosen !== 'sendNow'}
          onClose={() => setChosen(null)}
          title={texts.actions[chosen].title}
          action={texts.actions[chosen].name}
          keep={chosen === 'cancel' ? texts.keep : undefined}
          run={(key) => run(chosen, key)}
        >
          {texts.actions[chosen].text}
        </ConfirmDialog>
      )}
    </>
  )
}

const ENDPOINT_OF = {
  sendNow: 'sendMessageNow',
  cancel: 'cancelMessage',
  sendAgain: 'settleMessage',
  end: 'settleMessage',
} as const

function choicesOf({ phase, status, due_at: due }: Trace): readonly Choice[] {
  if (phase === 'carried') return status === 'ACCEPTED' ? ['sendAgain', 'end'] : []
  if (phase !== 'open') return []
  return due !== null && Date.parse(due) > Date.now() ? ['sendNow', 'cancel'] : ['cancel']
}
