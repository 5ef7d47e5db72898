/** What can be done with a bulk: start, continue, pause, stop. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { useFormats } from '../../texts/formats.ts'
import { type Bulk, readAgain } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'
import { StartDialog } from './start-dialog.tsx'

type Action = 'start' | 'pause' | 'stop'

export function BulkActions({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const may = useMay()
  const [open, setOpen] = useState<Action | null>(null)
  const { state, waiting, ended_at: endedAt } = bulk
  const isStartable = ['uploading', 'ready', 'paused'].includes(state) && waiting > 0
  const isPausable = state === 'ready' || (state === 'running' && waiting > 0)
  const isStoppable = endedAt === null && state !== 'stopped' && state !== 'finished'
  return (
    <>
      {isPausable && may('pauseBulk') && <Button onClick={() => setOpen('pause')}>{texts.pause}</Button>}
      {isStoppable && may('stopBulk') && <Button onClick={() => setOpen('stop')}>{texts.stop}</Button>}
      {isStartable && may('startBulk') && (
        <Button kind="primary" onClick={() => setOpen('start')}>
          {state === 'paused' ? texts.goOn : texts.start}
        </Button>
      )}
      {open === 'start' && <StartDialog bulk={bulk} onClose={() => setOpen(null)} />}
      {(open === 'pause' || open === 'stop') && <EndDialog bulk={bulk} action={open} onClose={() => setOpen(null)} />}
    </>
  )
}

interface EndDialogProps {
  readonly bulk: Bulk
  readonly action: 'pause' | 'stop'
  readonly onClose: () => void
}

function EndDialog({ bulk, action, onClose }: EndDialogProps) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  const { account, waiting, price, currency } = bulk
  const lines = texts.toSend(waiting)
  const run = async (key: string) => {
    const path = action === 'pause' ? '/accounts/{account}/bulks/{bulk}/pause' : '/accounts/{account}/bulks/{bulk}/stop'
    await api.post(path, { params: { account, bulk: bulk.bulk }, key })
    readAgain()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={action === 'pause' ? texts.pauseTitle(bulk.bulk) : texts.stopTitle(bulk.bulk)}
      action={action === 'pause' ? texts.pause : texts.stop}
      keep={texts.keep}
      danger={action === 'stop'}
      run={run}
    >
      {action === 'pause' ? texts.pauseText(lines) : texts.stopText(lines, formats.money(price, currency))}
    </ConfirmDialog>
  )
}
