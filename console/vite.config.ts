/** Builds the console to dist/console, or serves it with a proxy to an admin port (`npm run dev-console`). */
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './tools/compress-files.ts'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const ADMIN_PORT = process.env['POSTHORN_ADMIN_PORT'] ?? '8081'

export default defineConfig({
  root: pathOf('.'),
  base: '/console/',
  cacheDir: pathOf('../node_modules/.cache/vite-console'),
  plugins: [react(), tailwind(), compressFiles()],
  // The gateway replaces it by a fresh nonce in every answer.
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: pathOf('../dist/console'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // The content security policy allows scripts and fonts of this host only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Licenses of the packages in the bundle want their notices beside it.
    license: { fileName: 'third-party-notices.txt' },
  },
  server: {
    proxy: { '/admin': { target: `http://127.0.0.1:${ADMIN_PORT}`, changeOrigin: false } },
  },
})
