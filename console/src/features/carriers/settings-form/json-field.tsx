/** A setting that is typed as JSON: any value that has no form of its own. */
import { type ReactNode, useState } from 'react'
import { TextArea } from '../../../parts/form/field.tsx'
import { lineOfFault } from '../../../parts/json-fault.ts'
import { useFormTexts } from './form-texts.ts'
import { isObject as isJsonObject } from './setting-schema.ts'

interface JsonFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: ReactNode
  readonly error: string | undefined
  readonly optional: boolean
  /** Nothing but an object will do. */
  readonly isObject?: boolean
  readonly value: unknown
  readonly onValue: (value: unknown) => void
}

export function JsonField({ value, onValue, error, isObject = false, ...frame }: JsonFieldProps) {
  const texts = useFormTexts()
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const faultOf = (read: Read) => {
    if (read === 'wrong') return texts.notJson(lineOfFault(text))
    return isObject && !isJsonObject(read.value) ? texts.notObject : null
  }
  const fault = faultOf(readJson(text))
  return (
    <TextArea
      {...frame}
      code
      rows={Math.min(12, Math.max(3, text.split('\n').length))}
      spellCheck={false}
      value={text}
      error={fault ?? error}
      ref={(area) => {
        area?.setCustomValidity(fault ?? '')
      }}
      onValue={(next) => {
        setText(next)
        const read = readJson(next)
        if (read !== 'wrong' && faultOf(read) === null) onValue(read.value)
      }}
    />
  )
}

type Read = { readonly value: unknown } | 'wrong'

function readJson(text: string): Read {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return 'wrong'
  }
}
