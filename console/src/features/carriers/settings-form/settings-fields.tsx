/** The fields of a carrier's settings, made from their schema: required ones first, the others folded below. */
import type { ReactNode } from 'react'
import { Checkbox, FieldGroup, SelectField, TextArea, TextField } from '../../../parts/form/field.tsx'
import { useFormTexts } from './form-texts.ts'
import { JsonField } from './json-field.tsx'
import { MapField } from './map-field.tsx'
import { asObject, type Json, kindNameOf, kindOf, type SettingSchema, withMember, wordsOf } from './setting-schema.ts'

interface SettingsFieldsProps {
  readonly schema: SettingSchema
  readonly value: Json
  readonly onValue: (value: Json) => void
  /** Errors by path, such as `tls.ca`. */
  readonly errors: ReadonlyMap<string, string>
  /** The path of this object, with a dot at its end; empty for all settings. */
  readonly path?: string
}

export function SettingsFields({ schema, value, onValue, errors, path = '' }: SettingsFieldsProps) {
  const texts = useFormTexts()
  const { properties = {}, required = [] } = schema
  const members = Object.entries(properties).filter(
    ([name]) => name !== 'kind' || properties['kind']?.const === undefined,
  )
  const isWrong = (name: string) => [...errors.keys()].some((wrong) => `${wrong}.`.startsWith(`${path}${name}.`))
  const further = members.filter(([name]) => !required.includes(name))
  const isSet = further.some(([name]) => name in value || isWrong(name))
  const field = ([name, member]: readonly [string, SettingSchema]) => (
    <SettingField
      key={name}
      name={name}
      path={`${path}${name}`}
      schema={member}
      isRequired={required.includes(name)}
      value={value[name]}
      onValue={(next) => onValue(withMember(value, name, next))}
      errors={errors}
    />
  )
  const wanted = members.filter(([name]) => required.includes(name))
  if (wanted.length === 0) return <div className="flex flex-col gap-4">{further.map(field)}</div>
  return (
    <div className="flex flex-col gap-4">
      {wanted.map(field)}
      {further.length > 0 && (
        <details open={isSet || undefined}>
          <summary className="cursor-pointer font-medium text-accent-text">{texts.further}</summary>
          <div className="mt-3 flex flex-col gap-4">{further.map(field)}</div>
        </details>
      )}
    </div>
  )
}

/** What the admin API writes for a stored secret, and reads as that secret. */
const KEPT = '<kept>'

interface SettingFieldProps {
  readonly name: string
  /** Its place among the settings: `tls.ca`. */
  readonly path: string
  readonly schema: SettingSchema
  readonly isRequired: boolean
  readonly value: unknown
  /** Undefined removes it. */
  readonly onValue: (value: unknown) => void
  /** By path. */
  readonly errors: ReadonlyMap<string, string>
}

function SettingField(props: SettingFieldProps) {
  const { name, path, schema, isRequired, value, onValue, errors } = props
  const texts = useFormTexts()
  const kind = hasLineBreaks(value) ? 'json' : kindOf(schema)
  const inside = [...errors].find(([wrong]) => wrong.startsWith(`${path}.`))?.[1]
  const frame = {
    name: path,
    label: schema.unit === undefined || schema.unit === name ? wordsOf(name) : `${wordsOf(name)}, ${schema.unit}`,
    hint: <Description schema={schema} />,
    error: errors.get(path) ?? (Array.isArray(value) ? inside : undefined),
    optional: !isRequired,
  }
  const written = value === undefined || value === KEPT ? '' : String(value)
  const placeholder = value === KEPT ? texts.stored : placeholderOf(schema)
  switch (kind) {
    case 'choice':
      return (
        <SelectField
          {...frame}
          value={written}
          onValue={(chosen) => onValue(chosen === '' ? undefined : chosen)}
          choices={(schema.enum ?? []).map((each) => ({ value: each, label: each }))}
          none={schema.default === undefined ? '' : texts.byDefault(String(schema.default))}
        />
      )
    case 'flag':
      return (
        <Checkbox
          {...frame}
          value={(value ?? schema.default) === true}
          onValue={(checked) => onValue(checked === schema.default ? undefined : checked)}
        />
      )
    case 'number':
      return (
        <TextField
          {...frame}
          inputMode="numeric"
          value={written}
          placeholder={placeholder}
          onValue={(text) => onValue(readNumber(text))}
        />
      )
    case 'text':
      return (
        <TextField
          {...frame}
          value={written}
          placeholder={placeholder}
          onValue={(text) => onValue(text || undefined)}
        />
      )
    case 'secret':
    case 'block': {
      const change = (text: string) => onValue(text || (value === KEPT ? KEPT : undefined))
      const input = { ...frame, value: written, placeholder, onValue: change }
      if (kind === 'block') return <TextArea {...input} rows={3} code spellCheck={false} />
      return <TextField {...input} type="password" autoComplete="new-password" />
    }
    case 'lines':
      return <LinesField {...frame} value={value} onValue={onValue} />
    case 'map':
      return <MapField {...frame} schema={schema} value={value} onValue={onValue} errors={errors} />
    case 'group':
      return <GroupField {...props} label={frame.label} />
    case 'kinds':
      return <KindsField {...props} label={frame.label} />
    case 'json':
      return <JsonField {...frame} value={value} onValue={onValue} />
  }
}

