/** Hooks that answered 410 and get no reports until they are resumed. */
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { ResumeDialog } from '../../features/hooks/resume-dialog.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useReportTexts } from './texts.ts'

type Stopped = AnswerOf<'GET', '/stopped-hooks'>['data'][number]
type Hook = Pick<Stopped, 'account' | 'address'>

export function StoppedHooks({ account }: { readonly account: number | null }) {
  const texts = useReportTexts()
  const may = useMay()
  const [resumed, setResumed] = useState<Hook | null>(null)
  const list = usePages('/stopped-hooks', { query: account === null ? {} : { account } })
  const columns: readonly Column<Stopped>[] = [
    {
      key: 'address',
      label: texts.address,
      wraps: true,
      cell: ({ address, test }) => (
        <>
          <span className="font-medium">{address}</span> {test && <Badge>{texts.testOnly}</Badge>}
        </>
      ),
    },
    {
      key: 'account',
      label: texts.account,
      belowOnPhone: true,
      cell: ({ account }) => <AccountName account={account} />,
    },
    {
      key: 'stopped',
      label: texts.stoppedAt,
      belowOnPhone: true,
      cell: ({ stopped_at: at }) => <Time at={at} show="both" />,
    },
    {
      key: 'resume',
      label: texts.resume,
      hideLabel: true,
      align: 'right',
      cell: (hook) =>
        may('resumeHook') && (
          <Button size="small" onClick={() => setResumed(hook)}>
            {texts.resume}
          </Button>
        ),
    },
  ]
  return (
    <Card title={texts.stopped} flush>
      <DataTable
        caption={texts.stopped}
        columns={columns}
        list={list}
        rowKey={(hook) => `${hook.account} ${hook.address}`}
        empty={
          <EmptyState icon={CircleCheck} title={texts.noStopped}>
            {texts.noStoppedHint}
          </EmptyState>
        }
      />
      {resumed !== null && <ResumeDialog hook={resumed} onClose={() => setResumed(null)} />}
    </Card>
  )
}
