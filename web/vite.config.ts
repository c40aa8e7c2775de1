import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { offline } from './offline.ts';

// The page is built into the Python package. Nothing is inlined as a data: address, so that the
// server's Content-Security-Policy can stay strict.
export default defineConfig({
  plugins: [svelte(), offline(['./icon.svg', './theme.js', './manifest.webmanifest'])],
  // Only index.html knows where it lies: the rest finds its files beside itself, in any folder (browser/site.py).
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  worker: { format: 'es' },
  build: {
    outDir: '../src/claimeven/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: {
    fs: { allow: ['.', '../src/claimeven/catalogue/told'] },
    proxy: {
      '/api': 'http://127.0.0.1:8000',
      '/ws': { target: 'ws://127.0.0.1:8000', ws: true },
    },
  },
});
