// The address under which others reach this server: one of this machine means another one on a friend's phone.

import { agents } from '../../lib/agents.svelte';

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export const reachOf = (path: string): { link: string; isForThisMachine: boolean } => ({
  link: (isLocal ? (agents.lan ?? location.origin) : location.origin) + path,
  isForThisMachine: isLocal && !agents.lan,
});
