// The play protocol as the page uses it; its messages are in contract.ts.

import type { FromClient, Side } from '../contract';

/** A request as it is sent: it has an id, and is kept until the answer names it. */
export type Sent = Exclude<Extract<FromClient, { id: string }>, { t: 'ping' }>;

type WithoutId<Message> = Message extends Sent ? Omit<Message, 'id'> : never;

/** What a page asks for; `id` is added when it is sent. */
export type Request = WithoutId<Sent>;

export const other = (side: Side): Side => (side === 1 ? 2 : 1);
