/** The cards of a carousel. */
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { useComposeTexts } from './compose-texts.ts'
import { type CardDraft, EMPTY_CARD, MAX_CARDS, MIN_CARDS } from './rich-draft.ts'

interface CardFieldsProps {
  readonly cards: readonly CardDraft[]
  readonly onCards: (cards: readonly CardDraft[]) => void
}

export function CardFields({ cards, onCards }: CardFieldsProps) {
  const texts = useComposeTexts()
  return (
    <div className="flex flex-col gap-4">
      {cards.map((card, index) => (
        <OneCard
          // biome-ignore lint/suspicious/noArrayIndexKey: cards are known by their places
          key={index}
          name={texts.card(index + 1)}
          card={card}
          onCard={(changed) => onCards(cards.with(index, changed))}
          remove={cards.length > MIN_CARDS ? () => onCards(cards.toSpliced(index, 1)) : null}
        />
      ))}
      {cards.length < MAX_CARDS && (
        <div>
          <Button size="small" icon={Plus} onClick={() => onCards([...cards, EMPTY_CARD])}>
            {texts.addCard}
          </Button>
        </div>
      )}
    </div>
  )
}

interface OneCardProps {
  readonly name: string
  readonly card: CardDraft
  readonly onCard: (card: CardDraft) => void
  readonly remove: (() => void) | null
}

function OneCard({ name, card, onCard, remove }: OneCardProps) {
  const texts = useComposeTexts()
  const bind = (field: keyof CardDraft) => ({
    name: field,
    value: card[field],
    onValue: (value: string) => onCard({ ...card, [field]: value }),
  })
  return (
    <fieldset className="min-w-0 rounded-md border px-3 pb-3">
      <legend className="px-1 text-sm font-medium">{name}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField {...bind('title')} label={texts.cardTitle} optional />
        <TextField {...bind('text')} label={texts.cardText} optional />
        <TextField {...bind('image')} label={texts.image} inputMode="url" optional />
        <TextField {...bind('link')} label={texts.link} inputMode="url" optional />
        <TextField {...bind('button')} label={texts.button} maxLength={25} optional />
      </div>
      {remove !== null && (
        <Button kind="plain" size="small" icon={Trash2} className="mt-2" onClick={remove}>
          {texts.removeCard(name)}
        </Button>
      )}
    </fieldset>
  )
}
