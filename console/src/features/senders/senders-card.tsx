/** The senders of an account: request, approve, reject. */
import { BadgeCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { SenderBadge } from '../accounts/state-badge.tsx'
import { RejectSenderDialog, type Sender, SenderDialog } from './sender-dialogs.tsx'
import { useSenderTexts } from './sender-texts.ts'

export function SendersCard({ account }: { readonly account: number }) {
  const texts = useSenderTexts()
  const may = useMay()
  const list = usePages('/senders', { query: { account } })
  const [isAdding, setAdding] = useState(useAskedDialog('sender'))
  const [changed, setChanged] = useState<Sender | null>(null)
  const [rejected, setRejected] = useState<Sender | null>(null)
  const mayApprove = may('approveSender')
  const add = may('requestSender') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {mayApprove ? texts.add : texts.request}
    </Button>
  )
  const columns = columnsOf(texts)
  return (
    <Card title={texts.title} description={texts.description} actions={add} flush>
      <DataTable
        caption={texts.title}
        columns={mayApprove ? [...columns, actionColumn(texts, { change: setChanged, reject: setRejected })] : columns}
        list={list}
        rowKey={({ channel, name }) => `${channel} ${name}`}
        empty={
          <EmptyState icon={BadgeCheck} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {isAdding && <SenderDialog account={account} sender={null} onClose={() => setAdding(false)} />}
      {changed !== null && <SenderDialog account={account} sender={changed} onClose={() => setChanged(null)} />}
      {rejected !== null && <RejectSenderDialog sender={rejected} onClose={() => setRejected(null)} />}
    </Card>
  )
}

type Texts = ReturnType<typeof useSenderTexts>

function columnsOf(texts: Texts): readonly Column<Sender>[] {
  return [
    {
      key: 'name',
      label: texts.name,
      wraps: true,
      cell: ({ name, reason, members, per_second: rate, warnings }) => {
        const notes = [
          ...(reason === null ? [] : [reason]),
          ...(members.length === 0 ? [] : [texts.poolOf(members.join(', '))]),
          ...(rate === null ? [] : [texts.rateOf(rate)]),
          ...warnings.map(gatewayText),
        ]
        return (
          <>
            <span className="font-medium">{name}</span>
            {notes.map((note) => (
              <span key={note} className="block text-sm text-muted">
                {note}
              </span>
            ))}
          </>
        )
      },
    },
    { key: 'channel', label: texts.channel, cell: ({ channel }) => <ChannelName channel={channel} /> },
    { key: 'state', label: texts.state, cell: ({ state }) => <SenderBadge state={state} /> },
    {
      key: 'countries',
      label: texts.countries,
      hideOn: 'phone',
      cell: ({ countries }) => countries?.join(', ') ?? texts.allCountries,
    },
  ]
}

interface Actions {
  readonly change: (sender: Sender) => void
  readonly reject: (sender: Sender) => void
}

function actionColumn(texts: Texts, { change, reject }: Actions): Column<Sender> {
  return {
    key: 'actions',
    label: texts.actionsLabel,
    hideLabel: true,
    align: 'right',
    cell: (sender) => (
      <span className="inline-flex gap-2">
        {sender.state === 'approved' ? (
          <Button size="small" aria-label={`${texts.change}: ${sender.name}`} onClick={() => change(sender)}>
            {texts.change}
          </Button>
        ) : (
          <ApproveButton sender={sender} />
        )}
        {sender.state !== 'rejected' && (
          <Button size="small" aria-label={`${texts.reject}: ${sender.name}`} onClick={() => reject(sender)}>
            {texts.reject}
          </Button>
        )}
      </span>
    ),
  }
}

function ApproveButton({ sender: { account, channel, name } }: { readonly sender: Sender }) {
  const texts = useSenderTexts()
  const [isBusy, setBusy] = useState(false)
  const approve = async () => {
    setBusy(true)
    try {
      await api.post('/senders/approve', { body: { account, channel, name } })
      invalidate('/senders', '/accounts/{account}')
      toast(texts.approved(name))
    } catch (error) {
      toast(messageOf(error), 'bad')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" busy={isBusy} aria-label={`${texts.approve}: ${name}`} onClick={() => void approve()}>
      {texts.approve}
    </Button>
  )
}
