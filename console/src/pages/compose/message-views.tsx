/** Beside the form: the message on a phone, its route and price, and the request as code. */
import { useState } from 'react'
import { useMe } from '../../api/me.ts'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import { type ComposedChannel, type Draft, messageOf } from '../../features/compose/draft.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { SAMPLES, type Sample, writeSample } from './samples.ts'
import { type Preview, TrialSummary } from './trial-summary.tsx'

interface MessageViewsProps {
  readonly draft: Draft
  readonly preview: Preview | undefined
}

export function MessageViews({ draft, preview }: MessageViewsProps) {
  const texts = useComposeTexts()
  const isClient = useMe()?.account != null
  const [view, setView] = useState<'preview' | 'request'>('preview')
  return (
    <div className="flex min-w-0 flex-col gap-5 lg:sticky lg:top-5">
      <Card title={isClient ? texts.ofClients.route : texts.route}>
        <div aria-live="polite">
          <TrialSummary preview={preview} />
        </div>
      </Card>
      <Card>
        <Tabs
          label={texts.views}
          value={view}
          onValue={setView}
          tabs={[
            { value: 'preview', label: texts.preview, content: () => <Phones draft={draft} /> },
            { value: 'request', label: texts.request, content: () => <Samples draft={draft} /> },
          ]}
        />
      </Card>
    </div>
  )
}

function Phones({ draft }: { readonly draft: Draft }) {
  const texts = useComposeTexts()
  const [chosen, setChosen] = useState<ComposedChannel | null>(null)
  const channel = chosen !== null && draft.channels.includes(chosen) ? chosen : (draft.channels[0] ?? 'sms')
  return (
    <>
      <Choices
        label={texts.channels}
        values={draft.channels}
        chosen={channel}
        onChoice={setChosen}
        nameOf={(each) => texts.channelNames[each]}
      />
      <PhonePreview draft={draft} channel={channel} />
    </>
  )
}

function Samples({ draft }: { readonly draft: Draft }) {
  const texts = useComposeTexts()
  const [sample, setSample] = useState<Sample>('json')
  return (
    <>
      <Choices
        label={texts.samplesLabel}
        values={SAMPLES}
        chosen={sample}
        onChoice={setSample}
        nameOf={(each) => texts.samples[each]}
      />
      <CodeBlock code={writeSample(sample, messageOf(draft))} label={texts.sampleLabel(texts.samples[sample])} />
      <p className="mt-2 text-sm text-muted">{texts.placeholder}</p>
    </>
  )
}

interface ChoicesProps<T extends string> {
  readonly label: string
  readonly values: readonly T[]
  readonly chosen: T
  readonly onChoice: (value: T) => void
  readonly nameOf: (value: T) => string
}

/** Buttons of which one is pressed. */
function Choices<T extends string>({ label, values, chosen, onChoice, nameOf }: ChoicesProps<T>) {
  return (
    <fieldset className="mb-4 flex flex-wrap gap-1.5">
      <legend className="sr-only">{label}</legend>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoice(value)}
          className="rounded-full border px-3 py-1 text-sm text-muted hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          {nameOf(value)}
        </button>
      ))}
    </fieldset>
  )
}
