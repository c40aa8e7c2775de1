// The connection without a network: a WebSocket that the test opens, answers and cuts, and a clock that the test moves.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type ConnectionStatus } from './connection';
import type { Request, Sent } from './protocol';

class Wire {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = Wire.CONNECTING;
  sent: { t: string; id?: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    Wire.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  accept(): void {
    this.readyState = Wire.OPEN;
    this.onopen?.();
    this.say({ t: 'state' });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  cut(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  asked(): string[] {
    return this.sent.map(({ t }) => t).filter((t) => t !== 'hello' && t !== 'ping');
  }
}

const move = { t: 'move', column: 4 } as unknown as Request;
let connection: Connection;
let statuses: ConnectionStatus[];
let waiting: Sent[];
const last = (): Wire => Wire.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1); // the longest pauses
  Wire.all = [];
  statuses = [];
  waiting = [];
  vi.stubGlobal('WebSocket', Wire);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
  connection = new Connection('ws://x', {
    hello: () => ({ t: 'hello' }),
    message: () => {},
    status: (status) => statuses.push(status),
    outbox: (now) => (waiting = now),
  });
  connection.open();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a request waits for the greeting and is kept until it is answered', () => {
  const id = connection.ask(move);
  expect(last().asked()).toEqual([]);
  last().accept();
  expect(last().asked()).toEqual(['move']);
  expect(waiting.map((message) => message.id)).toEqual([id]);
  last().say({ t: 'ack', id });
  expect(waiting).toEqual([]);
});

test('what is not answered is sent again, with the same id', () => {
  last().accept();
  const id = connection.ask(move);
  vi.advanceTimersByTime(3_000);
  const moves = last().sent.filter(({ t }) => t === 'move');
  expect(moves.map((message) => message.id)).toEqual([id, id]);
});

test('after a cut it comes back by itself and says again what was unanswered', () => {
  last().accept();
  const id = connection.ask(move);
  last().cut();
  expect(statuses.at(-1)).toBe('reconnecting');
  vi.advanceTimersByTime(499);
  expect(Wire.all.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(Wire.all.length).toBe(2);
  last().accept();
  expect(
    last()
      .sent.filter(({ t }) => t === 'move')
      .map((message) => message.id),
  ).toEqual([id]);
});

test('what a server that restarts does not decide is kept for the next one', () => {
  last().accept();
  const id = connection.ask(move);
  last().say({ t: 'error', id, code: 'busy', message: 'the server restarts; come back in a moment' });
  expect(waiting.map((message) => message.id)).toEqual([id]);
  last().cut(1012);
  vi.advanceTimersByTime(500);
  last().accept();
  expect(last().asked()).toEqual(['move']);
  last().say({ t: 'error', id, code: 'conflict', message: 'somebody was quicker' });
  expect(waiting).toEqual([]);
});

test('three tries come soon, then pauses grow to eight seconds', () => {
  const pauses = [];
  for (let i = 0; i < 9; i++) {
    const before = Date.now();
    last().cut();
    vi.advanceTimersToNextTimer();
    while (last().readyState === 3) vi.advanceTimersToNextTimer();
    pauses.push(Date.now() - before);
  }
  expect(pauses).toEqual([500, 500, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test('a code that is final ends it', () => {
  last().accept();
  last().cut(4004);
  vi.advanceTimersByTime(60_000);
  expect(statuses.at(-1)).toBe('failed');
  expect(Wire.all.length).toBe(1);
});

test('a connection that does not answer a ping is given up', () => {
  last().accept();
  vi.advanceTimersByTime(10_000);
  expect(last().sent.at(-1)?.t).toBe('ping');
  vi.advanceTimersByTime(9_600);
  expect(statuses.at(-1)).toBe('reconnecting');
});