/** Whether one text of a list has several lines, so that the list cannot be one of lines. */
function hasLineBreaks(value: unknown): boolean {
  return Array.isArray(value) && value.some((each) => String(each).includes('\n'))
}

/** Keeps what is no number, so that the gateway says what is wrong with it. */
function readNumber(text: string): unknown {
  if (text.trim() === '') return undefined
  return /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

function placeholderOf({ default: usual }: SettingSchema): string | undefined {
  return typeof usual === 'number' || typeof usual === 'string' ? String(usual) : undefined
}

/** Descriptions are written in English, with names in backticks. */
function Description({ schema: { description = '' } }: { readonly schema: SettingSchema }) {
  return (
    <span lang="en">
      {description.split('`').map((piece, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
        index % 2 === 0 ? piece : <code key={index}>{piece}</code>,
      )}
    </span>
  )
}

interface FrameProps {
  readonly label: string
  readonly hint: ReactNode
  readonly error: string | undefined
  readonly name: string
  readonly optional: boolean
}

interface LinesFieldProps extends FrameProps {
  readonly value: unknown
  readonly onValue: (value: unknown) => void
}

/** A list of texts, one on each line. */
function LinesField({ value, onValue, ...frame }: LinesFieldProps) {
  const lines = Array.isArray(value) ? value.map(String) : []
  return (
    <TextArea
      {...frame}
      rows={2}
      code
      value={lines.join('\n')}
      onValue={(text) => onValue(text === '' ? undefined : text.split('\n'))}
    />
  )
}

/** An object: one that may be missing although it would be empty is switched on by a box. */
function GroupField({
  path,
  schema,
  isRequired,
  value,
  onValue,
  errors,
  label,
}: SettingFieldProps & { label: string }) {
  const texts = useFormTexts()
  const isSwitched = !isRequired && schema.default === undefined
  const isOn = value !== undefined
  const change = (next: object) =>
    onValue(Object.keys(next).length === 0 && !isRequired && !isSwitched ? undefined : next)
  return (
    <FieldGroup label={label}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          <Description schema={schema} />
        </p>
        {isSwitched && (
          <Checkbox
            name={path}
            label={texts.use(label)}
            value={isOn}
            error={errors.get(path)}
            onValue={(checked) => onValue(checked ? {} : undefined)}
          />
        )}
        {(isOn || !isSwitched) && (
          <SettingsFields schema={schema} value={asObject(value)} onValue={change} errors={errors} path={`${path}.`} />
        )}
      </div>
    </FieldGroup>
  )
}

/** One of several objects, which differ in their `kind`. */
function KindsField({
  path,
  schema,
  isRequired,
  value,
  onValue,
  errors,
  label,
}: SettingFieldProps & { label: string }) {
  const options = schema.anyOf ?? []
  const object = asObject(value)
  const chosen = options.find((option) => kindNameOf(option) === object['kind'])
  return (
    <FieldGroup label={label}>
      <div className="flex flex-col gap-4">
        <SelectField
          name={path}
          label={wordsOf('kind')}
          hint={<Description schema={schema} />}
          optional={!isRequired}
          error={errors.get(path) ?? errors.get(`${path}.kind`)}
          value={String(object['kind'] ?? '')}
          onValue={(kind) => onValue(kind === '' ? undefined : { kind })}
          none=""
          choices={options.map((option) => ({ value: kindNameOf(option) ?? '', label: option.description ?? '' }))}
        />
        {chosen !== undefined && (
          <SettingsFields schema={chosen} value={object} onValue={onValue} errors={errors} path={`${path}.`} />
        )}
      </div>
    </FieldGroup>
  )
}
