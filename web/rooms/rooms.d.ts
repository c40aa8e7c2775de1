// The types of rooms.js.
import type { Engine } from 'claimeven-engine/engine';

export interface Rooms {
  /** Status, media type and text or bytes, as the server would answer; `tell` hears lines of progress. */
  answer(
    method: string,
    address: string,
    body?: string | null,
    tell?: (line: string) => void,
  ): Promise<[number, string, string | Uint8Array<ArrayBuffer>]>;
  /** A file of the package's data, before it is asked for. */
  keep(path: string, bytes: Uint8Array): void;
  /** A network of the package by its name, which is played by an engine of network.wasm: before it is asked for. */
  learn(name: string, network: Uint8Array, networks: Engine): void;
}

export function openRooms(
  loadPyodide: (options: object) => Promise<unknown>,
  options: object,
  engine: Engine,
  files: { archives: Uint8Array[]; book: Uint8Array | null },
): Promise<Rooms>;
