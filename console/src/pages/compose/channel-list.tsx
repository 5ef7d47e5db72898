/** The channels of the message in their order, each with its sender. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { IconButton } from '../../parts/button.tsx'
import { useComposeTexts } from './compose-texts.ts'
import { CHANNELS, type ComposedChannel, type Draft } from './draft.ts'
import type { useSenders } from './senders.ts'

interface ChannelListProps {
  readonly draft: Draft
  readonly senders: ReturnType<typeof useSenders>
  readonly change: (values: Partial<Draft>) => void
}

export function ChannelList({ draft, senders, change }: ChannelListProps) {
  const texts = useComposeTexts()
  const { channels } = draft
  const others = CHANNELS.filter((channel) => !channels.includes(channel))
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{texts.channels}</legend>
      <ul className="flex flex-col divide-y rounded-md border">
        {[...channels, ...others].map((channel) => (
          <ChannelRow key={channel} {...{ channel, draft, change }} names={senders[channel]} />
        ))}
      </ul>
    </fieldset>
  )
}

interface ChannelRowProps {
  readonly channel: ComposedChannel
  readonly draft: Draft
  readonly names: readonly string[]
  readonly change: (values: Partial<Draft>) => void
}

function ChannelRow({ channel, draft, names, change }: ChannelRowProps) {
  const texts = useComposeTexts()
  const { channels } = draft
  const place = channels.indexOf(channel)
  const isUsed = place !== -1
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
          disabled={isUsed && channels.length === 1}
          onChange={toggle}
          className="size-4 accent-accent"
        />
        {name}
      </label>
      {isUsed && (
        <>
          <select
            aria-label={texts.sender(name)}
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
          <span className="flex max-sm:ml-auto">
            <IconButton label={texts.up(name)} icon={ArrowUp} disabled={place === 0} onClick={() => move(-1)} />
            <IconButton
              label={texts.down(name)}
              icon={ArrowDown}
              disabled={place === channels.length - 1}
              onClick={() => move(1)}
            />
          </span>
        </>
      )}
    </li>
  )
}
