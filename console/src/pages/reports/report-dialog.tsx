/** One failed report: its tries, its last error and its payload. */

import { usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { Tries } from '../../features/hooks/tries.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { CodeBlock, CopyText } from '../../parts/copy.tsx'
import { indentJson } from '../../parts/indent-json.ts'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { KeyValues } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import type { FailedReport } from './failed-reports.tsx'
import { useReportTexts } from './texts.ts'

interface ReportDialogProps {
  readonly report: FailedReport
  readonly onClose: () => void
}

export function ReportDialog({ report, onClose }: ReportDialogProps) {
  const texts = useReportTexts()
  const { message, number, account, address, tries, created_at: created, tried_at: tried, detail } = report
  const items = [
    { label: texts.address, value: address },
    { label: texts.account, value: <AccountName account={account} linked /> },
    { label: texts.lastError, value: detail },
    { label: texts.tries, value: <Num value={tries} /> },
    { label: texts.created, value: <Time at={created} show="both" /> },
    { label: texts.lastTry, value: <Time at={tried} show="both" /> },
  ]
  return (
    <Dialog open onClose={onClose} title={`${texts.number} ${number} · ${texts.message} ${message}`} wide>
      <div className="flex flex-col gap-5">
        <KeyValues items={items} />
        <Payload message={message} number={number} />
      </div>
      <DialogActions>
        <LinkButton to={`/messages/${message}`}>{texts.openMessage}</LinkButton>
      </DialogActions>
    </Dialog>
  )
}

/** A message has at most some dozens of reports; further pages are read until the report is found. */
function Payload({ message, number }: Pick<FailedReport, 'message' | 'number'>) {
  const texts = useReportTexts()
  const list = usePages('/reports/{message}', { params: { message }, query: { most: MAX_PAGE } })
  const report = list.rows?.find((each) => each.number === number)
  if (report === undefined && list.error !== null) return <ErrorState error={list.error} retry={list.retry} />
  if (list.rows === undefined) return <Loading />
  if (report?.payload == null) {
    return (
      <>
        {report !== undefined && <Tries report={report} />}
        <p className="text-muted">{texts.noPayload}</p>
      </>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <Tries report={report} />
      <KeyValues
        items={[{ label: texts.webhook, value: <CopyText text={report.webhook_id} label={texts.webhook} /> }]}
      />
      <CodeBlock code={indentJson(report.payload)} label={texts.payload} />
    </div>
  )
}

const MAX_PAGE = 1_000
