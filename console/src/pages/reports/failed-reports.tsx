/** Failed reports with their last error; each, those of one address, or all can be sent again. */
import { CircleCheck, MoreHorizontal, RotateCcw, Text } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { useApi, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { ResendDialog, type Resending } from '../../features/hooks/resend-dialog.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { ResendOneDialog } from './resend-one-dialog.tsx'
import { useReportTexts } from './texts.ts'

export type FailedReport = AnswerOf<'GET', '/failed-reports'>['data'][number]
type Action = 'details' | 'one' | 'address'
const EVERY_MS = 15_000

export function FailedReports({ account }: { readonly account: number | null }) {
  const texts = useReportTexts()
  const may = useMay()
  const query = account === null ? {} : { account }
  const [chosen, setChosen] = useState<{ readonly report: FailedReport; readonly action: Action } | null>(null)
  const [isAll, setAll] = useState(false)
  const list = usePages('/failed-reports', { query }, { every: EVERY_MS })
  const close = () => setChosen(null)
  const resending = (): Resending | null => {
    if (isAll) return { account, address: null }
    return chosen?.action === 'address' ? hookOf(chosen.report) : null
  }
  const isAllowed = may('resendReports') && (account !== null || may('listAccounts'))
  const all = isAllowed && (list.rows?.length ?? 0) > 0 && (
    <Button icon={RotateCcw} onClick={() => setAll(true)}>
      {texts.resendAll}
    </Button>
  )
  return (
    <div className="flex flex-col gap-5">
      <Counts account={account} />
      <Card title={texts.failed} flush actions={all}>
        <DataTable
          caption={texts.failed}
          columns={useColumns((report, action) => setChosen({ report, action }))}
          list={list}
          rowKey={({ message, number }) => `${message} ${number}`}
          empty={
            <EmptyState icon={CircleCheck} title={texts.noFailed}>
              {texts.noFailedHint}
            </EmptyState>
          }
        />
      </Card>
      {chosen?.action === 'details' && <ReportDialog report={chosen.report} onClose={close} />}
      {chosen?.action === 'one' && <ResendOneDialog report={chosen.report} onClose={close} />}
      <ResendDialog
        resending={resending()}
        onClose={() => {
          setAll(false)
          close()
        }}
      />
    </div>
  )
}

/** Its address without the query: all reports to the hook. */
function hookOf({ account, address }: FailedReport): Resending {
  return { account, address: address.replace(/\?.*/s, '') }
}

function Counts({ account }: { readonly account: number | null }) {
  const texts = useReportTexts()
  const { data } = useApi('/failed-reports/count', { query: account === null ? {} : { account } }, { every: EVERY_MS })
  return (
    <Stats>
      <Stat label={texts.failedStat} value={<Num value={data?.failed} />} note={texts.failedNote} />
      <Stat label={texts.waitingStat} value={<Num value={data?.waiting} />} note={texts.waitingNote} />
      <Stat label={texts.stoppedStat} value={<Num value={data?.stopped} />} note={texts.stoppedNote} />
    </Stats>
  )
}

function useColumns(choose: (report: FailedReport, action: Action) => void): readonly Column<FailedReport>[] {
  const texts = useReportTexts()
  const may = useMay()
  return [
    {
      key: 'message',
      label: texts.message,
      cell: ({ message, number }) => (
        <span className="whitespace-nowrap">
          <TextLink to={`/messages/${message}`} className="font-medium tabular-nums">
            {message}
          </TextLink>
          <span className="text-muted"> · {number}</span>
        </span>
      ),
    },
    {
      key: 'account',
      label: texts.account,
      belowOnPhone: true,
      cell: ({ account }) => <AccountName account={account} />,
      hideOn: 'tablet',
    },
    {
      key: 'address',
      label: texts.address,
      belowOnPhone: true,
      wraps: true,
      className: 'max-w-80',
      cell: ({ address }) => address,
    },
    { key: 'error', label: texts.lastError, wraps: true, cell: ({ detail }) => detail },
    {
      key: 'tries',
      label: texts.tries,
      belowOnPhone: true,
      align: 'right',
      hideOn: 'tablet',
      cell: ({ tries }) => <Num value={tries} />,
    },
    {
      key: 'tried',
      label: texts.lastTry,
      belowOnPhone: true,
      cell: ({ tried_at: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'actions',
      label: texts.actions,
      hideLabel: true,
      align: 'right',
      cell: (report) => (
        <Menu
          trigger={
            <IconButton
              label={`${texts.actions}: ${texts.number} ${report.number}, ${texts.message} ${report.message}`}
              icon={MoreHorizontal}
            />
          }
        >
          <MenuItem icon={Text} onSelect={() => choose(report, 'details')}>
            {texts.details}
          </MenuItem>
          {may('resendReport') && (
            <MenuItem icon={RotateCcw} onSelect={() => choose(report, 'one')}>
              {texts.resend}
            </MenuItem>
          )}
          {may('resendReports') && (
            <MenuItem icon={RotateCcw} onSelect={() => choose(report, 'address')}>
              {texts.resendAddress}
            </MenuItem>
          )}
        </Menu>
      ),
    },
  ]
}
