/** The channels of the message in their order, each with its sender and how long it waits. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMay } from '../../api/me.ts'
import { IconButton } from '../../parts/button.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { MESSAGE_CHANNELS } from '../../texts/channels.ts'
import { useFormats } from '../../texts/formats.ts'
import { useComposeTexts } from './compose-texts.ts'
import type { ComposedChannel, Draft } from './draft.ts'
import type { SendChoices } from './problems.ts'
import { type Senders, TEST_SENDER } from './senders.ts'

interface ChannelListProps {
  readonly account: number | null
  readonly draft: Draft
  readonly senders: Senders
  /** Undefined until they are read. */
  readonly choices: SendChoices | undefined
  readonly change: (values: Partial<Draft>) => void
}

export function ChannelList(props: ChannelListProps) {
  const texts = useComposeTexts()
  const { channels } = props.draft
  const others = MESSAGE_CHANNELS.filter((channel) => !channels.includes(channel))
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{texts.channels}</legend>
      <ul className="flex flex-col divide-y rounded-md border">
        {[...channels, ...others].map((channel) => (
          <ChannelRow key={channel} {...props} channel={channel} />
        ))}
      </ul>
    </fieldset>
  )
}

type ChannelRowProps = ChannelListProps & { readonly channel: ComposedChannel }

function ChannelRow(props: ChannelRowProps) {
  const { channel, draft, senders, change } = props
  const texts = useComposeTexts()
  const { channels } = draft
  const place = channels.indexOf(channel)
  const isUsed = place !== -1
  const isWithout = senders.isKnown && senders[channel].length === 0
  const name = texts.channelNames[channel]
  const toggle = () =>
    change({ channels: isUsed ? channels.filter((each) => each !== channel) : [...channels, channel] })
  const move = (by: number) => {
    const rest = channels.filter((each) => each !== channel)
    change({ channels: rest.toSpliced(place + by, 0, channel) })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
      <label className="flex min-w-28 items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          aria-label={texts.use(name)}
          checked={isUsed}
          disabled={isWithout || (isUsed && channels.length === 1)}
          onChange={toggle}
          className="size-4 accent-accent"
        />
        {name}
      </label>
      {isWithout && <NoSender account={props.account} />}
      {isUsed && (
        <>
          <SenderSelect {...props} />
          <span className="flex max-sm:ml-auto">
            <IconButton label={texts.up(name)} icon={ArrowUp} disabled={place === 0} onClick={() => move(-1)} />
            <IconButton
              label={texts.down(name)}
              icon={ArrowDown}
              disabled={place === channels.length - 1}
              onClick={() => move(1)}
            />
          </span>
          <Notes {...props} place={place} />
        </>
      )}
    </li>
  )
}

function SenderSelect({ channel, draft, senders, change }: ChannelRowProps) {
  const texts = useComposeTexts()
  const names = senders[channel]
  return (
    <select
      aria-label={texts.sender(texts.channelNames[channel])}
      value={draft.senders[channel]}
      onChange={(event) => change({ senders: { ...draft.senders, [channel]: event.target.value } })}
      className="input-box w-auto max-w-full min-w-0 grow basis-32 max-sm:order-last max-sm:basis-full"
    >
      {names.length === 0 && <option value="">–</option>}
      {names.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

function NoSender({ account }: { readonly account: number | null }) {
  const texts = useComposeTexts()
  const hasPage = useHasPage()
  const mayApprove = useMay()('approveSender')
  return (
    <span className="text-sm text-muted">
      {texts.noSender}
      {hasPage('/accounts/$account') && account !== null && (
        <>
          {' · '}
          <TextLink to={`/accounts/${account}`} search={{ tab: 'senders' }} className="underline">
            {mayApprove ? texts.toSenders : texts.ofClients.toSenders}
          </TextLink>
        </>
      )}
    </span>
  )
}

/** How long the channel waits before the next one, and whether only test messages can have its sender. */
function Notes({ channel, draft, senders, choices, place }: ChannelRowProps & { readonly place: number }) {
  const texts = useComposeTexts()
  const formats = useFormats()
  const { channels, lifetime } = draft
  const usual = choices?.lifetimes.find((each) => each.channel === channel)?.chain_seconds
  const isOwn = place === 0 && /^\d+$/.test(lifetime) && Number(lifetime) >= (choices?.lifetime_min_seconds ?? 0)
  const own = isOwn ? Number(lifetime) : null
  const isLast = place === channels.length - 1
  const notes = [
    ...(isLast || usual === undefined
      ? []
      : [own === null ? texts.waitsUsually(formats.duration(usual)) : texts.waitsFor(formats.duration(own))]),
    ...(senders.isKnown && senders[channel].every((each) => each === TEST_SENDER) ? [texts.testSenderOnly] : []),
  ]
  if (notes.length === 0) return null
  return <p className="basis-full text-sm text-muted">{notes.join(' · ')}</p>
}
