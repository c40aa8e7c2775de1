// Addresses of the page. A route is a name and parameters; links are ordinary <a href> elements.

import { STUDIES } from './contract';
import { placeIn, type Place } from './place';

export type StudyName = (typeof STUDIES)[number];

export type Route =
  | { name: 'home'; from: Place | null }
  | { name: 'game'; game: string; invite: string | null }
  | { name: 'study'; page: StudyName; rest: string; query: URLSearchParams }
  | { name: 'missing' };

function parse(location: Location): Route {
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
  route = $state.raw<Route>(parse(location));

  constructor() {
    const read = () => (this.route = parse(location));
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    document.addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
      if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
      if (link.getAttribute('href')?.startsWith('#')) return; // the skip link
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.route = parse(location);
  }
}

export const router = new Router();
