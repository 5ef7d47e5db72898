/** A file that Meta fetches from its address. The extension of the address determines its kind. */

export type MediaKind = 'image' | 'video' | 'document'

/** The extensions that WhatsApp shows, by kind. */
const ENDINGS: Readonly<Record<MediaKind, RegExp>> = {
  image: /\.(?:jpe?g|png|webp|gif)$/,
  video: /\.(?:mp4|3gpp?)$/,
  document: /\.(?:pdf|txt|csv|docx?|xlsx?|pptx?)$/,
}

const MAX_NAME = 240

/** Returns null if the extension is unknown. */
export function mediaKindOf(address: string): MediaKind | null {
  const path = URL.parse(address)?.pathname.toLowerCase() ?? ''
  if (ENDINGS.video.test(path)) return 'video'
  if (ENDINGS.document.test(path)) return 'document'
  return ENDINGS.image.test(path) ? 'image' : null
}

/** `{"type": "document", "document": {"link": …, "filename": …}}`; a document without a name is shown as untitled. */
export function writeMedia(kind: MediaKind, address: string, caption?: string, name = nameIn(address)): object {
  const filename = kind === 'document' ? name : undefined
  return { type: kind, [kind]: { link: address, caption, filename } }
}

function nameIn(address: string): string | undefined {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // Not percent-encoded: the name stays as it is.
  }
  return name === '' ? undefined : name.slice(0, MAX_NAME).toWellFormed()
}
