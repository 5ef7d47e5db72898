/** The default theme in the colours of the console, with a switch between the versions of the documentation. */
import { type Theme, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import './posthorn.css'
import { VersionSwitch } from './version-switch.ts'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
  enhanceApp: ({ app }) => {
    app.component('VersionSwitch', VersionSwitch)
  },
} satisfies Theme

const notFound = () =>
  h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'Page not found'),
    h('p', [
      'This version of the documentation has no such page. Search for it, or look at ',
      h('a', { href: withBase('/index.html') }, 'the list of pages'),
      '.',
    ]),
  ])
