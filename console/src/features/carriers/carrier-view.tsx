/** What several pages show of a carrier: its state, its rate, its texts. */
import type { AnswerOf } from '../../api/api.ts'
import { Badge } from '../../parts/badge.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/texts.ts'
import { CARRIERS_DE } from './texts-de.ts'
import { CARRIERS_EN } from './texts-en.ts'

export type Carrier = AnswerOf<'GET', '/carriers'>['data'][number]
export type LiveState = NonNullable<Carrier['state']>

export function useCarrierTexts() {
  return useTexts<typeof CARRIERS_EN>({ en: CARRIERS_EN, de: CARRIERS_DE })
}

export function CarrierBadge({ carrier }: { readonly carrier: Pick<Carrier, 'draining' | 'state'> }) {
  const texts = useCarrierTexts()
  const { draining, state } = carrier
  if (draining) return <Badge tone="warn">{texts.draining}</Badge>
  if (state === null) return <Badge>{texts.notRunning}</Badge>
  const [tone, text] = !state.up
    ? (['bad', texts.down] as const)
    : state.degraded !== null
      ? (['warn', texts.degraded] as const)
      : (['good', texts.up] as const)
  return (
    <Badge dot tone={tone}>
      {text}
    </Badge>
  )
}

/** The breaker in words; what the gateway calls it if it is unknown. */
export function breakerName(breaker: string, texts: typeof CARRIERS_EN): string {
  return (texts.breakers as Readonly<Record<string, string>>)[breaker] ?? breaker
}

/** Parts per second, and the limit if there is one. */
export function CarrierRate({ state }: { readonly state: LiveState | null }) {
  const formats = useFormats()
  const texts = useCarrierTexts()
  if (state === null) return <>–</>
  const { rate, throughput } = state
  const text =
    throughput === null ? formats.number(rate) : texts.ofLimit(formats.number(rate), formats.number(throughput))
  return <span className="tabular-nums">{text}</span>
}
