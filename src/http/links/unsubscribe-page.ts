/** The HTML of the unsubscribe page: no script, no address of another origin, readable on any phone. */
import { createHash } from 'node:crypto'
import type { PageTexts } from './unsubscribe-texts.ts'

/** Black on white and white on dark blue have a contrast of more than 7 to 1. */
const STYLE = `
body{margin:0;background:#fff;color:#111;font:1.125rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
button{font:inherit;padding:.75rem 1.5rem;min-height:3rem;border:2px solid #123a7a;border-radius:.5rem;background:#123a7a;color:#fff}
button.undo{background:#fff;color:#123a7a}
button:focus-visible{outline:3px solid #111;outline-offset:3px}
.sender{font-weight:700}
`

/** Response headers of every page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-language',
}

export interface ConsentPage {
  readonly sender: string
  readonly optedOut: boolean
  readonly mayOptIn: boolean
  readonly token: string
}

/** Asks whether to opt out; after that, offers to opt in again if that is possible. */
export function writeConsentPage(texts: PageTexts, { sender, optedOut, mayOptIn, token }: ConsentPage): string {
  const name = `<p class="sender"><bdi>${escapeHtml(sender)}</bdi></p>`
  if (!optedOut) {
    const form = writeForm({ action: 'out', token, caption: texts.confirm, style: '' })
    return page(texts, texts.title, `${name}<p>${escapeHtml(texts.question)}</p>${form}`)
  }
  const form = mayOptIn ? writeForm({ action: 'in', token, caption: texts.undo, style: ' class="undo"' }) : ''
  return page(texts, texts.done, `${name}<p role="status">${escapeHtml(texts.doneNote)}</p>${form}`)
}

/** A page with a title and one sentence. */
export function writeNoticePage(texts: PageTexts, sentence: string): string {
  return page(texts, texts.title, `<p>${escapeHtml(sentence)}</p>`)
}

interface Form {
  readonly action: 'out' | 'in'
  readonly token: string
  readonly caption: string
  readonly style: string
}

/** It is posted to the address of the page. */
function writeForm({ action, token, caption, style }: Form): string {
  return (
    `<form method="post"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
    `<button${style} name="action" value="${action}">${escapeHtml(caption)}</button></form>`
  )
}

function page({ language }: PageTexts, title: string, content: string): string {
  return (
    `<!DOCTYPE html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">` +
    `<style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>\n`
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
