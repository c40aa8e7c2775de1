import { Worker } from 'node:worker_threads';

/** Starts a worker of Node, which keeps the program from ending only while it has something to do. */
export function hire(hear, fail) {
  const worker = new Worker(new URL('./worker-node.js', import.meta.url));
  let open = 0;
  worker.on('message', (told) => {
    open -= 1;
    if (!open) worker.unref();
    hear(told);
  });
  worker.on('error', fail);
  worker.unref();
  const post = (asked) => {
    open += 1;
    worker.ref();
    worker.postMessage(asked);
  };
  return { post, end: () => void worker.terminate() };
}
