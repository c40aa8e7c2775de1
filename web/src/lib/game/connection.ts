// One WebSocket that comes back by itself: reconnects with growing, jittered pauses, notices that it is dead, and
// keeps every request until the server has answered it. It knows nothing of the game.

import type { FromServer } from '../contract';
import type { Request, Sent } from './protocol';

export type ConnectionStatus = 'connecting' | 'online' | 'reconnecting' | 'failed';

const FIRST_PAUSE = 500;
const QUICK_TRIES = 3; // with that pause: who comes just when a server stops is let in by the next one
const LONGEST_PAUSE = 8_000;
const RESEND_AFTER = 2_500;
const PING_EVERY = 10_000;
const PONG_WITHIN = 9_000;
const TICK = 500;
const SLEPT_AFTER = 5_000; // a longer pause between two ticks: the machine or the tab was asleep
const PROBE_WITHIN = 2_000;

/** Close codes after which coming back would change nothing. */
const FINAL_CODES = new Set([4003, 4004]);

export interface ConnectionHandlers {
  hello(): object;
  message(message: FromServer): void;
  status(status: ConnectionStatus, code: number | null): void;
  /** The requests still without an answer changed. */
  outbox(waiting: Sent[]): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private waiting = new Map<string, { message: Sent; sentAt: number }>();
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private lastTick = 0;
  private lastPing = 0;
  private pingSince: number | null = null;
  private greeted = false;
  private closed = false;

  constructor(
    private readonly address: string,
    private readonly handlers: ConnectionHandlers,
    unanswered: Sent[] = [],
  ) {
    for (const message of unanswered) this.waiting.set(message.id, { message, sentAt: 0 });
  }

  open(): void {
    this.ticking = setInterval(() => this.tick(), TICK);
    this.lastTick = Date.now();
    addEventListener('online', this.hurry);
    addEventListener('offline', this.gone);
    document.addEventListener('visibilitychange', this.seen);
    addEventListener('pagehide', this.leave);
    addEventListener('pageshow', this.shown);
    this.connect();
  }

  /** Leaves on purpose and for good. */
  close(): void {
    this.leave();
    this.closed = true;
    clearInterval(this.ticking);
    clearTimeout(this.retry);
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.gone);
    document.removeEventListener('visibilitychange', this.seen);
    removeEventListener('pagehide', this.leave);
    removeEventListener('pageshow', this.shown);
    this.drop();
  }

  /** Sends a request and keeps it until it is answered; returns its id. */
  ask(request: Request): string {
    const message = { ...request, id: crypto.getRandomValues(new Uint32Array(2)).join('-') } as Sent;
    this.waiting.set(message.id, { message, sentAt: 0 });
    this.handlers.outbox(this.unanswered());
    if (this.greeted) this.resend();
    return message.id;
  }

  sync(): void {
    this.write({ t: 'sync' });
  }

  private unanswered(): Sent[] {
    return [...this.waiting.values()].map(({ message }) => message);
  }

  private connect(): void {
    clearTimeout(this.retry);
    this.drop();
    if (this.closed) return;
    this.handlers.status(this.failures ? 'reconnecting' : 'connecting', null);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.handlers.hello()));
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  private receive(data: unknown): void {
    let message: FromServer;
    try {
      message = JSON.parse(String(data));
    } catch {
      return;
    }
    this.pingSince = null; // anything heard means that it is alive
    if (message.t === 'state' && !this.greeted) {
      this.greeted = true;
      this.failures = 0;
      this.lastPing = Date.now();
      this.handlers.status('online', null);
      this.handlers.message(message);
      for (const entry of this.waiting.values()) entry.sentAt = 0;
      this.resend();
      return;
    }
    if (message.t === 'error' && message.code === 'busy' && this.keeps(message.id)) return;
    if ((message.t === 'ack' || message.t === 'error' || message.t === 'hint') && message.id) {
      if (this.waiting.delete(message.id)) this.handlers.outbox(this.unanswered());
    }
    this.handlers.message(message);
  }

  /** What a server that restarts does not decide is asked again, of the next one. A hint is the person's to ask. */
  private keeps(id: string | null): boolean {
    const entry = id ? this.waiting.get(id) : undefined;
    return entry !== undefined && entry.message.t !== 'hint';
  }

  private resend(): void {
    const now = Date.now();
    for (const entry of this.waiting.values()) {
      // A hint may take longer than that: it is asked for once per connection.
      const isDue = entry.sentAt === 0 || (entry.message.t !== 'hint' && now - entry.sentAt >= RESEND_AFTER);
      if (isDue && this.write(entry.message)) entry.sentAt = now;
    }
  }

  private write(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private tick(): void {
    const now = Date.now();
    const slept = now - this.lastTick > SLEPT_AFTER;
    this.lastTick = now;
    if (!this.greeted) return;
    if (slept) this.probe();
    else if (this.pingSince !== null && now - this.pingSince > PONG_WITHIN) {
      this.lost(null);
      return;
    }
    this.resend();
    if (now - this.lastPing >= PING_EVERY) {
      this.lastPing = now;
      this.pingSince ??= now;
      this.write({ t: 'ping', id: String(now) });
    }
  }

  /** Is it still there? After a sleep the answer must come soon. */
  private probe(): void {
    const now = Date.now();
    this.lastPing = now;
    this.pingSince = now - PONG_WITHIN + PROBE_WITHIN;
    this.write({ t: 'ping', id: String(now) });
  }

  private lost(code: number | null): void {
    this.drop();
    if (this.closed) return;
    if (code !== null && FINAL_CODES.has(code)) {
      this.closed = true;
      this.handlers.status('failed', code);
      return;
    }
    const doublings = Math.max(0, this.failures - QUICK_TRIES + 1);
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** doublings);
    this.failures += 1;
    this.handlers.status('reconnecting', code);
    this.retry = setTimeout(() => this.connect(), pause * (0.5 + Math.random() / 2));
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.greeted = false;
    this.pingSince = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private seen = (): void => {
    if (!document.hidden) this.hurry();
  };

  /** The network or the page came back: no need to wait out the pause, or for a connection that is dead. */
  private hurry = (): void => {
    if (this.greeted) this.probe();
    else if (!this.closed && this.socket?.readyState !== WebSocket.CONNECTING) {
      this.failures = 0;
      this.connect();
    }
  };

  /** The device says that it has no network: no need to wait for an answer that cannot come. */
  private gone = (): void => {
    if (this.socket) this.lost(null);
  };

  /** Back from the cache of the browser, where sockets do not survive. */
  private shown = (event: PageTransitionEvent): void => {
    if (event.persisted) this.hurry();
  };

  private leave = (): void => {
    this.write({ t: 'bye' });
  };
}
