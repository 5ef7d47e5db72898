/** The message as a phone shows it. Images are named instead of loaded: the console asks no other host. */
import { ExternalLink, FileText, Image as ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import { type ComposedChannel, type Draft, repliesOf, textOf } from '../../features/compose/draft.ts'
import type { CardDraft } from '../../features/compose/rich-draft.ts'
import { factsOf, hasField } from '../../texts/channels.ts'

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
        <Contents draft={draft} channel={channel} />
      </div>
    </figure>
  )
}

function Contents({ draft, channel }: PhonePreviewProps) {
  const texts = useComposeTexts()
  const { contents, title, image, link, button, cards, file, fileName, caption } = draft
  const text = <Words text={textOf(draft, channel)} />
  if (!factsOf(channel).isRich) return <Bubble>{text}</Bubble>
  switch (contents) {
    case 'text':
      return <Bubble>{text}</Bubble>
    case 'image':
      // The chat app has no text with an image and no link.
      return (
        <Bubble>
          {image.trim() !== '' && (!hasField(channel, 'type') || link.trim() !== '') && (
            <Picture address={image.trim()} />
          )}
          {text}
          <Opening link={link} caption={button.trim()} />
        </Bubble>
      )
    case 'suggestions':
      return (
        <>
          <Bubble>{text}</Bubble>
          <Chips draft={draft} withLink />
        </>
      )
    case 'card':
      return (
        <>
          <CardBubble card={{ title, text: draft.text, image, link, button }} />
          <Chips draft={draft} />
        </>
      )
    case 'carousel':
      return (
        <section
          aria-label={texts.contentsChoices.carousel}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          className="flex max-w-full gap-2 overflow-x-auto pb-1"
        >
          {cards.map((card, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards are known by their places
            <CardBubble key={index} card={card} narrow />
          ))}
        </section>
      )
    case 'file':
      return (
        <Bubble>
          <p className="flex items-center gap-2 px-3 py-2">
            <FileText aria-hidden className="size-5 shrink-0 text-muted" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{fileName.trim() || nameIn(file)}</span>
          </p>
          {caption.trim() !== '' && <Words text={caption} />}
        </Bubble>
      )
  }
}

function CardBubble({ card, narrow = false }: { readonly card: CardDraft; readonly narrow?: boolean }) {
  const { title, text, image, link, button } = card
  return (
    <Bubble narrow={narrow}>
      {image.trim() !== '' && <Picture address={image.trim()} />}
      {title.trim() !== '' && <p className="px-3 pt-2 font-semibold [overflow-wrap:anywhere]">{title}</p>}
      {(text !== '' || title.trim() === '') && <Words text={text} />}
      <Opening link={link} caption={button.trim() || link.trim()} />
    </Bubble>
  )
}

function Opening({ link, caption }: { readonly link: string; readonly caption: string }) {
  if (link.trim() === '' || caption === '') return null
  return (
    <p className="flex items-center justify-center gap-1.5 border-t px-3 py-2 font-medium text-accent-ink">
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{caption}</span>
    </p>
  )
}

function Chips({ draft, withLink = false }: { readonly draft: Draft; readonly withLink?: boolean }) {
  const link = draft.link.trim()
  const captions = [...repliesOf(draft), ...(withLink && link !== '' ? [draft.button.trim() || link] : [])]
  return (
    <div className="flex flex-wrap gap-1.5">
      {captions.map((caption) => (
        <span
          key={caption}
          className="max-w-full truncate rounded-full border border-accent-ink px-3 py-1 text-accent-ink"
        >
          {caption}
        </span>
      ))}
    </div>
  )
}

function Bubble({ narrow = false, children }: { readonly narrow?: boolean; readonly children: ReactNode }) {
  const width = narrow ? 'w-44 shrink-0' : 'w-fit max-w-full min-w-24'
  return <div className={`${width} overflow-hidden rounded-2xl border bg-surface`}>{children}</div>
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

function nameIn(address: string): string {
  return address.trim().split(/[?#]/)[0]?.split('/').at(-1) || '–'
}
