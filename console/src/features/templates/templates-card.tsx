/** The chat-app templates of an account and their status at the messenger. */
import { MessageSquareQuote, Plus } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { useTemplateTexts } from './template-texts.ts'

type Template = AnswerOf<'GET', '/accounts/{account}/chat-templates'>['data'][number]
type Status = Template['status']

const TONES: Readonly<Record<Status, BadgeTone>> = {
  new: 'plain',
  submitted: 'info',
  resubmitted: 'info',
  rejected: 'bad',
  removed: 'warn',
  approved: 'good',
}
const STATUSES: readonly Status[] = ['new', 'submitted', 'resubmitted', 'approved', 'rejected', 'removed']

export function TemplatesCard({ account }: { readonly account: number }) {
  const texts = useTemplateTexts()
  const may = useMay()
  const list = usePages('/accounts/{account}/chat-templates', { params: { account } })
  const [isAdding, setAdding] = useState(false)
  const [approved, setApproved] = useState<Template | null>(null)
  const add = may('setChatTemplate') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={add} flush>
      <DataTable
        caption={texts.title}
        columns={columnsOf(texts, may('approveChatTemplate') ? setApproved : null)}
        list={list}
        rowKey={({ template_id: id }) => id}
        empty={
          <EmptyState icon={MessageSquareQuote} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {isAdding && <AddTemplateDialog account={account} onClose={() => setAdding(false)} />}
      {approved !== null && <ApproveDialog template={approved} onClose={() => setApproved(null)} />}
    </Card>
  )
}

type Texts = ReturnType<typeof useTemplateTexts>

function columnsOf(texts: Texts, approve: ((template: Template) => void) | null): readonly Column<Template>[] {
  const columns: readonly Column<Template>[] = [
    {
      key: 'text',
      label: texts.text,
      cell: ({ template, reason }) => (
        <div className="max-w-xl min-w-40">
          <p className="line-clamp-3 whitespace-pre-line [overflow-wrap:anywhere]">{template}</p>
          {reason !== null && <p className="text-sm text-bad [overflow-wrap:anywhere]">{reason}</p>}
        </div>
      ),
    },
    { key: 'sender', label: texts.sender, hideOn: 'phone', cell: ({ signature }) => signature },
    {
      key: 'status',
      label: texts.status,
      cell: ({ status }) => (
        <Badge dot tone={TONES[status]}>
          {texts.statuses[status]}
        </Badge>
      ),
    },
    // Users of an account do not get it.
    { key: 'carrier', label: texts.carrier, hideOn: 'tablet', cell: ({ carrier }) => carrier ?? texts.byHand },
  ]
  if (approve === null) return columns.filter(({ key }) => key !== 'carrier')
  const actions: Column<Template> = {
    key: 'actions',
    label: texts.actionsLabel,
    hideLabel: true,
    align: 'right',
    cell: (template) =>
      template.status !== 'approved' && (
        <Button size="small" onClick={() => approve(template)}>
          {texts.approve}
        </Button>
      ),
  }
  return [...columns, actions]
}

function AddTemplateDialog({ account, onClose }: { readonly account: number; readonly onClose: () => void }) {
  const texts = useTemplateTexts()
  const form = useForm({
    initial: { signature: '', template: '', status: 'new' as Status },
    send: ({ signature, template, status }, key) => {
      const body = { signature: signature.trim(), template, status }
      return api.post('/accounts/{account}/chat-templates', { params: { account }, body, key })
    },
    done: () => {
      invalidate('/accounts/{account}/chat-templates')
      toast(texts.saved)
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.addTitle} description={texts.addHint} form={form} action={texts.add}>
      <TextField label={texts.sender} maxLength={100} {...form.field('signature')} />
      <TextArea label={texts.text} hint={texts.textHint} maxLength={1_000} {...form.field('template')} />
      <SelectField
        label={texts.status}
        choices={STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
        {...form.field('status')}
      />
    </FormDialog>
  )
}

function ApproveDialog({ template: row, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const texts = useTemplateTexts()
  const { account, signature, template } = row
  const approve = async (key: string) => {
    const body = { signature, template }
    await api.post('/accounts/{account}/chat-templates/approve', { params: { account }, body, key })
    invalidate('/accounts/{account}/chat-templates')
    toast(texts.saved)
  }
  return (
    <ConfirmDialog open onClose={onClose} title={texts.approveTitle} action={texts.approve} run={approve}>
      <p className="rounded-md bg-sunken p-3 whitespace-pre-line [overflow-wrap:anywhere]">{template}</p>
    </ConfirmDialog>
  )
}
