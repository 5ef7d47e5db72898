/** Where the message would go and for how much: errors, guards, and each channel with carrier, parts and price. */

import type { AnswerOf } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import type { ComposedChannel } from '../../features/compose/draft.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { Badge } from '../../parts/badge.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Money } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'

export type Preview = AnswerOf<'POST', '/accounts/{account}/messages/preview'>
type Trial = NonNullable<Preview['trial']>
type TriedChannel = Trial['channels'][number]

export function TrialSummary({ preview }: { readonly preview: Preview | undefined }) {
  const texts = useComposeTexts()
  const isClient = useMe()?.account != null
  if (preview === undefined) return <p className="text-muted">{isClient ? texts.ofClients.nothing : texts.nothing}</p>
  const { error, warnings, trial } = preview
  return (
    <div className="flex flex-col gap-4">
      {error !== null && (
        <Notice kind="warn">
          <span className="font-medium">{texts.refused}:</span> {gatewayText(error)}
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} kind="warn">
          {gatewayText(warning)}
        </Notice>
      ))}
      {trial !== null && <TrialResult trial={trial} />}
    </div>
  )
}

function TrialResult({ trial }: { readonly trial: Trial }) {
  const texts = useComposeTexts()
  const { guards, channels, price, currency, phone, country, operator, mccmnc } = trial
  const number = [phone, country, operatorText(mccmnc, operator)].filter((each) => each !== null)
  return (
    <>
      {guards.map(({ guard, effect, channel, detail }) => (
        <Notice key={`${guard} ${channel} ${detail}`} kind="warn">
          <span className="font-medium">{texts.effects[effect]}:</span> {gatewayText(detail)}
        </Notice>
      ))}
      <dl className="grid grid-cols-2 gap-3">
        <div>
          <dt className="text-sm text-muted">{texts.price}</dt>
          <dd className="text-xl font-semibold">
            {price === null ? texts.noMoney : <Money as="price" amount={price} currency={currency} />}
          </dd>
          <dd className="text-sm text-muted">{texts.priceHint}</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">{texts.to}</dt>
          <dd className="[overflow-wrap:anywhere]">{number.join(' · ')}</dd>
        </div>
      </dl>
      <ol className="flex flex-col divide-y border-t">
        {channels.map((channel) => (
          <ChannelRow key={channel.channel} row={channel} currency={currency} />
        ))}
      </ol>
    </>
  )
}

function ChannelRow({ row, currency }: { readonly row: TriedChannel; readonly currency: string }) {
  const texts = useComposeTexts()
  const { channel, sender, has_route: hasRoute, refused, waits, parts, encoding, ucs2_for, price } = row
  const isBad = refused !== null || !hasRoute
  const size = [
    ...(parts === null ? [] : [texts.parts(parts)]),
    ...(encoding === null ? [] : [texts.encodings[encoding]]),
    ...(sender === null ? [] : [sender]),
  ]
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2">
          <Badge dot tone={isBad ? 'bad' : 'good'}>
            {texts.channelNames[channel as ComposedChannel] ?? channel}
          </Badge>
          <span className="min-w-0 [overflow-wrap:anywhere]">{goesOf(row, texts)}</span>
        </span>
        {price !== null && <Money as="price" amount={price} currency={currency} />}
      </div>
      <p className="text-sm text-muted">{[...size, ...(waits ? [texts.waits] : [])].join(' · ')}</p>
      {ucs2_for !== null && ucs2_for.length > 0 && (
        <Notice kind="warn">{texts.ucs2(ucs2_for.map((each) => `“${each}”`).join(' '))}</Notice>
      )}
    </li>
  )
}

/** Users of an account get no carriers. */
function goesOf(
  { refused, has_route: hasRoute, no_carrier: noCarrier, carrier }: TriedChannel,
  texts: ReturnType<typeof useComposeTexts>,
): string {
  if (refused !== null) return gatewayText(refused)
  if (!hasRoute) return noCarrier === null ? texts.noCarrier : gatewayText(noCarrier)
  return carrier == null ? '' : texts.goesTo(carrier.startsWith('@') ? texts.simulator : carrier)
}
