/** The setup as one document: export it, or apply one after a review of the differences. */
import { Copy, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { copyText } from '../../parts/copy.tsx'
import { downloadText } from '../../parts/download.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { type Reviewed, readConfiguration, type Wanted } from './configuration-api.ts'
import { ConfigurationForm } from './configuration-form.tsx'
import { Review } from './review.tsx'
import { useSystemTexts } from './texts.ts'

export function Configuration() {
  const texts = useSystemTexts()
  const may = useMay()
  const [review, setReview] = useState<{ readonly wanted: Wanted; readonly found: Reviewed } | null>(null)
  const result = useRef<HTMLDivElement>(null)
  return (
    <div className="flex flex-col gap-5">
      <Card title={texts.current}>
        <p className="mb-4 text-muted">{texts.currentHint}</p>
        <ExportActions />
      </Card>
      {may('applyConfiguration') && (
        <ConfigurationForm
          onChange={() => setReview(null)}
          onReview={(wanted, found) => {
            setReview({ wanted, found })
            requestAnimationFrame(() => result.current?.focus())
          }}
        />
      )}
      {review !== null && (
        <div ref={result} tabIndex={-1} className="outline-none">
          <Review {...review} onAgain={(found) => setReview({ ...review, found })} onClose={() => setReview(null)} />
        </div>
      )}
    </div>
  )
}

function ExportActions() {
  const texts = useSystemTexts()
  const withText = async (use: (text: string) => void | Promise<void>) => {
    try {
      await use(await readConfiguration())
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  }
  const copy = async (text: string) => {
    const isDone = await copyText(text)
    toast(isDone ? texts.copied : texts.notCopied, isDone ? 'good' : 'bad')
  }
  const save = (text: string) => downloadText('posthorn.json', text, 'application/json')
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={Copy} onClick={() => void withText(copy)}>
        {texts.copy}
      </Button>
      <Button icon={Download} onClick={() => void withText(save)}>
        {texts.download}
      </Button>
    </div>
  )
}
