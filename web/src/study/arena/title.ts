// Who plays in an arena: a level is a character, everything else is called as it was entered.

import { agentTitle } from '../../lib/words';
import { hasFace } from '../../parts/Face.svelte';

export const titleOf = (spec: string): string => (hasFace(spec) ? agentTitle(spec) : spec);
