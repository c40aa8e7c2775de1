// The service worker: written when the page is built, because it has to know the names of all files. It keeps the page so
// that it opens without a network; what the server knows still needs the server.

import type { Plugin } from 'vite';

const worker = (version: string, files: string[]): string => `// The page without a network. Made by offline.ts.
const NAME = 'claimeven-${version}';
const FILES = ${JSON.stringify(files)};

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('claimeven-') && name !== NAME);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || /^\\/(api|ws)\\//.test(pathname)) return;
  if (request.mode === 'navigate') {
    // The newest page if there is a network, else the one that was kept.
    event.respondWith(fetch(request).catch(() => caches.match('/')));
  } else if (pathname.startsWith('/assets/')) {
    // Their names change with their content: what was kept is right.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (FILES.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
`;

/** Another text, another number: the names of the files change with their content. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(36);
}

export function offline(others: string[]): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post', // when it is settled which files there are
    generateBundle(_, bundle) {
      const built = Object.keys(bundle).filter((name) => /\.(js|css|svg|woff2)$/.test(name));
      const files = ['/', ...others, ...built.map((name) => `/${name}`)].sort();
      const version = digest(files.join());
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker(version, files) });
    },
  };
}
