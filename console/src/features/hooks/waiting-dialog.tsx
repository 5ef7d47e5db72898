/** The reports that wait for a hook, one by one, and trying it now. */
import { CircleCheck } from 'lucide-react'
import { type AnswerOf, api } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog, Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useHookTexts } from './hook-texts.ts'
import { readReportsAgain } from './resend-dialog.tsx'

type Waiting = AnswerOf<'GET', '/waiting-reports'>['data'][number]

interface HookDialogProps {
  readonly hook: { readonly account: number; readonly address: string }
  readonly onClose: () => void
}

export function WaitingDialog({ hook: { account, address }, onClose }: HookDialogProps) {
  const texts = useHookTexts()
  const list = usePages('/waiting-reports', { query: { account, address } })
  return (
    <Dialog open wide onClose={onClose} title={texts.waitingTitle} description={address}>
      <DataTable
        caption={texts.waitingTitle}
        columns={useColumns()}
        list={list}
        rowKey={({ message, number }) => `${message} ${number}`}
        empty={
          <EmptyState icon={CircleCheck} title={texts.noWaiting}>
            {texts.noWaitingHint}
          </EmptyState>
        }
      />
    </Dialog>
  )
}

function useColumns(): readonly Column<Waiting>[] {
  const texts = useHookTexts()
  return [
    {
      key: 'message',
      label: texts.message,
      cell: ({ message, number }) => (
        <span className="whitespace-nowrap">
          <TextLink to={`/messages/${message}`}>{message}</TextLink>
          <span className="text-muted"> · {number}</span>
        </span>
      ),
    },
    {
      key: 'created',
      label: texts.written,
      hideOn: 'phone',
      cell: ({ created_at: at }) => <Time at={at} show="relative" />,
    },
    { key: 'tries', label: texts.tries, align: 'right', cell: ({ failed_tries: tries }) => <Num value={tries} /> },
    {
      key: 'error',
      label: texts.lastError,
      wraps: true,
      cell: ({ detail }) => gatewayText(detail) || '–',
    },
    {
      key: 'next',
      label: texts.nextTry,
      hideOn: 'phone',
      cell: ({ waits_for: waits, next_at: at }) =>
        waits === null || waits === 'retry' ? <Time at={at} show="relative" /> : texts.waitsFor[waits],
    },
  ]
}

export function TryDialog({ hook: { account, address }, onClose }: HookDialogProps) {
  const texts = useHookTexts()
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.tryTitle}
      action={texts.tryNow}
      run={async (key) => {
        const { waiting } = await api.post('/failing-hooks/try', { body: { account, address }, key })
        toast(texts.tried(waiting))
        readReportsAgain()
      }}
    >
      <p className="[overflow-wrap:anywhere]">{texts.tryText(address)}</p>
    </ConfirmDialog>
  )
}
