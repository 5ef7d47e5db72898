/** Actions of the audit log in words: names such as `issueKey`, and those of operations such as `hook/create`. */
import type { Language } from '../../texts/language.ts'
import { ACTIONS_DE } from './actions-de.ts'

/** Returns the words of a name: `Issue key`. */
export function actionName(action: string, language: Language): string {
  const german: Readonly<Record<string, string>> = ACTIONS_DE
  const name = language === 'de' ? german[action] : undefined
  return name ?? inWords(action)
}

/** The actions by their words, for a filter. */
export function actionChoices(language: Language) {
  return Object.keys(ACTIONS_DE)
    .map((value) => ({ value, label: actionName(value, language) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))
}

function inWords(action: string): string {
  const words = action.replace(/[/_]/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const text = words.replace(/\bsso\b/, 'SSO').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
