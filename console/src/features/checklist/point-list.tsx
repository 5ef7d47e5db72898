/** The points of a checklist, and how far each channel is. */
import { Check, CircleAlert, Lightbulb } from 'lucide-react'
import { useMay, useMe } from '../../api/me.ts'
import { Badge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { channelName } from '../../parts/channel.tsx'
import { classes } from '../../parts/classes.ts'
import { usePreferences } from '../../texts/language.ts'
import { useChecklistTexts } from './checklist-texts.ts'
import { type Checklist, lacksOf, type Point, type ShownPoint, shownPoints } from './point.ts'

const LOOKS = {
  done: { icon: Check, look: 'bg-good-soft text-good' },
  missing: { icon: CircleAlert, look: 'bg-warn-soft text-warn' },
  advised: { icon: Lightbulb, look: 'bg-info-soft text-info' },
} as const

interface PointListProps {
  readonly label: string
  readonly points: readonly Point[]
  readonly account: number | null
}

/** The first missing point has the main button. */
export function PointList({ label, points, account }: PointListProps) {
  const texts = useChecklistTexts()
  const may = useMay()
  const isClient = useMe()?.account != null
  const shown = shownPoints(points, texts, { account, isClient, may })
  const first = shown.find(({ state, mend }) => state === 'missing' && mend !== null)
  return (
    <ul aria-label={label} className="flex flex-col divide-y">
      {shown.map((each) => (
        <PointRow key={each.name} shown={each} isFirst={each === first} />
      ))}
    </ul>
  )
}

function PointRow({ shown: { name, state, effect, mend }, isFirst }: { shown: ShownPoint; isFirst: boolean }) {
  const texts = useChecklistTexts()
  const { icon: Icon, look } = LOOKS[state]
  const spoken = { done: texts.done, missing: texts.missing, advised: texts.advice }[state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0 last:pb-0">
      <span className={classes('grid size-6 shrink-0 place-items-center rounded-full', look)}>
        <Icon aria-hidden className="size-3.5" />
      </span>
      <span className="min-w-0 grow basis-52">
        <span className="sr-only">{spoken} </span>
        <span className={state === 'done' ? 'text-muted' : 'font-medium'}>{name}</span>
        {state !== 'done' && <span className="block text-sm text-muted [overflow-wrap:anywhere]">{effect}</span>}
      </span>
      {state !== 'done' && mend !== null && (
        <LinkButton
          size="small"
          kind={isFirst ? 'primary' : 'secondary'}
          to={mend.to}
          {...(mend.search !== undefined && { search: mend.search })}
        >
          {mend.label}
        </LinkButton>
      )}
    </li>
  )
}

/** What each channel needs, as `RCS: needs route, sender`. */
export function ChannelStates({ channels }: Pick<Checklist, 'channels'>) {
  const texts = useChecklistTexts()
  const { language } = usePreferences()
  const isClient = useMe()?.account != null
  return (
    <ul aria-label={texts.channels} className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
      {channels.map(({ channel, ready, lacks }) => (
        <li key={channel} className="flex min-w-0 items-center gap-1.5">
          <Badge tone={ready ? 'good' : 'plain'} dot>
            {channelName(channel, language)}
          </Badge>
          <span className="text-muted">
            {ready ? texts.ready : texts.lacks(lacksOf(lacks, texts, isClient).join(', '))}
          </span>
        </li>
      ))}
    </ul>
  )
}
