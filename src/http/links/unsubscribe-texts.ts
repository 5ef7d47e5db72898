/** The texts of the unsubscribe page in its languages, and the choice of one for a visitor. */

export interface PageTexts {
  /** Language tag of the page. */
  readonly language: string
  readonly title: string
  /** What follows the name of the sender. */
  readonly question: string
  readonly confirm: string
  readonly done: string
  /** Under `done`. */
  readonly doneNote: string
  readonly undo: string
  readonly notFound: string
  readonly expired: string
  readonly refused: string
  readonly busy: string
}

const ENGLISH: PageTexts = {
  language: 'en',
  title: 'Unsubscribe',
  question: 'Do you want to stop getting messages from this sender?',
  confirm: 'Unsubscribe',
  done: 'You are unsubscribed',
  doneNote: 'You get no more messages from this sender.',
  undo: 'Subscribe again',
  notFound: 'This link does not exist.',
  expired: 'This link has expired.',
  refused: 'This request cannot be used. Open the link of the message again.',
  busy: 'This does not work at the moment. Try again later.',
}

const LANGUAGES: readonly PageTexts[] = [
  ENGLISH,
  {
    language: 'de',
    title: 'Abbestellen',
    question: 'Möchten Sie keine Nachrichten mehr von diesem Absender erhalten?',
    confirm: 'Abbestellen',
    done: 'Sie sind abgemeldet',
    doneNote: 'Sie erhalten keine Nachrichten mehr von diesem Absender.',
    undo: 'Wieder anmelden',
    notFound: 'Diesen Link gibt es nicht.',
    expired: 'Dieser Link ist abgelaufen.',
    refused: 'Diese Anfrage ist ungültig. Öffnen Sie den Link der Nachricht noch einmal.',
    busy: 'Das geht im Augenblick nicht. Versuchen Sie es später noch einmal.',
  },
  {
    language: 'fr',
    title: 'Désabonnement',
    question: 'Voulez-vous ne plus recevoir de messages de cet expéditeur ?',
    confirm: 'Me désabonner',
    done: 'Vous êtes désabonné',
    doneNote: 'Vous ne recevrez plus de messages de cet expéditeur.',
    undo: 'Me réabonner',
    notFound: 'Ce lien n’existe pas.',
    expired: 'Ce lien a expiré.',
    refused: 'Cette demande n’est pas valable. Ouvrez de nouveau le lien du message.',
    busy: 'Cela ne fonctionne pas pour le moment. Réessayez plus tard.',
  },
  {
    language: 'es',
    title: 'Darse de baja',
    question: '¿Quiere dejar de recibir mensajes de este remitente?',
    confirm: 'Darme de baja',
    done: 'Se ha dado de baja',
    doneNote: 'Ya no recibirá mensajes de este remitente.',
    undo: 'Volver a suscribirme',
    notFound: 'Este enlace no existe.',
    expired: 'Este enlace ha caducado.',
    refused: 'Esta solicitud no es válida. Abra de nuevo el enlace del mensaje.',
    busy: 'Ahora no es posible. Inténtelo más tarde.',
  },
]

/** Longer lists of languages are read up to here. */
const MAX_RANGES = 20
const MAX_CHARACTERS = 256

/** `accepted` is the header Accept-Language. English if none of its languages is there. */
export function textsFor(accepted = ''): PageTexts {
  const ranges = accepted
    .slice(0, MAX_CHARACTERS)
    .split(',', MAX_RANGES)
    .map((range) => {
      const [tag = '', weight = 'q=1'] = range.split(';').map((piece) => piece.trim())
      const quality = weight.startsWith('q=') ? Number(weight.slice(2)) : 0
      return { language: tag.toLowerCase().split('-')[0], quality }
    })
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  const found = wanted.map(({ language }) => LANGUAGES.find((texts) => texts.language === language))
  return found.find((texts) => texts !== undefined) ?? ENGLISH
}
