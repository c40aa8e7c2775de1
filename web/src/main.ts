import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from './i18n/index.svelte';
import { renew } from './offline/renew';
import { spoken } from './lib/settings.svelte';
import { isStatic, site } from './offline/local.svelte';
import './styles/type.css';
import './styles/theme.css';
import './styles/base.css';

const target = document.getElementById('app');
speak(spoken()).finally(() => target && mount(App, { target }));
addEventListener('vite:preloadError', renew);

const CALM = 2_000; // milliseconds after the page has come: what is kept for later does not compete with it

function keepForLater(): void {
  navigator.serviceWorker?.register(isStatic ? `${site}sw.js` : '/sw.js').catch(() => {});
}
if (import.meta.env.PROD) addEventListener('load', () => setTimeout(keepForLater, CALM));
