/** The timeline of a message as a vertical story. */
import {
  Ban,
  Check,
  CircleDashed,
  Coins,
  CornerDownRight,
  Link,
  type LucideIcon,
  Send,
  TriangleAlert,
  Webhook,
  X,
} from 'lucide-react'
import { classes } from '../../parts/classes.ts'
import { Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { Trace } from './message-facts.ts'
import { useMessageTexts } from './message-texts.ts'
import { type StoryEntry, type StoryKind, type StoryTone, storyOf } from './story.ts'

const TONES: Readonly<Record<StoryTone, string>> = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  plain: 'bg-info-soft text-info',
  quiet: 'bg-sunken text-faint',
}

const TONE_ICONS: Readonly<Record<StoryTone, LucideIcon>> = {
  good: Check,
  bad: X,
  warn: TriangleAlert,
  plain: Send,
  quiet: CircleDashed,
}

const KIND_ICONS: Readonly<Partial<Record<StoryKind, LucideIcon>>> = {
  fallback: CornerDownRight,
  money: Coins,
  report: Webhook,
  link: Link,
}

export function StoryList({ trace }: { readonly trace: Trace }) {
  const texts = useMessageTexts()
  const formats = useFormats()
  const entries = storyOf(trace, { texts, formats })
  const start = Date.parse(trace.accepted_at)
  return (
    <ol aria-label={texts.story.label} className="flex flex-col">
      {entries.map((entry) => (
        <Entry key={entry.key} entry={entry} start={start} />
      ))}
    </ol>
  )
}

function Entry({ entry, start }: { readonly entry: StoryEntry; readonly start: number }) {
  const texts = useMessageTexts()
  const formats = useFormats()
  const { at, kind, tone, title, carrier, detail } = entry
  const Icon = tone === 'bad' && kind === 'message' ? Ban : (KIND_ICONS[kind] ?? TONE_ICONS[tone])
  const offset = (Date.parse(at) - start) / 1_000
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-0">
      <span aria-hidden className="absolute top-6 bottom-0 left-3 w-px bg-line group-last:hidden" />
      <span className={classes('grid size-6 shrink-0 place-items-center rounded-full', TONES[tone])}>
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4 pt-0.5">
        <p className={classes('min-w-0 [overflow-wrap:anywhere]', tone === 'quiet' ? 'text-muted' : 'font-medium')}>
          {title}
          {carrier !== null && <span className="font-normal text-muted"> · {carrier}</span>}
        </p>
        <p className="flex shrink-0 gap-3 text-sm text-muted tabular-nums">
          {offset > 0 && <span>{texts.story.after(formats.duration(offset))}</span>}
          <Time at={at} show="exact" />
        </p>
        {detail !== '' && <p className="basis-full text-sm text-muted [overflow-wrap:anywhere]">{detail}</p>}
      </div>
    </li>
  )
}
