/** The differences that a configuration would make, and the button that applies exactly these. */
import { Check, Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { ApiError } from '../../api/problem.ts'
import { queryClient } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { downloadText } from '../../parts/download.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState, Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { type Reviewed, reviewConfiguration, type Wanted } from './configuration-api.ts'
import { DifferenceTable } from './difference-table.tsx'
import { useSystemTexts } from './texts.ts'

interface ReviewProps {
  readonly wanted: Wanted
  readonly found: Reviewed
  /** The differences have become these. */
  readonly onAgain: (found: Reviewed) => void
  readonly onClose: () => void
}

const OUT_OF_DATE = 412

export function Review({ wanted, found, onAgain, onClose }: ReviewProps) {
  const texts = useSystemTexts()
  const formats = useFormats()
  const [isConfirming, setConfirming] = useState(false)
  const [isStale, setStale] = useState(false)
  const { counts, changes, difference, review } = found
  const count = difference.length
  const apply = async (key: string) => {
    try {
      await api.put('/configuration', { body: { ...wanted, review }, key })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === OUT_OF_DATE)) throw error
      onAgain(await reviewConfiguration(wanted))
      return setStale(true)
    }
    await queryClient.invalidateQueries()
    toast(texts.applied(count))
    onClose()
  }
  if (count === 0) {
    return (
      <Card>
        {isStale && <Notice kind="warn">{texts.stale}</Notice>}
        <div role="status">
          <EmptyState icon={Check} title={texts.nothing} action={<Button onClick={onClose}>{texts.discard}</Button>} />
        </div>
      </Card>
    )
  }
  const save = () => downloadText('differences.txt', `${difference.join('\n')}\n`, 'text/plain')
  const actions = (
    <>
      <Button icon={Download} onClick={save}>
        {texts.downloadAll}
      </Button>
      <Button onClick={onClose}>{texts.discard}</Button>
      <Button kind="primary" onClick={() => setConfirming(true)}>
        {texts.apply(count)}
      </Button>
    </>
  )
  const summary = (['added', 'removed', 'changed'] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${formats.number(counts[action])} ${texts.actions[action].toLowerCase()}`)
  return (
    <Card
      title={texts.differences}
      description={<span role="status">{summary.join(', ')}</span>}
      actions={actions}
      flush
    >
      {(isStale || changes.length < count) && (
        <div className="flex flex-col gap-3 border-b px-5 py-3">
          {isStale && <Notice kind="warn">{texts.stale}</Notice>}
          {changes.length < count && (
            <Notice kind="info">{texts.undetailed(formats.number(changes.length), formats.number(count))}</Notice>
          )}
        </div>
      )}
      <DifferenceTable changes={changes} />
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={texts.confirmTitle(count)}
        action={texts.confirmAction(count)}
        danger={counts.removed > 0}
        run={apply}
      >
        <p>{summary.join(', ')}.</p>
        {counts.removed > 0 && <p className="mt-2 font-medium">{texts.confirmRemoved(counts.removed)}</p>}
        <p className="mt-2 text-muted">{texts.confirmText}</p>
      </ConfirmDialog>
    </Card>
  )
}
