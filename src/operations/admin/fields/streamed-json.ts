/**
 * A large answer as pieces of JSON text. Each piece is built when the reader has taken the previous one, so exports of
 * any length use the memory of one piece and never block the event loop for long.
 */

/** Characters per piece; a single element may exceed it. */
export const PIECE_CHARACTERS = 64 * 1024

export class StreamedJson {
  readonly pieces: Iterable<string>

  /** `members` of one JSON object: JSON values; iterables become arrays, a TextPieces a string. */
  constructor(members: Readonly<Record<string, unknown>>) {
    this.pieces = joined(writeMembers(members))
  }

  /** Returns the whole value, for readers in the same process. */
  value(): unknown {
    return JSON.parse([...this.pieces].join(''))
  }
}

/** A long text in pieces. */
export class TextPieces {
  readonly pieces: Iterable<string>

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces
  }
}

/** Joins small pieces into larger ones. */
function* joined(pieces: Iterable<string>): Iterable<string> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < PIECE_CHARACTERS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function* writeMembers(members: Readonly<Record<string, unknown>>): Iterable<string> {
  let before = '{'
  for (const [name, value] of Object.entries(members)) {
    yield `${before}${JSON.stringify(name)}:`
    yield* writeValue(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* writeValue(value: unknown): Iterable<string> {
  if (value instanceof TextPieces) {
    yield '"'
    for (const piece of value.pieces) yield JSON.stringify(piece).slice(1, -1)
    yield '"'
  } else if (isIterable(value)) {
    let before = '['
    for (const each of value) {
      yield `${before}${JSON.stringify(each)}`
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else {
    yield JSON.stringify(value)
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
