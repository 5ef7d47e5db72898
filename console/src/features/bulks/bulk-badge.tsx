/** The state of a bulk. */
import type { AnswerOf } from '../../api/api.ts'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { useBulkTexts } from './bulk-texts.ts'

type State = AnswerOf<'GET', '/bulks'>['data'][number]['state']

const TONES: Readonly<Record<State, BadgeTone>> = {
  uploading: 'plain',
  ready: 'info',
  running: 'info',
  paused: 'warn',
  stopped: 'bad',
  finished: 'good',
}

export function BulkBadge({ state, test }: { readonly state: State; readonly test: boolean }) {
  const texts = useBulkTexts()
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge dot tone={TONES[state]}>
        {texts.states[state]}
      </Badge>
      {test && <Badge>{texts.test}</Badge>}
    </span>
  )
}
