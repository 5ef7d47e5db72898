/** Texts of the forms of settings. */
import { type TextsLike, useTexts } from '../../../texts/texts.ts'

const EN = {
  further: 'Further settings',
  byDefault: (value: string) => `by default: ${value}`,
  stored: 'stored; type to replace it',
  use: (what: string) => `Use: ${what}`,
  name: 'name',
  value: 'value',
  addRow: 'Add entry',
  removeRow: 'Remove entry',
  notJson: (line: number) => `line ${line}: must be JSON`,
  notObject: 'must be a JSON object',
  asForm: 'Form',
  asJson: 'JSON',
  show: 'Show settings as',
}

const DE: TextsLike<typeof EN> = {
  further: 'Weitere Einstellungen',
  byDefault: (value) => `sonst: ${value}`,
  stored: 'gespeichert; Eingabe ersetzt es',
  use: (what) => `Verwenden: ${what}`,
  name: 'Name',
  value: 'Wert',
  addRow: 'Eintrag hinzufügen',
  removeRow: 'Eintrag entfernen',
  notJson: (line) => `Zeile ${line}: muss JSON sein`,
  notObject: 'muss ein JSON-Objekt sein',
  asForm: 'Formular',
  asJson: 'JSON',
  show: 'Einstellungen zeigen als',
}

export function useFormTexts() {
  return useTexts<typeof EN>({ en: EN, de: DE })
}
