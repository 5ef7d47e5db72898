/** The message as a phone shows it. Images are named instead of loaded: the console asks no other host. */
import { ExternalLink, Image as ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useComposeTexts } from './compose-texts.ts'
import { type ComposedChannel, type Draft, repliesOf, textOf } from './draft.ts'

interface PhonePreviewProps {
  readonly draft: Draft
  readonly channel: ComposedChannel
}

export function PhonePreview({ draft, channel }: PhonePreviewProps) {
  const texts = useComposeTexts()
  const name = texts.channelNames[channel]
  return (
    <figure className="mx-auto w-full max-w-72 rounded-3xl border bg-sunken p-3">
      <figcaption className="mb-3 border-b pb-2 text-center">
        <span className="sr-only">{texts.phonePreview(name)}: </span>
        <span className="font-medium">{draft.senders[channel] || '–'}</span>
        <span className="block text-xs text-muted">{name}</span>
      </figcaption>
      <div className="flex min-h-72 flex-col items-start gap-2">
        {channel === 'sms' || draft.contents === 'text' ? (
          <Bubble>
            <Words text={textOf(draft, channel)} />
          </Bubble>
        ) : (
          <RichBubble draft={draft} channel={channel} />
        )}
      </div>
    </figure>
  )
}

function RichBubble({ draft, channel }: PhonePreviewProps) {
  const { contents, image, link, button, title } = draft
  // The chat app has no text with an image and no link.
  const hasPicture = image.trim() !== '' && (contents === 'card' || channel === 'rcs' || link.trim() !== '')
  const caption = button.trim() || (contents === 'card' ? link.trim() : '')
  return (
    <>
      <Bubble>
        {hasPicture && <Picture address={image.trim()} />}
        {contents === 'card' && title.trim() !== '' && <p className="px-3 pt-2 font-semibold">{title}</p>}
        <Words text={textOf(draft, channel)} />
        {link.trim() !== '' && caption !== '' && (
          <p className="flex items-center justify-center gap-1.5 border-t px-3 py-2 font-medium text-accent-ink">
            <ExternalLink aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate">{caption}</span>
          </p>
        )}
      </Bubble>
      {contents === 'card' && (
        <div className="flex flex-wrap gap-1.5">
          {repliesOf(draft).map((reply) => (
            <span
              key={reply}
              className="max-w-full truncate rounded-full border border-accent-ink px-3 py-1 text-accent-ink"
            >
              {reply}
            </span>
          ))}
        </div>
      )}
    </>
  )
}

function Bubble({ children }: { readonly children: ReactNode }) {
  return <div className="w-fit max-w-full min-w-24 overflow-hidden rounded-2xl border bg-surface">{children}</div>
}

function Words({ text }: { readonly text: string }) {
  const texts = useComposeTexts()
  return (
    <p className="px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {text === '' ? <span className="text-muted">{texts.noText}</span> : text}
    </p>
  )
}

function Picture({ address }: { readonly address: string }) {
  const texts = useComposeTexts()
  const host = URL.canParse(address) ? new URL(address).host : address
  return (
    <div className="grid h-32 w-64 max-w-full place-items-center bg-hover px-3 text-center text-sm text-muted">
      <span className="flex max-w-full flex-col items-center gap-1">
        <ImageIcon aria-hidden className="size-6" />
        <span className="max-w-full truncate">{texts.imageOf(host)}</span>
      </span>
    </div>
  )
}
