/** Uploads the file of a bulk: the one that the page of a new bulk has passed on, or one that is chosen here. */
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/problem.ts'
import { takeRecipients } from '../../features/bulks/passed-files.ts'
import { RecipientFields, type Recipients } from '../../features/bulks/recipient-fields.tsx'
import { missingColumn } from '../../features/bulks/recipients.ts'
import { sendLines } from '../../features/bulks/send-lines.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/form/field.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Unsaved } from '../../parts/unsaved.tsx'
import { useFormats } from '../../texts/formats.ts'
import { type Bulk, readAgain } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'
import { ProgressBar } from './progress-bar.tsx'

interface Running {
  readonly done: number
  readonly all: number
  /** Null while it runs, and after it. */
  readonly problem: string | null
}

const FILES = ['same', 'more'] as const

export function UploadCard({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const { running, isUploading, upload } = useUpload(bulk)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what was passed on
  useEffect(() => {
    const passed = takeRecipients(bulk.bulk)
    if (passed !== null) void upload(passed, 0)
  }, [bulk.bulk])
  return (
    <Card title={texts.upload}>
      <Unsaved when={isUploading} />
      <div className="flex flex-col gap-4">
        {running !== null && <Progress running={running} />}
        {!isUploading && <ChooseFile bulk={bulk} upload={upload} />}
      </div>
    </Card>
  )
}

function Progress({ running: { done, all, problem } }: { readonly running: Running }) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  return (
    <>
      <div className="flex flex-col gap-2" role="status">
        <ProgressBar share={all === 0 ? 0 : done / all} label={texts.upload} />
        <span>{texts.uploading(formats.number(done), formats.number(all))}</span>
      </div>
      {problem !== null && (
        <Notice kind="bad">
          {texts.uploadFailed} {problem}
        </Notice>
      )}
    </>
  )
}

interface ChooseFileProps {
  readonly bulk: Bulk
  readonly upload: (recipients: Recipients, offset: number) => Promise<void>
}

function ChooseFile({ bulk, upload }: ChooseFileProps) {
  const texts = useBulkPageTexts()
  const [recipients, setRecipients] = useState<Recipients | null>(null)
  const [which, setWhich] = useState<(typeof FILES)[number]>('same')
  const columns = [...bulk.columns, ...(bulk.columns.includes('id') ? [] : ['id'])]
  const isReady = recipients !== null && missingColumn(recipients.mapping, columns) === null
  const offset = which === 'same' ? 0 : bulk.lines
  return (
    <>
      {bulk.lines === 0 ? (
        <p className="text-muted">{texts.choose}</p>
      ) : (
        <SelectField
          name="which"
          label={texts.which}
          hint={texts.uploaded(bulk.lines)}
          value={which}
          onValue={setWhich}
          choices={FILES.map((value) => ({ value, label: texts.files[value] }))}
        />
      )}
      <RecipientFields columns={columns} recipients={recipients} onRecipients={setRecipients} />
      <div>
        <Button disabled={!isReady} onClick={() => recipients !== null && void upload(recipients, offset)}>
          {texts.upload}
        </Button>
      </div>
    </>
  )
}

function useUpload({ account, bulk }: Bulk) {
  const [running, setRunning] = useState<Running | null>(null)
  const [isUploading, setUploading] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const upload = async ({ file, mapping }: Recipients, offset: number) => {
    const controller = new AbortController()
    stop.current = controller
    setUploading(true)
    let done = 0
    const show = (problem: string | null) => setRunning({ done, all: file.rows, problem })
    show(null)
    try {
      const { signal } = controller
      const onProgress = (lines: number) => {
        done = lines
        show(null)
      }
      await sendLines({ account, bulk, file, mapping, offset, signal, onProgress })
    } catch (error) {
      if (!controller.signal.aborted) show(messageOf(error))
    }
    setUploading(false)
    readAgain()
  }
  return { running, isUploading, upload }
}
