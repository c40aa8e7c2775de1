// The service worker: written when the page is built, because it has to know the names of all files. It keeps the page so
// that it opens without a network; what the server knows still needs the server.

import type { Plugin } from 'vite';

const worker = (version: string, files: string[]): string => `// The page without a network. Made by offline.ts.
const NAME = 'claimeven-${version}';
const SCOPE = new URL(self.registration.scope);
const FILES = ${JSON.stringify(files)}.map((name) => new URL(name, SCOPE).href);
const ROOMS = 'claimeven-rooms-';

// One after the other: a whole class may come at once, and nobody waits for it. What an earlier version had is not asked for.
async function keepAll() {
  const cache = await caches.open(NAME);
  for (const file of FILES) {
    const kept = file.startsWith(SCOPE.href + 'assets/') && (await caches.match(file));
    await (kept ? cache.put(file, kept) : cache.add(file));
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('claimeven-') && !name.startsWith(ROOMS) && name !== NAME);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

// The Python rooms, large and only for whoever asked for them: a folder of another name is another version.
async function room(request, folder) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const wanted = 'claimeven-' + folder;
    const copy = response.clone();
    const others = (await caches.keys()).filter((name) => name.startsWith(ROOMS) && name !== wanted);
    await Promise.all(others.map((name) => caches.delete(name)));
    await (await caches.open(wanted)).put(request, copy).catch(() => {}); // a full disk: it is fetched once more
  }
  return response;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(SCOPE.href)) return;
  const name = request.url.slice(SCOPE.href.length).split(/[?#]/)[0];
  if (/^(api|ws)\\//.test(name)) return;
  if (request.mode === 'navigate') {
    // The newest page if there is a network, else the one that was kept.
    event.respondWith(fetch(request).catch(() => caches.match(SCOPE.href)));
  } else if (name.startsWith('assets/')) {
    // Their names change with their content: what was kept is right.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (name.startsWith('rooms-')) {
    event.respondWith(room(request, name.split('/')[0]));
  } else if (FILES.includes(request.url)) {
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
      const built = Object.keys(bundle).filter((name) => /\.(js|css|svg|woff2|wasm)$/.test(name));
      const files = ['./', ...others, ...built.map((name) => `./${name}`)].sort();
      const version = digest(files.join());
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker(version, files) });
    },
  };
}
