/** Sends a waiting message now, or cancels it. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import type { Trace } from '../../features/messages/message-facts.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { usePageTexts } from './message-page-texts.ts'

export function WaitingActions({ trace: { message, phase, due_at: due } }: { readonly trace: Trace }) {
  const texts = usePageTexts()
  const may = useMay()
  const [chosen, setChosen] = useState<'send' | 'cancel' | null>(null)
  if (phase !== 'open') return null
  const waitsForTime = due !== null && Date.parse(due) > Date.now()
  const isSending = chosen === 'send'
  const run = async (key: string) => {
    const path = isSending ? '/messages/{message}/send-now' : '/messages/{message}/cancel'
    await api.post(path, { params: { message }, key })
    invalidate('/messages/{message}', '/messages/{message}/details', '/reports/{message}')
    toast(isSending ? texts.sentNow : texts.cancelled)
  }
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {waitsForTime && may('sendMessageNow') && <Button onClick={() => setChosen('send')}>{texts.sendNow}</Button>}
      {may('cancelMessage') && <Button onClick={() => setChosen('cancel')}>{texts.cancelMessage}</Button>}
      {chosen !== null && (
        <ConfirmDialog
          open
          danger={!isSending}
          onClose={() => setChosen(null)}
          title={isSending ? texts.sendNowTitle : texts.cancelTitle}
          action={isSending ? texts.sendNow : texts.cancelMessage}
          run={run}
        >
          {isSending ? texts.sendNowText : texts.cancelText}
        </ConfirmDialog>
      )}
    </div>
  )
}
