/** The settings of a carrier as a form made from their schema, or as JSON: both edit the same object. */
import { useState } from 'react'
import { useApi } from '../../../api/queries.ts'
import { Button } from '../../../parts/button.tsx'
import { Loading } from '../../../parts/page/states.tsx'
import { useFormTexts } from './form-texts.ts'
import { JsonField } from './json-field.tsx'
import { asObject, type Json, type SettingSchema } from './setting-schema.ts'
import { SettingsFields } from './settings-fields.tsx'

interface SettingsEditorProps {
  readonly kind: string
  readonly label: string
  readonly value: Json
  readonly onValue: (value: Json) => void
  /** Errors by path, such as `tls.ca`. */
  readonly errors: ReadonlyMap<string, string>
}

export function SettingsEditor({ kind, label, value, onValue, errors }: SettingsEditorProps) {
  const texts = useFormTexts()
  const [isJson, setJson] = useState(false)
  const { data } = useApi('/carrier-kinds')
  const schema = data?.data.find((each) => each.kind === kind)?.settings as SettingSchema | undefined
  if (schema === undefined) return <Loading />
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex items-center gap-2">
        <legend className="sr-only">{texts.show}</legend>
        <Button aria-pressed={!isJson} kind={isJson ? 'secondary' : 'primary'} onClick={() => setJson(false)}>
          {texts.asForm}
        </Button>
        <Button aria-pressed={isJson} kind={isJson ? 'primary' : 'secondary'} onClick={() => setJson(true)}>
          {texts.asJson}
        </Button>
      </fieldset>
      {isJson ? (
        <JsonField
          name="settings"
          label={label}
          error={errors.size === 0 ? undefined : [...errors].map(([path, rule]) => `${path}: ${rule}`).join('; ')}
          optional={false}
          isObject
          value={value}
          onValue={(next) => onValue(asObject(next))}
        />
      ) : (
        <SettingsFields key={kind} schema={schema} value={value} onValue={onValue} errors={errors} />
      )}
    </div>
  )
}
