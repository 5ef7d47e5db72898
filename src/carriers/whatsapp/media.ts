/** A file that Meta fetches from its address. Its kind is told by the address, as far as that has a known ending. */

export type MediaKind = 'image' | 'video' | 'document'

/** What WhatsApp shows of each kind. */
const ENDINGS: Readonly<Record<MediaKind, RegExp>> = {
  image: /\.(?:jpe?g|png|webp|gif)$/,
  video: /\.(?:mp4|3gpp?)$/,
  document: /\.(?:pdf|txt|csv|docx?|xlsx?|pptx?)$/,
}

const LONGEST_NAME = 240

/** Null when the address does not tell. */
export function mediaKindOf(address: string): MediaKind | null {
  const path = URL.parse(address)?.pathname.toLowerCase() ?? ''
  if (ENDINGS.video.test(path)) return 'video'
  if (ENDINGS.document.test(path)) return 'document'
  return ENDINGS.image.test(path) ? 'image' : null
}

/** `{"type": "document", "document": {"link": …, "filename": …}}`; a document without a name is shown as untitled. */
export function writeMedia(kind: MediaKind, address: string, caption?: string): object {
  const filename = kind === 'document' ? nameIn(address) : undefined
  return { type: kind, [kind]: { link: address, caption, filename } }
}

function nameIn(address: string): string | undefined {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // Not percent-encoded as it should be: the name stays as it is.
  }
  return name === '' ? undefined : name.slice(0, LONGEST_NAME).toWellFormed()
}
