/** Where operators are notified of alarms. */
import { BellPlus, Mail, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { alarmKind } from '../../features/alarms/alarm-kind.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import { type Target, TargetDialog } from './target-dialog.tsx'
import { useAlarmTexts } from './texts.ts'

export function Targets() {
  const texts = useAlarmTexts()
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Target | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const targets = usePages('/notification-targets')
  const add = may('setNotificationTarget') && (
    <Button icon={BellPlus} onClick={() => setAdding(true)}>
      {texts.addTarget}
    </Button>
  )
  return (
    <Card title={texts.targets} flush actions={add}>
      <DataTable
        caption={texts.targets}
        columns={useColumns({ edit: setEdited, remove: setRemoved })}
        list={targets}
        rowKey={({ name }) => name}
        empty={
          <EmptyState icon={Mail} title={texts.noTargets}>
            {texts.noTargetsHint}
          </EmptyState>
        }
      />
      {isAdding && <TargetDialog target={null} onClose={() => setAdding(false)} />}
      {edited !== null && <TargetDialog target={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeTargetTitle(removed ?? '')}
        action={texts.removeTarget}
        danger
        run={async (key) => {
          await api.delete('/notification-targets/{name}', { params: { name: removed ?? '' }, key })
          toast(texts.targetRemoved)
          invalidate('/notification-targets')
        }}
      >
        {texts.removeTargetText}
      </ConfirmDialog>
    </Card>
  )
}

interface Actions {
  readonly edit: (target: Target) => void
  readonly remove: (name: string) => void
}

function useColumns({ edit, remove }: Actions): readonly Column<Target>[] {
  const texts = useAlarmTexts()
  const may = useMay()
  const { language } = usePreferences()
  return [
    {
      key: 'name',
      label: texts.target,
      cell: ({ name, kind, address, recipients, enabled }) => (
        <>
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            {!enabled && <Badge>{texts.paused}</Badge>}
          </span>
          <div className="text-sm text-muted [overflow-wrap:anywhere]">
            {texts.targetKinds[kind]} · {address ?? recipients.join(', ')}
          </div>
        </>
      ),
    },
    {
      key: 'severity',
      label: texts.minSeverity,
      belowOnPhone: true,
      cell: ({ min_severity: severity }) => texts.severities[severity],
    },
    {
      key: 'kinds',
      label: texts.alarms,
      belowOnPhone: true,
      hideOn: 'tablet',
      wraps: true,
      cell: ({ kinds }) => kinds?.map((kind) => alarmKind(kind, language)).join(', ') ?? texts.kindChoices.all,
    },
    {
      key: 'sent',
      label: texts.lastSent,
      belowOnPhone: true,
      cell: ({ sent_at: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'error',
      label: texts.lastError,
      belowOnPhone: true,
      hideOn: 'tablet',
      wraps: true,
      className: 'text-muted',
      cell: ({ last_error: error }) => (error === null ? '–' : gatewayText(error)),
    },
    ...(may('setNotificationTarget')
      ? [
          {
            key: 'actions',
            label: texts.test,
            hideLabel: true,
            align: 'right' as const,
            cell: (target: Target) => (
              <span className="inline-flex items-center gap-1">
                <TestButton target={target.name} />
                <IconButton label={`${texts.editTarget}: ${target.name}`} icon={Pencil} onClick={() => edit(target)} />
                <IconButton
                  label={`${texts.removeTarget}: ${target.name}`}
                  icon={Trash2}
                  onClick={() => remove(target.name)}
                />
              </span>
            ),
          },
        ]
      : []),
  ]
}

function TestButton({ target }: { readonly target: string }) {
  const texts = useAlarmTexts()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const { data } = await api.post('/alarms/test', { body: { target } })
      for (const { result, reason } of data) {
        if (result === 'sent') toast(texts.testSent(target))
        else toast(texts.testFailed(target, gatewayText(reason ?? result)), 'bad')
      }
    } catch (error) {
      toast((error as Error).message, 'bad')
    }
    setBusy(false)
    invalidate('/notification-targets')
  }
  return (
    <Button size="small" icon={Send} busy={isBusy} onClick={() => void test()}>
      {texts.test}
    </Button>
  )
}
