// Addresses of the page. A route is a name and parameters; links are ordinary <a href> elements.

import { STUDIES } from './contract';
import { placeIn, type Place } from './place';
import { download, isStatic, site } from '../offline/local.svelte';

export type StudyName = (typeof STUDIES)[number];

export type Route =
  | { name: 'home'; from: Place | null }
  | { name: 'game'; game: string; invite: string | null }
  | { name: 'study'; page: StudyName; rest: string; query: URLSearchParams }
  | { name: 'missing' };

/** On a host of static files only the part after # can name a page of ours. */
const here = (): URL => (isStatic ? new URL(location.hash.slice(1) || '/', location.origin) : new URL(location.href));

function parse(location: URL): Route {
  const path = location.pathname.replace(/\/+$/, '') || '/';
  if (path === '/') return { name: 'home', from: placeIn(new URLSearchParams(location.search)) };
  const game = /^\/game\/([\w-]{1,64})$/.exec(path)?.[1];
  if (game) return { name: 'game', game, invite: new URLSearchParams(location.hash.slice(1)).get('invite') };
  const [, first, rest = ''] = /^\/([a-z]+)(?:\/([\w-]{1,64}))?$/.exec(path) ?? [];
  const page = STUDIES.find((name) => name === first);
  if (page) return { name: 'study', page, rest, query: new URLSearchParams(location.search) };
  return { name: 'missing' };
}

class Router {
  route = $state.raw<Route>(parse(here()));

  constructor() {
    const read = () => (this.route = parse(here()));
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    document.addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || event.defaultPrevented || link.origin !== location.origin) return;
      if (isStatic) return this.followStatic(event, link, isPlain);
      if (!isPlain || link.target || link.hasAttribute('download')) return;
      if (link.pathname.startsWith('/api/')) return;
      if (link.getAttribute('href')?.startsWith('#')) return; // the skip link
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }

  /** Without a server no address of ours leads anywhere: each is written after the #. */
  private followStatic(event: MouseEvent, link: HTMLAnchorElement, isPlain: boolean): void {
    const written = link.getAttribute('href') ?? '';
    if (link.protocol === 'blob:' || (!written.startsWith('/') && !written.startsWith('#'))) return;
    event.preventDefault();
    const path = link.pathname + link.search;
    if (written.startsWith('#')) document.querySelector<HTMLElement>(written)?.focus();
    else if (path.startsWith('/api/')) void download(path, link.download);
    else if (isPlain && !link.target) this.go(path);
    else open(`${site}#${path}`, '_blank');
  }

  go(path: string, replace = false): void {
    const address = isStatic ? `#${path}` : path;
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.route = parse(here());
  }
}

export const router = new Router();
